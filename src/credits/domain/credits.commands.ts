import { type Caps } from '../../kernel/charging.js';
import { type Capped } from './key-caps.js';
import { type AuditAction, type AuditResult, type BillableOperation } from '../../kernel/contract.js';
import { type Envelope } from '../../kernel/envelope.js';
import { type CommandMetadata } from '../../kernel/events.js';
import { type TenantId } from '../../kernel/ids.js';
import { type CreditPackage } from '../../kernel/pricing.js';
import {
  settlementIdOf,
  type DeductionSettled,
  type RechargeFailure,
  type Referenced,
  type RefundReason,
} from './credits.events.js';

/**
 * What a search of the transactions found of references that the account may have forgotten. It holds as long as the
 * account is not carried forward again.
 */
export interface OlderReferences {
  /** The account's `carriedFor` at the search. */
  readonly searchedIn: string | null;
  readonly found: ReadonlyMap<string, Referenced>;
}

/** A paid purchase. Repeated announcements count once. A debt is paid first. */
export class PurchaseCredits {
  readonly type = 'PurchaseCredits';
  constructor(
    readonly tenantId: TenantId,
    readonly data: {
      /** An auto-recharge has the purchase id of its request. */
      readonly reference: string;
      readonly package: CreditPackage;
      readonly credits: number;
      readonly amountMinor: number;
      readonly origin: 'checkout' | 'auto_recharge';
    },
    readonly metadata: CommandMetadata,
    readonly older?: OlderReferences | undefined,
  ) {}
}

/**
 * Takes credits of a purchase back, down to a balance of zero. The rest is a debt. Counts once by its reference, and
 * never more than the purchase brought. Refused as not_found if the purchase is not known (yet).
 */
export class ReverseCredits {
  readonly type = 'ReverseCredits';
  constructor(
    readonly tenantId: TenantId,
    readonly data: {
      readonly reference: string;
      readonly purchaseReference: string;
      readonly credits: number;
      /** Switches auto-recharge off. */
      readonly dispute?: boolean;
    },
    readonly metadata: CommandMetadata,
    readonly older?: OlderReferences | undefined,
  ) {}
}

/** Undoes a reversal, once. Refused as not_found if the reversal is not known (yet). */
export class RestoreCredits {
  readonly type = 'RestoreCredits';
  constructor(
    readonly tenantId: TenantId,
    readonly data: { readonly reference: string; readonly reversalReference: string },
    readonly metadata: CommandMetadata,
    readonly older?: OlderReferences | undefined,
  ) {}
}

/** Gives back the credits of an operation that was answered and failed later. Counts once a deduction. */
export class ReturnCredits {
  readonly type = 'ReturnCredits';
  constructor(
    readonly tenantId: TenantId,
    readonly data: {
      readonly deductionId: string;
      readonly operation: BillableOperation;
      readonly amount: number;
      /** The account's `carriedFor` at the start of a search of its stream that found the deduction settled. */
      readonly settledIn?: string | null;
    },
    readonly metadata: CommandMetadata,
    readonly older?: OlderReferences | undefined,
  ) {}
}

export class AdjustCredits {
  readonly type = 'AdjustCredits';
  constructor(
    readonly tenantId: TenantId,
    readonly data: { readonly reference: string; readonly amount: number; readonly reason: Envelope | null },
    readonly metadata: CommandMetadata,
    /** The caller sets it if something in the event is bound to the event's id. */
    readonly eventId?: string,
    readonly older?: OlderReferences | undefined,
  ) {}
}

export class ConfigureAutoRecharge {
  readonly type = 'ConfigureAutoRecharge';
  constructor(
    readonly tenantId: TenantId,
    /** What is absent stays as it is. Enabled, it needs a threshold and a package. */
    readonly data: {
      readonly enabled: boolean;
      /** From 1 to the package's credits. */
      readonly threshold?: number;
      readonly package?: CreditPackage;
      readonly maxPerDay?: number;
    },
    readonly metadata: CommandMetadata,
  ) {}
}

/** The payment of a recharge in flight failed for good. The third failure in a row switches auto-recharge off. */
export class FailAutoRecharge {
  readonly type = 'FailAutoRecharge';
  constructor(
    readonly tenantId: TenantId,
    readonly data: { readonly purchaseId: string; readonly reason: RechargeFailure },
    readonly metadata: CommandMetadata,
  ) {}
}

/** Asks for a recharge if one is due. For an account that has no deductions meanwhile. */
export class ReviewAutoRecharge {
  readonly type = 'ReviewAutoRecharge';
  constructor(
    readonly tenantId: TenantId,
    readonly metadata: CommandMetadata,
  ) {}
}

/** Takes over the account's alert thresholds. Older revisions of the account's stream change nothing. */
export class SetAlertThresholds {
  readonly type = 'SetAlertThresholds';
  constructor(
    readonly tenantId: TenantId,
    /** Whole per cent, highest first. */
    readonly data: { readonly percentages: readonly number[]; readonly accountRevision: number },
    readonly metadata: CommandMetadata,
  ) {}
}

