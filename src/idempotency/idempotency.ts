import { type Deductions, type KeyedOpening } from '../kernel/charging.js';
import { newUuid, type TenantId } from '../kernel/ids.js';
import { refuse } from '../kernel/rejection.js';
import { ERASED, type KeyedHashes, type Vault } from '../platform/crypto/vault.js';
import { type Queryable } from '../platform/postgres/database.js';
import { canonicalJson } from './canonical-json.js';
import { IdempotencyStore, type KeyRow } from './idempotency-store.js';
import { answerPlace, KeyedAttempt, withoutSecrets } from './keyed-attempt.js';

export interface KeyedCall {
  /**
   * The owner of the keys: a tenant with any of its credentials, or an operator. If the response holds a secret, the credential
   * owns them.
   */
  readonly scope: { readonly tenantId: TenantId; readonly caller: string; readonly credential?: string };
  readonly method: string;
  /** The same for all spellings of the route and its parameters. */
  readonly path: string;
  readonly key: string;
  /** As JSON; undefined where there is none. Its depth is bounded. */
  readonly body: unknown;
  /** Members of the response that are secrets. */
  readonly shownOnce: readonly string[];
}

export type Opening = KeyedOpening<KeyedAttempt>;

/** What the keys of a request's parts share with its own. */
type Shared = Pick<KeyedCall, 'shownOnce'> & { readonly tenantId: TenantId };

/** If a key changes hands while it is judged, it is judged again. After this many rounds it counts as in progress. */
const MAX_ROUNDS = 4;

/**
 * The meaning of an Idempotency-Key (docs/contract.md, Idempotency). The first request with a key runs. A repeat of it gets the
 * first response, byte for byte. If an attempt died, the state of its deduction decides.
 */
export class Idempotency {
  private readonly store: IdempotencyStore;

  constructor(
    database: Queryable,
    private readonly hashes: KeyedHashes,
    private readonly vault: Vault,
    private readonly deductions: Deductions,
    /** Milliseconds after which an attempt without a response is dead. No request lives that long. */
    private readonly deadAfter: number,
  ) {
    this.store = new IdempotencyStore(database);
  }

  /** Throws idempotency_in_progress, idempotency_mismatch, or Unavailable. */
  async open(call: KeyedCall): Promise<Opening> {
    const { scope, body, shownOnce } = call;
    const bodyHash = this.hashes.idempotency(`body\0${body === undefined ? '' : canonicalJson(body)}`);
    const { tenantId } = scope;
    const owner =
      shownOnce.length === 0 || scope.credential === undefined ? scope.caller : `${scope.caller} ${scope.credential}`;
    return this.openUnder(this.keyHash(call, owner), bodyHash, { tenantId, shownOnce });
  }

  private keyHash({ method, path, key }: KeyedCall, caller: string): string {
    return this.hashes.idempotency(['key', caller, method, path, key].join('\0'));
  }

  private async openUnder(keyHash: string, bodyHash: string, shared: Shared): Promise<Opening> {
    const { tenantId, shownOnce } = shared;
    const deductionAfter = await this.deductions.reached(tenantId);
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      const deductionId = newUuid();
      const claim = { keyHash, bodyHash, tenantId, deductionId, effectSeed: newUuid(), deductionAfter };
      const effectSeed = await this.store.claim(claim);
      if (effectSeed !== undefined) {
        const repeated = effectSeed !== claim.effectSeed;
        const row = { tenantId, keyHash, deductionId, effectSeed, repeated, shownOnce };
        const openPart = (name: string): Promise<Opening> =>
          this.openUnder(this.hashes.idempotency(['part', keyHash, name].join('\0')), bodyHash, shared);
        return { kind: 'attempt', attempt: new KeyedAttempt(this.store, this.vault, row, openPart) };
      }
      const replay = await this.keptOf(keyHash, bodyHash, shownOnce);
      if (replay !== undefined) return replay;
    }
    throw refuse('idempotency_in_progress');
  }

  /** The kept response of a key's row; undefined if there is none and the key is free. */
  private async keptOf(keyHash: string, bodyHash: string, shownOnce: readonly string[]): Promise<Opening | undefined> {
    const row = await this.store.find(keyHash, bodyHash);
    return row === undefined ? undefined : this.judge(keyHash, row, shownOnce);
  }

  /** The response to replay; undefined if the key is free now. */
  private async judge(keyHash: string, row: KeyRow, shownOnce: readonly string[]): Promise<Opening | undefined> {
    if (row.state === 'open' && row.same_body) return undefined;
    const verdict = row.state === 'open' ? 'kept' : await this.verdict(row);
    if (verdict === 'freed') return this.free(keyHash, row);
    if (!row.same_body) throw refuse('idempotency_mismatch');
    if (verdict === 'in_progress' || row.answer === null || row.status === null)
      throw refuse('idempotency_in_progress');
    const body = await this.vault.open(answerPlace(row.tenant_id, keyHash, row.deduction_id), row.answer);
    if (body === ERASED) return this.free(keyHash, row);
    // To undo the charge of an unsent response, a process withdraws it first. So only one of withdrawal and replay succeeds.
    if (row.state === 'answered' && !(await this.store.confirmRepeat(keyHash, row.deduction_id))) return undefined;
    return { kind: 'replay', status: row.status, body: withoutSecrets(String(body), shownOnce) };
  }

  private async verdict(row: KeyRow): Promise<'kept' | 'in_progress' | 'freed'> {
    if (row.state === 'confirmed') return 'kept';
    const dead = row.age >= this.deadAfter;
    if (row.state === 'running' && !dead) return 'in_progress';
    const after = BigInt(row.deduction_after);
    switch (await this.deductions.stateOf(row.tenant_id as TenantId, row.deduction_id, after)) {
      case 'settled':
      case 'returned':
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
