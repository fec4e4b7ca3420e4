import { type AnswerOwner, type DeductionEnd, type KeyedOpening, type KeyedRequest } from '../kernel/charging.js';
import { deriveUuid, type TenantId } from '../kernel/ids.js';
import { Unavailable } from '../kernel/unavailable.js';
import { decisionSubject } from '../platform/crypto/decision-keys.js';
import { type DataKey, type Place, type Vault } from '../platform/crypto/vault.js';
import { type IdempotencyStore } from './idempotency-store.js';

/** The place of a stored response, bound to the attempt that gave it. */
export const answerPlace = (tenantId: string, keyHash: string, deductionId: string): Place => ({
  tenantId,
  stream: `idempotency-${keyHash}`,
  eventId: deductionId,
  field: 'answer',
});

/** Sets these members to null. Returns the same bytes if the body has none of them. */
export const withoutSecrets = (body: string, shownOnce: readonly string[]): string => {
  if (shownOnce.length === 0) return body;
  const members = JSON.parse(body) as Record<string, unknown>;
  const secrets = shownOnce.filter((name) => Object.hasOwn(members, name));
  if (secrets.length === 0) return body;
  return JSON.stringify({ ...members, ...Object.fromEntries(secrets.map((name) => [name, null])) });
};

/** A response with another status is not kept: the key is free again. */
const isKept = (status: number): boolean => status < 500 && status !== 402 && status !== 409 && status !== 429;

export interface AttemptRow {
  readonly tenantId: TenantId;
  readonly keyHash: string;
  readonly deductionId: string;
  readonly effectSeed: string;
  readonly repeated: boolean;
  /** Members of the response that are not stored. */
  readonly shownOnce: readonly string[];
}

/** One attempt at a keyed request, from its claim to its response. */
export class KeyedAttempt implements KeyedRequest {
  private phase: 'running' | 'answered' | 'confirmed' | 'held' | 'ended' = 'running';
  private isLeftOpen = false;

  constructor(
    private readonly store: IdempotencyStore,
    private readonly vault: Vault,
    private readonly row: AttemptRow,
    private readonly openPart: (name: string) => Promise<KeyedOpening>,
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

  part(name: string): Promise<KeyedOpening> {
    return this.openPart(name);
  }

  leaveOpen(): void {
    this.isLeftOpen = true;
  }

  async abandon(): Promise<void> {
    // A confirmed attempt is settled in the ledger, even if sending fails. A held one ends with its deduction.
    if (this.phase === 'ended' || this.phase === 'confirmed' || this.phase === 'held') return;
    this.phase = 'ended';
    await this.free();
  }

  /**
   * Ends the attempt with the response that is about to be sent. Keeps a response that the operation did not keep. Throws
   * Unavailable if that fails. If the response is not one that is kept, frees the key.
   */
  async end(status: number, body: string, beforeOperation: boolean): Promise<void> {
    if (!isKept(status) || beforeOperation) {
      await this.abandon();
    } else if (this.isLeftOpen) {
      this.phase = 'ended';
      // The answer stands without it: a free key is only less careful with another body.
      await this.store.leaveOpen(this.row.keyHash, this.deductionId).catch((error: unknown) => {
        if (!(error instanceof Unavailable)) throw error;
        return this.free();
      });
    } else if (this.phase === 'running') {
      await this.keep('confirmed', status, body, { kind: 'tenant' });
      this.phase = 'ended';
    } else if (this.phase === 'answered') {
      this.phase = 'ended';
    }
  }

  private free(): Promise<void> {
    return this.store.release(this.row.keyHash, this.deductionId);
  }

  private async keep(state: 'answered' | 'confirmed', status: number, body: string, owner: AnswerOwner): Promise<void> {
    const { tenantId, keyHash, deductionId, shownOnce } = this.row;
    const key = await this.keyOf(owner);
    const answer = this.vault.seal(key, answerPlace(tenantId, keyHash, deductionId), withoutSecrets(body, shownOnce));
    const kept = await this.store.keep(keyHash, deductionId, state, status, answer);
    // Another attempt took over the row while this one was stopped for long. Its response must not be sent.
    if (!kept) throw new Unavailable('postgres', { cause: new Error('the attempt has lost its idempotency key') });
  }

  private keyOf(owner: AnswerOwner): Promise<DataKey> {
    const { tenantId } = this.row;
    switch (owner.kind) {
      case 'tenant':
        return this.vault.tenantKey(tenantId, 'answers');
      case 'subject':
        return this.vault.answerKey(tenantId, owner.email, owner.phone);
      case 'decision':
        return this.vault.subjectKey(tenantId, decisionSubject(owner.decisionId));
    }
  }
}
