import { type Deductions } from '../../../kernel/charging.js';
import { newUuid, type TenantId } from '../../../kernel/ids.js';
import { refuse } from '../../../kernel/rejection.js';
import { ERASED, type KeyedHashes, type Vault } from '../../crypto/vault.js';
import { type Queryable } from '../../postgres/database.js';
import { HttpFailure } from '../failure.js';
import { IdempotencyStore, type KeyRow } from './idempotency-store.js';
import { answerPlace, KeyedAttempt } from './keyed-attempt.js';

export interface KeyedCall {
  /** Whose keys these are; operators share one key space apart from every tenant's. */
  readonly scope: { readonly tenantId: TenantId; readonly caller: string };
  readonly method: string;
  readonly path: string;
  readonly key: string;
  readonly body: Buffer | undefined;
}

export type Opening =
  | { readonly kind: 'attempt'; readonly attempt: KeyedAttempt }
  | { readonly kind: 'replay'; readonly status: number; readonly body: string };

/** A key that changes hands while it is judged is judged again; more often than this it is busy. */
const MOST_ROUNDS = 4;

export const checkedKey = (header: string | readonly string[]): string => {
  if (typeof header === 'string' && header.length >= 1 && header.length <= 255) return header;
  const detail = 'Idempotency-Key takes 1 to 255 characters';
  throw new HttpFailure(422, 'INVALID_FIELD', detail, {
    errors: [{ field: 'Idempotency-Key', code: 'INVALID_FIELD', detail }],
    beforeOperation: true,
  });
};

/**
 * What an Idempotency-Key means (decisions.md section 2): the first request with it runs, the same one again is answered
 * with the first answer, byte for byte, and an attempt that died is judged by what became of its deduction.
 */
export class Idempotency {
  private readonly store: IdempotencyStore;

  constructor(
    database: Queryable,
    private readonly hashes: KeyedHashes,
    private readonly vault: Vault,
    private readonly deductions: Deductions,
    /** Milliseconds after which an attempt without an answer is dead: no request lives as long. */
    private readonly deadAfter: number,
  ) {
    this.store = new IdempotencyStore(database);
  }

  /** Throws idempotency_in_progress, idempotency_mismatch, or Unavailable. */
  async open({ scope, method, path, key, body }: KeyedCall): Promise<Opening> {
    const keyHash = this.hashes.idempotency(['key', scope.caller, method, path, key].join('\0'));
    const bodyHash = this.hashes.idempotency(`body\0${body?.toString('latin1') ?? ''}`);
    for (let round = 0; round < MOST_ROUNDS; round += 1) {
      const deductionId = newUuid();
      const claim = { keyHash, bodyHash, tenantId: scope.tenantId, deductionId, effectSeed: newUuid() };
      const seed = await this.store.claim(claim);
      if (seed !== undefined) {
        return {
          kind: 'attempt',
          attempt: new KeyedAttempt(this.store, this.vault, scope.tenantId, keyHash, deductionId, seed),
        };
      }
      const row = await this.store.find(keyHash, bodyHash);
      const replay = row === undefined ? undefined : await this.judge(keyHash, row);
      if (replay !== undefined) return replay;
    }
    throw refuse('idempotency_in_progress');
  }

  /** The answer to replay, or undefined where the key is free now. */
  private async judge(keyHash: string, row: KeyRow): Promise<Opening | undefined> {
    const verdict = await this.verdict(row);
    if (verdict === 'freed') return this.free(keyHash, row);
    if (!row.same_body) throw refuse('idempotency_mismatch');
    if (verdict === 'in_progress' || row.answer === null || row.status === null)
      throw refuse('idempotency_in_progress');
    const body = await this.vault.open(answerPlace(row.tenant_id, keyHash, row.deduction_id), row.answer);
    if (body === ERASED) return this.free(keyHash, row);
    if (row.state === 'answered') void this.store.confirm(keyHash, row.deduction_id).catch(() => undefined);
    return { kind: 'replay', status: row.status, body: String(body) };
  }

  private async verdict(row: KeyRow): Promise<'kept' | 'in_progress' | 'freed'> {
    if (row.state === 'confirmed') return 'kept';
    const dead = row.age >= this.deadAfter;
    if (row.state === 'running' && !dead) return 'in_progress';
    switch (await this.deductions.stateOf(row.tenant_id as TenantId, row.deduction_id, row.started_at)) {
      case 'settled':
        return 'kept';
      case 'refunded':
        return 'freed';
      case 'open':
        return 'in_progress';
      case 'unknown':
        return dead ? 'freed' : 'in_progress';
    }
  }

  private async free(keyHash: string, row: KeyRow): Promise<undefined> {
    await this.store.free(keyHash, row.deduction_id, [row.state]);
    return undefined;
  }
}
