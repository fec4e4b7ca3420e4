import { type TenantId } from '../kernel/ids.js';

/** A deduction that is open in the ledger projection. This is a hint, and the stream decides. */
export interface OpenDeductionHint {
  readonly tenantId: TenantId;
  readonly deductionId: string;
}

export abstract class OpenDeductions {
  /** Oldest first, at most `limit`. Throws Unavailable. */
  abstract find(limit: number): Promise<OpenDeductionHint[]>;
}

/** A charge or settlement to reverse if it ever appears in the log, since its request got a 5xx. */
export interface PendingReversal {
  readonly tenantId: TenantId;
  readonly chargeId: string;
  /** The charge is after this revision of the credit stream, or nowhere. */
  readonly afterRevision: bigint;
  /** The row of its keyed request (KeyedRequest.rowId). Null if the request had no key. */
  readonly keyedRow: string | null;
}

/** Reversals in progress, stored where every instance finds them. All methods throw Unavailable. */
export abstract class PendingReversals {
  abstract note(reversal: PendingReversal): Promise<void>;
  /** Reversals at least `ageMs` old, ordered by tenant and charge, starting after `after`. */
  abstract notedBefore(ageMs: number, limit: number, after?: PendingReversal): Promise<readonly PendingReversal[]>;
  abstract count(): Promise<number>;
  abstract remove(reversal: PendingReversal): Promise<void>;
}
