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

/** Answers that are not kept: after them the key is free again. */
const isKept = (status: number): boolean => status < 500 && status !== 402 && status !== 409 && status !== 429;

/** One attempt at a keyed request, from its claim to its answer. */
export class KeyedAttempt implements KeyedRequest {
  private phase: 'running' | 'answered' | 'confirmed' | 'held' | 'ended' = 'running';

  constructor(
    private readonly store: IdempotencyStore,
    private readonly vault: Vault,
    private readonly tenantId: TenantId,
    private readonly keyHash: string,
    readonly deductionId: string,
    private readonly effectSeed: string,
  ) {}

  effectId(effect: string): string {
    return deriveUuid(this.effectSeed, effect);
  }

  async keepAnswer(status: number, body: string, owner: AnswerOwner): Promise<void> {
    if (!isKept(status)) return;
    await this.keep('answered', status, body, owner);
    this.phase = 'answered';
  }

  confirm(): void {
    if (this.phase === 'running') return;
    this.phase = 'confirmed';
    void this.store.confirm(this.keyHash, this.deductionId).catch(() => undefined);
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

  private async free(): Promise<void> {
    // A row that cannot be freed now is judged by its age when the key comes again.
    await this.store.free(this.keyHash, this.deductionId, ['running', 'answered']).catch(() => undefined);
  }

  private async keep(state: 'answered' | 'confirmed', status: number, body: string, owner: AnswerOwner): Promise<void> {
    const key = await this.keyOf(owner);
    const place = answerPlace(this.tenantId, this.keyHash, this.deductionId);
    const kept = await this.store.keep(
      this.keyHash,
      this.deductionId,
      state,
      status,
      this.vault.seal(key, place, body),
    );
    // The row was taken over while this attempt was stopped for long: its answer must not be sent.
    if (!kept) throw new Unavailable('postgres', { cause: new Error('the attempt has lost its idempotency key') });
  }

  private keyOf(owner: AnswerOwner): Promise<DataKey> {
    return owner.kind === 'tenant'
      ? this.vault.tenantKey(this.tenantId)
      : this.vault.answerKey(this.tenantId, owner.email, owner.phone);
  }
}
