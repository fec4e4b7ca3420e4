import { type Capped, type CarriedSpending } from './key-caps.js';
import { type AuditAction, type AuditResult, type BillableOperation } from '../../kernel/contract.js';
import { type DomainEvent } from '../../kernel/decider.js';
import { type Envelope } from '../../kernel/envelope.js';
import { deriveUuid, type TenantId } from '../../kernel/ids.js';
import { type CreditPackage } from '../../kernel/pricing.js';

export const CREDITS_STREAM_PREFIX = 'credits-';

export const creditsStream = (tenantId: TenantId): string => `${CREDITS_STREAM_PREFIX}${tenantId}`;

/** Bought credits. `reference` is unique in the account, so repeated announcements of a purchase count once. */
export type CreditsPurchased = DomainEvent<
  'CreditsPurchased.v1',
  {
    readonly reference: string;
    readonly package: CreditPackage;
    readonly credits: number;
    readonly amountMinor: number;
    readonly currency: 'USD';
  }
>;

/** Credits given or taken by an operator, or granted to a new demo account. `amount` is signed. `reference` is unique. */
export type CreditsAdjusted = DomainEvent<
  'CreditsAdjusted.v1',
  {
    readonly reference: string;
    readonly amount: number;
    /** Free text, sealed under the tenant's key by the handler. Null if there is none. */
    readonly reason: Envelope | null;
  }
>;

/**
 * One charged look-up: deduction, settlement and audit entry in one event. The event's id is `chargeId`. `access` and
 * `record` are sealed at the place of this event, under the tenant's key.
 */
export type OperationCharged = DomainEvent<
  'OperationCharged.v1',
  {
    readonly chargeId: string;
    readonly operation: BillableOperation;
    readonly amount: number;
    /** Balance after the event, so that readers need no sum. */
    readonly balance: number;
    /** Present where the caller's key is capped. */
    readonly capped?: Capped;
    readonly requestId: string;
    readonly action: AuditAction;
    readonly result: AuditResult;
    readonly access: Envelope;
    /** As in an audit entry with its own event. */
    readonly subject?: string;
    /** The part of the look-up's outcome that later events need. Absent if they need nothing. */
    readonly record?: Envelope;
  }
>;

/** Reverses a charge or a settlement in full. Its request got a 5xx because it was not acknowledged in time. */
export type ChargeReversed = DomainEvent<
  'ChargeReversed.v1',
  {
    readonly chargeId: string;
    /** Revision of the charge or settlement in this stream. */
    readonly revision: number;
    /** Time of the charge or deduction, by its appender's clock. */
    readonly chargedAt: string;
    readonly operation: BillableOperation;
    readonly amount: number;
    /** The id of the key or token that the charge came with. */
    readonly chargedBy: string;
    /** As in the charge of a look-up. */
    readonly capped?: Capped;
    /** Balance after the event. */
    readonly balance: number;
  }
>;

/** Credits held for one charged request with an effect, until they are settled or refunded. */
export type CreditsDeducted = DomainEvent<
  'CreditsDeducted.v1',
  {
    readonly deductionId: string;
    readonly operation: BillableOperation;
    readonly amount: number;
    /** Present where the caller's key is capped. */
    readonly capped?: Capped;
    readonly requestId: string;
  }
>;

/**
 * The credits of a deduction are spent, since its effect has come about, or was refused. It is the audit entry of the
 * request, too. The event's id is `settlementIdOf`. `access` is sealed at the place of this event, under the tenant's key.
 */
export type DeductionSettled = DomainEvent<
  'DeductionSettled.v1',
  {
    readonly deductionId: string;
    readonly operation: BillableOperation;
    readonly amount: number;
    /** Time of the deduction, by its appender's clock. */
    readonly deductedAt: string;
    readonly requestId: string;
    readonly action: AuditAction;
    readonly result: AuditResult;
    readonly access: Envelope;
    /** As in an audit entry with its own event. */
    readonly subject?: string;
  }
>;

export type RefundReason = 'operation_failed' | 'deadline' | 'outcome_unknown' | 'abandoned';

/** Returns the deduction in full. Its effect is undone by whoever follows this event. */
export type DeductionRefunded = DomainEvent<
  'DeductionRefunded.v1',
  {
    readonly deductionId: string;
    readonly operation: BillableOperation;
    readonly amount: number;
    readonly reason: RefundReason;
  }
>;

