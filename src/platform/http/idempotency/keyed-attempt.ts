import { type AnswerOwner, type DeductionEnd, type KeyedRequest } from '../../../kernel/charging.js';
import { deriveUuid, type TenantId } from '../../../kernel/ids.js';
import { Unavailable } from '../../../kernel/unavailable.js';
import { type DataKey, type Place, type Vault } from '../../crypto/vault.js';
import { type IdempotencyStore } from './idempotency-store.js';

/** Where a stored answer stands: bound to the attempt that gave it. */
export const answerPlace = (tenantId: string, keyHash: string, deductionId: string): Place => ({
  tenantId,
  stream: `idempotency-${keyHash}`,
  eventId: deductionId,
  field: 'answer',
});

/** The same bytes where none of these members stands in the body; where one does, it is null. */
export const withoutSecrets = (body: string, shownOnce: readonly string[]): string => {
  if (shownOnce.length === 0) return body;
  const members = JSON.parse(body) as Record<string, unknown>;
  const secrets = shownOnce.filter((name) => Object.hasOwn(members, name));
  if (secrets.length === 0) return body;
  return JSON.stringify({ ...members, ...Object.fromEntries(secrets.map((name) => [name, null])) });
};

/** Answers that are not kept: after them the key is free again. */
const isKept = (status: number): boolean => status < 500 && status !== 402 && status !== 409 && status !== 429;

export interface AttemptRow {
  readonly tenantId: TenantId;
  readonly keyHash: string;
  readonly deductionId: string;
  readonly effectSeed: string;
  readonly repeated: boolean;
  /** Members of the answer that are not stored. */
  readonly shownOnce: readonly string[];
}

/** One attempt at a keyed request, from its claim to its answer. */
export class KeyedAttempt implements KeyedRequest {
  private phase: 'running' | 'answered' | 'confirmed' | 'held' | 'ended' = 'running';

  constructor(
    private readonly store: IdempotencyStore,
    private readonly vault: Vault,
    private readonly row: AttemptRow,
  ) {}

  get deductionId(): string {
    return this.row.deductionId;
  }

  get repeated(): boolean {
    return this.row.repeated;
  }

  get rowId(): string {
    return this.row.keyHash;
  }

  effectId(effect: string): string {
    return deriveUuid(this.row.effectSeed, effect);
  }

  async keepAnswer(status: number, body: string, owner: AnswerOwner): Promise<void> {
    if (!isKept(status)) return;
    await this.keep('answered', status, body, owner);
    this.phase = 'answered';
  }

  confirm(): void {
    if (this.phase === 'running') return;
    this.phase = 'confirmed';
    void this.store.confirm(this.row.keyHash, this.deductionId).catch(() => undefined);
  }

  hold(ended: Promise<DeductionEnd>): void {
    this.phase = 'held';
    void ended.then((end) => (end === 'refunded' ? this.free() : undefined));
  }

  /**
   * Ends the attempt with the answer that is about to be sent. An answer that was not kept by the operation is kept
   * here, and throws Unavailable where that is impossible; one that is not to be kept frees the key.
   */
  async end(status: number, body: string, beforeOperation: boolean): Promise<void> {
    // What was confirmed is settled in the ledger, whatever becomes of sending it; what is held ends with its deduction.
    if (this.phase === 'ended' || this.phase === 'confirmed' || this.phase === 'held') return;
    if (isKept(status) && !beforeOperation) {
      if (this.phase === 'running') await this.keep('confirmed', status, body, { kind: 'tenant' });
      this.phase = 'ended';
      return;
    }
    this.phase = 'ended';
    await this.free();
  }

  private free(): Promise<void> {
    return this.store.release(this.row.keyHash, this.deductionId);
  }

  private async keep(state: 'answered' | 'confirmed', status: number, body: string, owner: AnswerOwner): Promise<void> {
    const { tenantId, keyHash, deductionId, shownOnce } = this.row;
    const key = await this.keyOf(owner);
    const answer = this.vault.seal(key, answerPlace(tenantId, keyHash, deductionId), withoutSecrets(body, shownOnce));
    const kept = await this.store.keep(keyHash, deductionId, state, status, answer);
    // The row was taken over while this attempt was stopped for long: its answer must not be sent.
    if (!kept) throw new Unavailable('postgres', { cause: new Error('the attempt has lost its idempotency key') });
  }

  private keyOf(owner: AnswerOwner): Promise<DataKey> {
    return owner.kind === 'tenant'
      ? this.vault.tenantKey(this.row.tenantId, 'answers')
      : this.vault.answerKey(this.row.tenantId, owner.email, owner.phone);
  }
}
