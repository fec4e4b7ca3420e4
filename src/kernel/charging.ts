import { type AuditAction, type AuditResult, type BillableOperation } from './contract.js';
import { type AccessRecord } from './access.js';
import { type TenantId } from './ids.js';

/** The most credits that calls may spend on one UTC day. */
export interface KeyCap {
  /** The key whose cap it is. */
  readonly keyId: string;
  /** The id under which the spending counts: keys that replaced each other share one. */
  readonly countsAs: string;
  readonly creditsPerDay: number;
}

/** Caps of a caller's key, and of those that made it. Undefined: none. */
export type Caps = readonly KeyCap[] | undefined;

/**
 * The owner of the data key that encrypts a stored response. A response about one person uses that person's key at this tenant,
 * one that shows a screening decision the decision's key, any other the tenant's.
 */
export type AnswerOwner =
  | { readonly kind: 'tenant' }
  | { readonly kind: 'subject'; readonly email: string; readonly phone: string }
  | { readonly kind: 'decision'; readonly decisionId: string };

/** The first request with its Idempotency-Key, or the one that takes over from a first attempt that died. */
export interface KeyedRequest {
  /**
   * The deduction or charge of this attempt. The credits slice uses this id, so the stored row and the log name the same
   * deduction.
   */
  readonly deductionId: string;
  /** An earlier attempt used this key, so its effect may have happened already. */
  readonly repeated: boolean;
  /** A UUID that the stored row fixes before the effect. It is the same for every attempt with this key. */
  effectId(effect: string): string;
  /**
   * Stores the response encrypted, if its status is one that is kept. It counts once the caller has made its audit entry
   * durable and called `confirm`.
   */
  keepAnswer(status: number, body: string, owner: AnswerOwner): Promise<void>;
  /** Allows replay of the kept response from now on. Never throws: the ledger reveals a lost confirmation. */
  confirm(): void;
  /**
   * Keeps the key taken while the end of the deduction is not known. If `ended` resolves to a refund, the key becomes free.
   * Otherwise the ledger decides for the next request with this key. Never throws; `ended` never rejects.
   */
  hold(ended: Promise<DeductionEnd>): void;
  /** Names the stored row, so that another process can withdraw its response (KeyedResponses). */
  readonly rowId: string;
  /**
   * Opens a part of the request that is charged by itself: the same part of every attempt with this key is one keyed request of
   * its own. Its body is that of the whole. Throws as for the whole.
   */
  part(name: string): Promise<KeyedOpening>;
  /** Does not keep the response: a repeat runs again, and its parts answer for what was done. */
  leaveOpen(): void;
  /** Frees the key of an attempt that ends without a response, unless the end of its deduction decides. Never rejects. */
  abandon(): Promise<void>;
}

/** What a keyed request meets: it runs, or a kept response answers it. */
export type KeyedOpening<Attempt extends KeyedRequest = KeyedRequest> =
  | { readonly kind: 'attempt'; readonly attempt: Attempt }
  | { readonly kind: 'replay'; readonly status: number; readonly body: string };

/** The stored responses of keyed requests, for a process that undoes a charge without the knowledge of its request. */
export abstract class KeyedResponses {
  /**
   * Withdraws the response that this attempt has stored, unless it was replayed; then the charge stands. The key stays taken.
   * Returns whether the charge may be undone. Throws Unavailable.
   */
  abstract withdraw(rowId: string, deductionId: string): Promise<boolean>;
}

/** The outcome of a charged operation: its response, and what the audit log records of it. */
export interface Conclusion {
  readonly action: AuditAction;
  readonly result: AuditResult;
  readonly status: number;
  /** Sent as JSON. */
  readonly body: unknown;
  /** For a look-up: the identity that it found, where the request names none. */
  readonly identityHash?: string | undefined;
  /** For a look-up: what the answer disclosed beyond `result`, sealed with the access. */
  readonly answered?: Readonly<Record<string, string>>;
  /** For a look-up: the data that later events need, sealed beside the charge; at most 8 KiB as JSON. */
  readonly record?: object;
  /** The owner of the key that encrypts the stored response of a keyed request; by default the tenant. */
  readonly owner?: AnswerOwner;
}

/** The signal aborts at the deadline. A signal is costly, so it is created only when it is read. */
export type Deadline = Pick<AbortController, 'signal'>;

export interface ChargedCall<Result> {
  readonly tenantId: TenantId;
  readonly operation: BillableOperation;
  readonly access: AccessRecord;
  /** The identity that the request names, if any. The audit log records it for every outcome, refusals included. */
  readonly identityHash?: string;
  /** For a look-up: keyed hash of the name that is screened, which the audit log keeps sealed only. */
  readonly nameHash?: string;
  readonly keyed?: KeyedRequest | undefined;
  /** Of a look-up without an Idempotency-Key: a UUID that the caller keeps, to find the charge after a crash. */
  readonly chargeId?: string;
  readonly caps: Caps;
  /**
   * `look_up`: the operation only reads and may run more than once. It discloses nothing before its charge is durable.
   * `effect`: the operation appends or starts something, and waits for its deduction.
   */
  readonly kind: 'look_up' | 'effect';
  /**
   * Runs the operation. A 4xx error from it (a Rejection or the HTTP layer's failure) is a response and stays charged. Any
   * other error, or the deadline, costs nothing: a look-up is not charged yet, and an effect is refunded in full.
   * `deductionId` is a UUID of this attempt that names what pays for it: for an effect that may fail later and then gives the
   * credits back, and for a look-up whose answer names its charge.
   */
  run(deadline: Deadline, deductionId: string): Promise<Result>;
  conclude(result: Result): Conclusion;
}

export interface Receipt {
  /** Credits. */
  readonly charged: number;
  readonly balance: number;
  /** Revision of the deduction in the tenant's credit stream. */
  readonly revision: bigint;
}

export interface ChargedResponse {
  readonly status: number;
  /** JSON text, exactly as it is stored for replays. */
  readonly body: string;
  readonly receipt: Receipt;
}

export abstract class Charging {
  /**
   * Runs a charged operation. Each call ends as exactly one of: charged, not charged, refunded. Throws Rejection for
   * key_cap_reached, insufficient_credits and credits_depleted (nothing charged), and for timeout (nothing charged, or refunded). Throws
   * Unavailable. Rethrows what `run` threw, unless it is a refusal, which is a response.
   */
  abstract charge<Result>(call: ChargedCall<Result>): Promise<ChargedResponse>;
}

/** `unknown`: a fault that no retry mends; another process determines the end. */
export type DeductionEnd = 'refunded' | 'settled' | 'unknown';

/** `returned`: settled, and its credits came back when the work that it paid for failed later. */
export type DeductionState = 'unknown' | 'open' | 'settled' | 'refunded' | 'returned';

/** The state of a deduction, read from the ledger without any clock. Revisions are those of the tenant's credit stream. */
export abstract class Deductions {
  /** Reads the stream back to the revision `after`, which precedes the deduction; -1 reads to its beginning. */
  abstract stateOf(tenantId: TenantId, deductionId: string, after: bigint): Promise<DeductionState>;
  /** A revision that the stream has reached, so later appends follow it. -1 if it cannot be determined. */
  abstract reached(tenantId: TenantId): Promise<bigint>;
}
