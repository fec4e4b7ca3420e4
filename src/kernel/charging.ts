import { type AccessRecord, type AuditAction, type AuditResult } from './access.js';
import { type TenantId } from './ids.js';
import { type BillableOperation } from './operations.js';

/** Whose data key encrypts a stored answer: one person's at this tenant where the answer speaks of one, else the tenant's. */
export type AnswerOwner =
  { readonly kind: 'tenant' } | { readonly kind: 'subject'; readonly email: string; readonly phone: string };

/** A request that came with an Idempotency-Key and is the first (or the heir of a dead first) with it. */
export interface KeyedRequest {
  /** The deduction or charge of this attempt; the credits slice uses it, so that the stored row and the log speak of the same one. */
  readonly deductionId: string;
  /** An attempt with this key came before: its effect may stand already. */
  readonly repeated: boolean;
  /** A UUID fixed in the stored row before the effect; the same for every attempt with this key. */
  effectId(effect: string): string;
  /** Stores the answer, encrypted, where its status is one that is kept. It counts once the caller has made its audit entry durable and calls `confirm`. */
  keepAnswer(status: number, body: string, owner: AnswerOwner): Promise<void>;
  /** The kept answer may be replayed from now on. Never throws: a lost confirmation is found out from the ledger. */
  confirm(): void;
  /**
   * How the deduction ends is not known yet: the key stays taken until `ended` says that it was refunded; otherwise the next
   * request with it is judged by the ledger. Never throws; `ended` never rejects.
   */
  hold(ended: Promise<DeductionEnd>): void;
  /** Names the stored row, so that another process can withdraw its answer (KeyedResponses). */
  readonly rowId: string;
}

/** The stored answers of keyed requests, for whoever undoes a charge that its request has not heard of. */
export abstract class KeyedResponses {
  /**
   * Takes back the answer that this attempt has stored, unless it was replayed to somebody: then the charge stands. The key
   * stays taken. Tells whether the charge may be undone. Throws Unavailable.
   */
  abstract withdraw(rowId: string, deductionId: string): Promise<boolean>;
}

/** What a charged operation came to: its answer, and what the audit log says of it. */
export interface Conclusion {
  readonly action: AuditAction;
  readonly result: AuditResult;
  readonly status: number;
  /** Sent as JSON. */
  readonly body: unknown;
  /** Of a look-up: what later events need of it, kept sealed beside the charge; at most 8 KiB as JSON. */
  readonly record?: object;
  /** Whose key encrypts the stored answer of a keyed request; default the tenant's. */
  readonly owner?: AnswerOwner;
}

/** Its signal aborts at the deadline. A signal is costly to make: it is made for those who read it. */
export type Deadline = Pick<AbortController, 'signal'>;

export interface ChargedCall<Result> {
  readonly tenantId: TenantId;
  readonly operation: BillableOperation;
  readonly access: AccessRecord;
  /** Whom it asks about, where it names somebody: recorded whatever comes of it, a refusal too. */
  readonly identityHash?: string;
  readonly keyed?: KeyedRequest | undefined;
  /**
   * `look_up`: the operation only reads, may run more than once, and nothing of it is disclosed before its charge is durable.
   * `effect`: it appends or starts something, and waits for its deduction.
   */
  readonly kind: 'look_up' | 'effect';
  /**
   * The operation. A 4xx out of it (a Rejection or the HTTP layer's failure) is an answer and stays charged; any other error,
   * or the deadline, costs nothing: a look-up was not charged yet, an effect is refunded in full.
   */
  run(deadline: Deadline): Promise<Result>;
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
  /** JSON text, exactly as stored for replays. */
  readonly body: string;
  readonly receipt: Receipt;
}

export abstract class Charging {
  /**
   * Carries a charged operation out; each ends as exactly one of charged, not charged, refunded. Throws Rejection
   * (insufficient_credits, credits_depleted: nothing charged; timeout: nothing charged or refunded), Unavailable, or what
   * `run` threw other than a refusal, which is an answer.
   */
  abstract charge<Result>(call: ChargedCall<Result>): Promise<ChargedResponse>;
}

/** `unknown`: a fault that no retry mends; another process finds out. */
export type DeductionEnd = 'refunded' | 'settled' | 'unknown';

export type DeductionState = 'unknown' | 'open' | 'settled' | 'refunded';

/** What became of a deduction, read from the ledger. Revisions are those of the tenant's credit stream; no clock is asked. */
export abstract class Deductions {
  /** The stream is read back to the revision `after`, which the deduction lies behind; -1: to its beginning. */
  abstract stateOf(tenantId: TenantId, deductionId: string, after: bigint): Promise<DeductionState>;
  /** A revision that the stream has reached: what is appended from now on lies behind it. -1 where that cannot be told. */
  abstract reached(tenantId: TenantId): Promise<bigint>;
}