/** Bought by an auto-recharge. `reference` is the purchase id of its request, and is unique in the account. */
export type CreditsRecharged = DomainEvent<'CreditsRecharged.v1', CreditsPurchased['data']>;

/** Takes from a purchase, in the same append, what the account owed from reversals. */
export type DebtPaid = DomainEvent<'DebtPaid.v1', { readonly reference: string; readonly amount: number }>;

export type ReversalCause = 'refund' | 'dispute';

/** The payment of a purchase was given back or is disputed. `reference` is unique. */
export type CreditsReversed = DomainEvent<
  'CreditsReversed.v1',
  {
    readonly reference: string;
    readonly purchaseReference: string;
    readonly cause: ReversalCause;
    /** Credits of the purchase. */
    readonly purchased: number;
    /** Credits of the purchase that this and earlier reversals claim. */
    readonly reversed: number;
    /** Credits that this reversal claims. */
    readonly credits: number;
    /** Those that the balance covered. The others are a debt. */
    readonly taken: number;
  }
>;

/** A dispute was won: its reversal is undone. `reference` is unique. */
export type CreditsRestored = DomainEvent<
  'CreditsRestored.v1',
  {
    readonly reference: string;
    readonly reversalReference: string;
    readonly purchaseReference: string;
    /** Credits that the reversal claimed. */
    readonly credits: number;
    /** Of these, the part that was still a debt and is owed no more. The others are added to the balance. */
    readonly debtCancelled: number;
  }
>;

/** The reference under which the credits of an answered operation come back. */
export const returnReferenceOf = (deductionId: string): string => `document:${deductionId}`;

/** The work of an answered operation failed later, so its credits come back. `reference` is unique. */
export type CreditsReturned = DomainEvent<
  'CreditsReturned.v1',
  {
    readonly reference: string;
    readonly deductionId: string;
    readonly operation: BillableOperation;
    readonly amount: number;
  }
>;

export type AutoRechargeConfigured = DomainEvent<
  'AutoRechargeConfigured.v1',
  {
    readonly enabled: boolean;
    /** Credits. A balance below it asks for a recharge. Null if it was never set. */
    readonly threshold: number | null;
    readonly package: CreditPackage | null;
    /** Most recharges on one UTC day. */
    readonly maxPerDay: number;
  }
>;

/** Asks for one payment. It is in flight until CreditsRecharged or AutoRechargeFailed names its `purchaseId`. */
export type AutoRechargeRequested = DomainEvent<
  'AutoRechargeRequested.v1',
  {
    readonly purchaseId: string;
    readonly package: CreditPackage;
    readonly currentBalance: number;
    readonly threshold: number;
    /** UTC day, YYYY-MM-DD, and the number of this request on it. */
    readonly day: string;
    readonly numberOfDay: number;
  }
>;

/** `refused`: an operator refused what was paid, since it does not fit what was asked for. */
export const RECHARGE_FAILURES = [
  'declined',
  'authentication_required',
  'no_payment_method',
  'expired',
  'refused',
] as const;

export type RechargeFailure = (typeof RECHARGE_FAILURES)[number];

export type AutoRechargeFailed = DomainEvent<
  'AutoRechargeFailed.v1',
  {
    readonly purchaseId: string;
    readonly reason: RechargeFailure;
    /** Failures in a row, with this one. */
    readonly failures: number;
    /** Whether auto-recharge goes on after it. */
    readonly enabled: boolean;
  }
>;

export type AutoRechargeSwitchedOff = DomainEvent<
  'AutoRechargeSwitchedOff.v1',
  { readonly reason: 'failures' | 'dispute' }
>;

export type AlertSeverity = 'warning' | 'critical' | 'depleted';

/** The balance reached an alert threshold. Stands in the same append as the event that lowered it. */
export type LowBalanceReached = DomainEvent<
  'LowBalanceReached.v1',
  {
    readonly currentBalance: number;
    /** Per cent of the balance after the last purchase or positive adjustment. */
    readonly percentage: number;
    /** The same in credits. */
    readonly threshold: number;
    readonly severity: AlertSeverity;
  }
>;

/** A cap kept a call from being made, for the first time on this UTC day. It moves no credits. */
export type KeyCapReached = DomainEvent<
  'KeyCapReached.v1',
  {
    /** The key whose cap it is: that of the call, or one that made it. */
    readonly keyId: string;
    /** The id under which the cap counts. */
    readonly countsAs: string;
    readonly creditsPerDay: number;
    /** Credits spent on the day so far. */
    readonly spent: number;
    /** YYYY-MM-DD. */
    readonly day: string;
  }
