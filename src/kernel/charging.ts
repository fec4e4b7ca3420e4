import { type AccessRecord, type AuditAction, type AuditResult } from './access.js';
import { type TenantId } from './ids.js';
import { type BillableOperation } from './operations.js';

/** Whose data key encrypts a stored answer: one person's at this tenant where the answer speaks of one, else the tenant's. */
export type AnswerOwner =
  { readonly kind: 'tenant' } | { readonly kind: 'subject'; readonly email: string; readonly phone: string };

/** A request that came with an Idempotency-Key and is the first (or the heir of a dead first) with it. */
export interface KeyedRequest {
  /** The deduction of this attempt; the credits slice uses it, so that the stored row and the log speak of the same one. */
  readonly deductionId: string;
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
}

/** What a charged operation came to: its answer, and what the audit log says of it. */
export interface Conclusion {
  readonly action: AuditAction;
  readonly result: AuditResult;
  readonly identityHash?: string;
  readonly status: number;
  /** Sent as JSON. */
  readonly body: unknown;
  /** Whose key encrypts the stored answer of a keyed request; default the tenant's. */
  readonly owner?: AnswerOwner;
}

export interface ChargedCall<Result> {
  readonly tenantId: TenantId;
  readonly operation: BillableOperation;
  readonly access: AccessRecord;
  readonly keyed?: KeyedRequest | undefined;
  /**
   * `beside`: the operation only reads and may run while the deduction is under way; nothing of it is disclosed before
   * the deduction is durable. `after`: it has effects and waits for the deduction.
   */
  readonly timing: 'beside' | 'after';
  /**
   * The operation. A 4xx out of it (a Rejection or the HTTP layer's failure) is an answer and stays charged; any other error,
   * or the signal's abort (the deadline), refunds in full.
   */
  run(signal: AbortSignal): Promise<Result>;
  conclude(result: Result): Conclusion;
}

export interface Receipt {
  /** Credits. */
  readonly charged: number;
  readonly balance: number;
  /** Revision of the deduction in the tenant's credit stream. */
  readonly revision: bigint;
}

export interface ChargedAnswer {
  readonly status: number;
  /** JSON text, exactly as stored for replays. */
  readonly body: string;
  readonly receipt: Receipt;
}

export abstract class Charging {
  /**
   * Deducts, runs, records, answers; every deduction ends as exactly one of settled, refunded. Throws Rejection
   * (insufficient_credits, credits_depleted: nothing charged; timeout: refunded), Unavailable, or what `run` threw other than
   * a refusal, which is an answer.
   */
  abstract charge<Result>(call: ChargedCall<Result>): Promise<ChargedAnswer>;
}

/** `unknown`: a fault that no retry mends; another process finds out. */
export type DeductionEnd = 'refunded' | 'settled' | 'unknown';

export type DeductionState = 'unknown' | 'open' | 'settled' | 'refunded';

/** What became of a deduction, read from the ledger; `since` bounds how far back its stream is read, but for the clocks' slack. */
export abstract class Deductions {
  abstract stateOf(tenantId: TenantId, deductionId: string, since: Date): Promise<DeductionState>;
}
