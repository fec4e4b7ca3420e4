import { type TenantId } from '../kernel/ids.js';

/** A deduction that the ledger projection shows as open: a hint, the stream decides. */
export interface OpenDeductionHint {
  readonly tenantId: TenantId;
  readonly deductionId: string;
}

export abstract class OpenDeductions {
  /** Oldest first, at most `limit`. Throws Unavailable. */
  abstract find(limit: number): Promise<OpenDeductionHint[]>;
}

export interface PendingRefund {
  readonly tenantId: TenantId;
  readonly deductionId: string;
}

/** Duties to refund that could not be carried out at once, kept where every instance finds them. All throw Unavailable. */
export abstract class PendingRefunds {
  abstract note(refund: PendingRefund): Promise<void>;
  /** Which of these are noted. */
  abstract noted(tenantId: TenantId, deductionIds: readonly string[]): Promise<Set<string>>;
  /** Noted at least so long ago, ordered by tenant and deduction, from behind `after` on. */
  abstract notedBefore(ageMs: number, limit: number, after?: PendingRefund): Promise<readonly PendingRefund[]>;
  abstract complete(refund: PendingRefund): Promise<void>;
}

/** A charge that is to be reversed if it ever lands, since its request was answered 5xx. */
export interface PendingReversal {
  readonly tenantId: TenantId;
  readonly chargeId: string;
  /** It stands behind this revision of the credit stream, or nowhere. */
  readonly afterRevision: bigint;
  /** The row of its keyed request (KeyedRequest.rowId); null where it had no key. */
  readonly keyedRow: string | null;
}

/** Reversals under way, kept where every instance finds them. All throw Unavailable. */
export abstract class PendingReversals {
  abstract note(reversal: PendingReversal): Promise<void>;
  /** Noted at least so long ago, ordered by tenant and charge, from behind `after` on. */
  abstract notedBefore(ageMs: number, limit: number, after?: PendingReversal): Promise<readonly PendingReversal[]>;
  abstract remove(reversal: PendingReversal): Promise<void>;
}
