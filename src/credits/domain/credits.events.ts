import { type AuditAction, type AuditResult } from '../../kernel/access.js';
import { type DomainEvent } from '../../kernel/decider.js';
import { type Envelope } from '../../kernel/envelope.js';
import { type TenantId } from '../../kernel/ids.js';
import { type BillableOperation } from '../../kernel/operations.js';
import { type CreditPackage } from '../../kernel/pricing.js';

export const CREDITS_STREAM_PREFIX = 'credits-';

export const creditsStream = (tenantId: TenantId): string => `${CREDITS_STREAM_PREFIX}${tenantId}`;

/** Credits bought; `reference` is unique in the account, so that a purchase counts once however it is announced. */
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

/** Credits given or taken by an operator, or granted to a new demo account; `amount` is signed, `reference` unique. */
export type CreditsAdjusted = DomainEvent<
  'CreditsAdjusted.v1',
  {
    readonly reference: string;
    readonly amount: number;
    /** Free text, sealed under the tenant's key by the handler; null where there is none. */
    readonly reason: Envelope | null;
  }
>;

/**
 * One charged look-up: deduction, settlement and audit entry at once. The event's id is `chargeId`. `access` and `record` are
 * sealed at the place of this event, under the tenant's key.
 */
export type OperationCharged = DomainEvent<
  'OperationCharged.v1',
  {
    readonly chargeId: string;
    readonly operation: BillableOperation;
    readonly amount: number;
    /** After it, so that readers need not add up. */
    readonly balance: number;
    readonly requestId: string;
    readonly action: AuditAction;
    readonly result: AuditResult;
    readonly access: Envelope;
    /** What later events need of the look-up's outcome; absent where they need nothing. */
    readonly record?: Envelope;
  }
>;

/** The charged request was answered 5xx, since its charge was not acknowledged in time: it is undone in full. */
export type ChargeReversed = DomainEvent<
  'ChargeReversed.v1',
  {
    readonly chargeId: string;
    /** Of the charge, in this stream. */
    readonly revision: number;
    /** When the charge was made, by its appender's clock. */
    readonly chargedAt: string;
    readonly operation: BillableOperation;
    readonly amount: number;
    /** After it. */
    readonly balance: number;
  }
>;

/** Credits held for one charged request with an effect, until it is settled or refunded. */
export type CreditsDeducted = DomainEvent<
  'CreditsDeducted.v1',
  {
    readonly deductionId: string;
    readonly operation: BillableOperation;
    readonly amount: number;
    readonly requestId: string;
  }
>;

/** The requests of these deductions were answered: the credits are spent. */
export type DeductionsSettled = DomainEvent<'DeductionsSettled.v1', { readonly deductionIds: readonly string[] }>;

export type RefundReason = 'operation_failed' | 'deadline' | 'outcome_unknown' | 'abandoned';

/** The deduction is undone in full. */
export type DeductionRefunded = DomainEvent<
  'DeductionRefunded.v1',
  { readonly deductionId: string; readonly amount: number; readonly reason: RefundReason }
>;

/** Reversals that an account remembers when it is carried forward. */
export interface CarriedReversals {
  /** Reversals of charges made before this time are left out; '' where none is. */
  readonly since: string;
  readonly charges: readonly { readonly chargeId: string; readonly chargedAt: string }[];
}

/**
 * The whole account as it stands after every earlier event: what a stream may be truncated below. A reader that begins
 * here comes to the same state as one that began at revision 0.
 */
export type BalanceCarriedForward = DomainEvent<
  'BalanceCarriedForward.v1',
  {
    /** The UTC month that begins with it, YYYY-MM: an account is carried forward once a month. */
    readonly period: string;
    readonly balance: number;
    readonly open: readonly {
      readonly deductionId: string;
      readonly operation: BillableOperation;
      readonly amount: number;
    }[];
    /** Of every purchase and adjustment there has been, so that none counts again; `amount` is what it moved. */
    readonly references: readonly { readonly reference: string; readonly amount: number }[];
    /** Absent in events of releases that kept all of them, as references `reversal:<chargeId>`. */
    readonly reversals?: CarriedReversals;
  }
>;

export type CreditEvent =
  | CreditsPurchased
  | CreditsAdjusted
  | OperationCharged
  | ChargeReversed
  | CreditsDeducted
  | DeductionsSettled
  | DeductionRefunded
  | BalanceCarriedForward;