/** Takes over whether the account is suspended. Older revisions of the account's stream change nothing. */
export class FollowSuspension {
  readonly type = 'FollowSuspension';
  constructor(
    readonly tenantId: TenantId,
    readonly data: { readonly suspended: boolean; readonly accountRevision: number },
    readonly metadata: CommandMetadata,
  ) {}
}

/** Charges a look-up whose outcome is known and not yet disclosed. */
export class ChargeOperation {
  readonly type = 'ChargeOperation';
  readonly eventId: string;
  constructor(
    readonly tenantId: TenantId,
    readonly data: {
      readonly chargeId: string;
      readonly operation: BillableOperation;
      readonly amount: number;
      readonly requestId: string;
      readonly action: AuditAction;
      readonly result: AuditResult;
      readonly access: Envelope;
      readonly subject?: string;
      readonly record?: Envelope;
      readonly caps?: Caps;
    },
    readonly metadata: CommandMetadata,
  ) {
    this.eventId = data.chargeId;
  }
}

/** Reverses a charge that is in the log although its request got a 5xx. */
export class ReverseCharge {
  readonly type = 'ReverseCharge';
  constructor(
    readonly tenantId: TenantId,
    readonly data: {
      readonly chargeId: string;
      readonly revision: number;
      readonly chargedAt: string;
      /** The account's `carriedFor` at the start of a search of its stream that found that nothing came back. */
      readonly searchedIn?: string | null;
      readonly operation: BillableOperation;
      readonly amount: number;
      readonly chargedBy: string;
      readonly capped?: Capped;
    },
    readonly metadata: CommandMetadata,
  ) {}
}

/** Changes nothing. Refused if a cap or the balance in the log does not cover the amount. */
export class ConfirmFunds {
  readonly type = 'ConfirmFunds';
  constructor(
    readonly tenantId: TenantId,
    readonly data: { readonly amount: number; readonly caps?: Caps },
    readonly metadata: CommandMetadata,
  ) {}
}

/** Announces a cap that refused such a call, once a key and day. */
export class AnnounceKeyCap {
  readonly type = 'AnnounceKeyCap';
  constructor(
    readonly tenantId: TenantId,
    readonly data: { readonly amount: number; readonly caps?: Caps },
    readonly metadata: CommandMetadata,
  ) {}
}

export class DeductCredits {
  readonly type = 'DeductCredits';
  constructor(
    readonly tenantId: TenantId,
    readonly data: {
      readonly deductionId: string;
      readonly operation: BillableOperation;
      readonly amount: number;
      readonly requestId: string;
      readonly caps?: Caps;
    },
    readonly metadata: CommandMetadata,
  ) {}
}

/** Spends a deduction, and records the access. Changes nothing where it is not open any more. */
export class SettleDeduction {
  readonly type = 'SettleDeduction';
  readonly eventId: string;
  constructor(
    readonly tenantId: TenantId,
    readonly data: DeductionSettled['data'],
    readonly metadata: CommandMetadata,
  ) {
    this.eventId = settlementIdOf(data.deductionId);
  }
}

export class RefundDeduction {
  readonly type = 'RefundDeduction';
  constructor(
    readonly tenantId: TenantId,
    readonly data: { readonly deductionId: string; readonly reason: RefundReason },
    readonly metadata: CommandMetadata,
  ) {}
}

/** Writes the whole account as one event, once a month, so that the stream can be truncated below it. */
export class CarryBalanceForward {
  readonly type = 'CarryBalanceForward';
  constructor(
    readonly tenantId: TenantId,
    /** The UTC month, YYYY-MM, and the time of the carry, ISO 8601 in UTC. */
    readonly data: { readonly period: string; readonly time: string },
    readonly metadata: CommandMetadata,
  ) {}
}

/** Changes nothing. It returns once the state is known to be current. Balances are read this way. */
export class ConfirmState {
  readonly type = 'ConfirmState';
  constructor(
    readonly tenantId: TenantId,
    readonly metadata: CommandMetadata,
  ) {}
}

/** Counts once by its reference. */
export type ReferencedCommand = PurchaseCredits | ReverseCredits | RestoreCredits | ReturnCredits | AdjustCredits;

export type CreditCommand =
  | ReferencedCommand
  | ConfigureAutoRecharge
  | FailAutoRecharge
  | ReviewAutoRecharge
  | SetAlertThresholds
  | FollowSuspension
  | ChargeOperation
  | ReverseCharge
  | ConfirmFunds
  | AnnounceKeyCap
  | DeductCredits
  | SettleDeduction
  | RefundDeduction
  | CarryBalanceForward
  | ConfirmState;

/** A command with the present UTC day, YYYY-MM-DD, on which recharges are counted. */
export type DatedCommand = CreditCommand & { readonly today: string };
