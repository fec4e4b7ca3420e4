import { type AuditAction, type AuditResult } from '../../kernel/access.js';
import { type DomainEvent } from '../../kernel/decider.js';
import { type Envelope } from '../../kernel/envelope.js';
import { type TenantId } from '../../kernel/ids.js';
import { type BillableOperation } from '../../kernel/operations.js';
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
    readonly requestId: string;
    readonly action: AuditAction;
    readonly result: AuditResult;
    readonly access: Envelope;
    /** The part of the look-up's outcome that later events need. Absent if they need nothing. */
    readonly record?: Envelope;
  }
>;

/** Reverses a charge in full. Its request got a 5xx because the charge was not acknowledged in time. */
export type ChargeReversed = DomainEvent<
  'ChargeReversed.v1',
  {
    readonly chargeId: string;
    /** Revision of the charge in this stream. */
    readonly revision: number;
    /** Time of the charge, by its appender's clock. */
    readonly chargedAt: string;
    readonly operation: BillableOperation;
    readonly amount: number;
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
    readonly requestId: string;
  }
>;

/** The requests of these deductions got their responses, so the credits are spent. */
export type DeductionsSettled = DomainEvent<'DeductionsSettled.v1', { readonly deductionIds: readonly string[] }>;

export type RefundReason = 'operation_failed' | 'deadline' | 'outcome_unknown' | 'abandoned';

/** Returns the deduction in full. */
export type DeductionRefunded = DomainEvent<
  'DeductionRefunded.v1',
  { readonly deductionId: string; readonly amount: number; readonly reason: RefundReason }
>;

/** Reversals that an account remembers when it is carried forward. */
export interface CarriedReversals {
  /** Reversals of charges made before this time are left out. '' if none are left out. */
  readonly since: string;
  readonly charges: readonly { readonly chargeId: string; readonly chargedAt: string }[];
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
    /**
     * References of all purchases and adjustments so far, so that none counts again. `amount` is the change of the
     * balance.
     */
    readonly references: readonly { readonly reference: string; readonly amount: number }[];
    /** Absent in events of older releases. Those kept all reversals, as references `reversal:<chargeId>`. */
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