>;

/** The account's thresholds, from its own stream up to `accountRevision`. */
export type AlertThresholdsFollowed = DomainEvent<
  'AlertThresholdsFollowed.v1',
  { readonly percentages: readonly number[]; readonly accountRevision: number }
>;

/** Whether the account is suspended, from its own stream up to `accountRevision`. No recharge begins while it is. */
export type SuspensionFollowed = DomainEvent<
  'SuspensionFollowed.v1',
  { readonly suspended: boolean; readonly accountRevision: number }
>;

/** Reversals that an account remembers when it is carried forward. */
export interface CarriedReversals {
  /** Reversals of charges made before this time are left out. '' if none are left out. */
  readonly since: string;
  readonly charges: readonly { readonly chargeId: string; readonly chargedAt: string }[];
}

/** What a reference stood for, so that it counts once. `amount` is the credits announced with it, signed. */
export type Referenced = {
  readonly amount: number;
  /** Time of the first carry that held it, ISO 8601 in UTC. Null before. It is forgotten some time later. */
  readonly carriedAt: string | null;
} & (
  | { readonly kind: 'adjustment' | 'restoration' | 'return' }
  /** `reversed`: credits claimed back. */
  | { readonly kind: 'purchase'; readonly reversed: number }
  /** `debt`: the part that the balance did not cover. */
  | { readonly kind: 'reversal'; readonly purchaseReference: string; readonly debt: number; readonly restored: boolean }
);

/** The state of the low-balance alerts. */
export interface Alerts {
  /** Whole per cent of `base`, highest first. */
  readonly percentages: readonly number[];
  /** Balance after the last purchase or positive adjustment. */
  readonly base: number;
  /** The lowest percentage reached since. Above 100 if none. */
  readonly reached: number;
  /** Revision in the account's stream. -1 before the first. */
  readonly accountRevision: number;
}

/** The state of the auto-recharge. */
export interface AutoRecharge {
  readonly enabled: boolean;
  readonly threshold: number | null;
  readonly package: CreditPackage | null;
  readonly maxPerDay: number;
  /** Purchase id. Null if no payment is under way. */
  readonly inFlight: string | null;
  /** In a row. */
  readonly failures: number;
  /** All requests so far. */
  readonly requests: number;
  /** The UTC day of the last request, '' before the first, and the number of requests on it. */
  readonly day: string;
  readonly requestsOfDay: number;
  readonly suspended: boolean;
  /** Revision in the account's stream. -1 before the first. */
  readonly accountRevision: number;
}

/**
 * The whole account after every earlier event. The stream may be truncated below it. A reader that begins here
 * reaches the same state as one that begins at revision 0.
 */
export type BalanceCarriedForward = DomainEvent<
  'BalanceCarriedForward.v1',
  {
    /** The UTC month that begins with it, YYYY-MM. An account is carried forward once a month. */
    readonly period: string;
    readonly balance: number;
    readonly open: readonly {
      readonly deductionId: string;
      readonly operation: BillableOperation;
      readonly amount: number;
    }[];
    readonly references: readonly (Referenced & { readonly reference: string })[];
    /** Whether older references are left out, here or before. */
    readonly referencesForgotten: boolean;
    readonly reversals: CarriedReversals;
    /** Credits owed from reversals. */
    readonly debt: number;
    readonly alerts: Alerts;
    readonly recharge: AutoRecharge;
    readonly spending: CarriedSpending;
  }
>;

export type CreditEvent =
  | CreditsPurchased
  | CreditsRecharged
  | DebtPaid
  | CreditsReversed
  | CreditsRestored
  | CreditsAdjusted
  | OperationCharged
  | ChargeReversed
  | CreditsDeducted
  | DeductionSettled
  | DeductionRefunded
  | CreditsReturned
  | LowBalanceReached
  | KeyCapReached
  | AlertThresholdsFollowed
  | AutoRechargeConfigured
  | AutoRechargeRequested
  | AutoRechargeFailed
  | AutoRechargeSwitchedOff
  | SuspensionFollowed
  | BalanceCarriedForward;

const SETTLEMENT_NAMESPACE = 'f0b1a3a2-7d0c-4f4e-9d53-3f1d7c2f6f10';

/** The id of a deduction's settlement. The deduction's own id is that of the effect, whose first event has it. */
export const settlementIdOf = (deductionId: string): string => deriveUuid(SETTLEMENT_NAMESPACE, deductionId);
