import { type AuditAction, type AuditResult } from '../../kernel/access.js';
import { type Envelope } from '../../kernel/envelope.js';
import { type CommandMetadata } from '../../kernel/events.js';
import { type TenantId } from '../../kernel/ids.js';
import { type BillableOperation } from '../../kernel/operations.js';
import { type CreditPackage } from '../../kernel/pricing.js';
import { type RefundReason } from './credits.events.js';

export class PurchaseCredits {
  readonly type = 'PurchaseCredits';
  constructor(
    readonly tenantId: TenantId,
    readonly data: {
      readonly reference: string;
      readonly package: CreditPackage;
      readonly credits: number;
      readonly amountMinor: number;
    },
    readonly metadata: CommandMetadata,
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
      readonly record?: Envelope;
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
      /** The account's `carriedFor` at the start of a search of its stream that found no reversal. */
      readonly searchedIn?: string | null;
      readonly operation: BillableOperation;
      readonly amount: number;
    },
    readonly metadata: CommandMetadata,
  ) {}
}

/** Changes nothing. Refused if the balance in the log does not cover the amount. */
export class ConfirmFunds {
  readonly type = 'ConfirmFunds';
  constructor(
    readonly tenantId: TenantId,
    readonly data: { readonly amount: number },
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
    },
    readonly metadata: CommandMetadata,
  ) {}
}

export class SettleDeductions {
  readonly type = 'SettleDeductions';
  constructor(
    readonly tenantId: TenantId,
    readonly data: { readonly deductionIds: readonly string[] },
    readonly metadata: CommandMetadata,
  ) {}
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

export type CreditCommand =
  | PurchaseCredits
  | AdjustCredits
  | ChargeOperation
  | ReverseCharge
  | ConfirmFunds
  | DeductCredits
  | SettleDeductions
  | RefundDeduction
  | CarryBalanceForward
  | ConfirmState;
