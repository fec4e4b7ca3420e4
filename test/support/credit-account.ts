import { type Decider } from '../../src/kernel/decider.js';
import { type CommandMetadata } from '../../src/kernel/events.js';
import { type TenantId } from '../../src/kernel/ids.js';
import {
  AdjustCredits,
  CarryBalanceForward,
  ChargeOperation,
  type CreditCommand,
  DeductCredits,
  PurchaseCredits,
  RefundDeduction,
  ReverseCharge,
  SettleDeduction,
} from '../../src/credits/domain/credits.commands.js';
import { newAlerts } from '../../src/credits/domain/alerts.js';
import { newAutoRecharge } from '../../src/credits/domain/auto-recharge.js';
import { type BalanceCarriedForward, type CreditEvent } from '../../src/credits/domain/credits.events.js';
import { type CreditAccount } from '../../src/credits/domain/credit-account.js';
import { creditAccount } from '../../src/credits/domain/credits.js';
import { givenFor, stateAfter } from './given.js';

export const tenant = 't01hzzzzzzzzzzzzzzzzzzzzzzz' as TenantId;
export const metadata: CommandMetadata = { requestId: 'r', actor: { type: 'system', id: 'spec' } };

export const purchase = (reference: string, credits: number): PurchaseCredits =>
  new PurchaseCredits(
    tenant,
    { reference, package: 'small', credits, amountMinor: 12_000, origin: 'checkout' },
    metadata,
  );
export const adjust = (reference: string, amount: number): AdjustCredits =>
  new AdjustCredits(tenant, { reference, amount, reason: null }, metadata);
export const deduct = (deductionId: string, amount: number): DeductCredits =>
  new DeductCredits(tenant, { deductionId, operation: 'check_eligibility', amount, requestId: 'r' }, metadata);
export const refund = (deductionId: string): RefundDeduction =>
  new RefundDeduction(tenant, { deductionId, reason: 'operation_failed' }, metadata);

export const access = { v: 1, alg: 'A256GCM', key: 'k', iv: 'i', ct: 'c' } as const;
const entry = { operation: 'check_eligibility', action: 'eligibility_check', result: 'found', access } as const;
export const charge = (chargeId: string, amount: number): ChargeOperation =>
  new ChargeOperation(tenant, { chargeId, amount, requestId: 'r', ...entry }, metadata);
const chargeOrigin = {
  revision: 3,
  chargedAt: '2026-11-27T00:00:00.000Z',
  operation: 'check_eligibility',
  chargedBy: 'key',
} as const;
type ReversalOverrides = Partial<Pick<ReverseCharge['data'], 'chargedAt' | 'searchedIn'>>;
export const reverse = (chargeId: string, amount: number, at: ReversalOverrides = {}): ReverseCharge =>
  new ReverseCharge(tenant, { chargeId, amount, ...chargeOrigin, ...at }, metadata);

const settlement = (deductionId: string, amount: number) => ({
  ...{ deductionId, amount, requestId: 'r', deductedAt: '2026-11-27T00:00:00.000Z' },
  ...entry,
});
export const settle = (deductionId: string, amount = 1, of = tenant): SettleDeduction =>
  new SettleDeduction(of, settlement(deductionId, amount), metadata);

export const charged = (chargeId: string, amount: number, balance: number): CreditEvent => ({
  type: 'OperationCharged.v1',
  data: { chargeId, amount, balance, requestId: 'r', ...entry },
});
export const reversed = (
  chargeId: string,
  amount: number,
  balance: number,
  at: ReversalOverrides = {},
): CreditEvent => ({
  type: 'ChargeReversed.v1',
  data: { chargeId, amount, balance, ...chargeOrigin, ...at },
});
export const purchased = (reference: string, credits: number): CreditEvent => ({
  type: 'CreditsPurchased.v1',
  data: { reference, package: 'small', credits, amountMinor: 12_000, currency: 'USD' },
});
export const adjusted = (reference: string, amount: number): CreditEvent => ({
  type: 'CreditsAdjusted.v1',
  data: { reference, amount, reason: null },
});
export const deducted = (deductionId: string, amount: number): CreditEvent => ({
  type: 'CreditsDeducted.v1',
  data: { deductionId, operation: 'check_eligibility', amount, requestId: 'r' },
});
export const settled = (deductionId: string, amount = 1): CreditEvent => ({
  type: 'DeductionSettled.v1',
  data: settlement(deductionId, amount),
});
export const refunded = (deductionId: string, amount: number): CreditEvent => ({
  type: 'DeductionRefunded.v1',
  data: { deductionId, operation: 'check_eligibility', amount, reason: 'operation_failed' },
});

/** The account as it is carried forward, with nothing but a balance and open deductions. */
export const carriedForward = (
  period: string,
  balance: number,
  open: BalanceCarriedForward['data']['open'],
): BalanceCarriedForward => ({
  type: 'BalanceCarriedForward.v1',
  data: {
    spending: { day: '', keys: [], deductions: [] },
    ...{ period, balance, open, references: [], referencesForgotten: false, debt: 0 },
    reversals: { since: '', charges: [] },
    alerts: { ...newAlerts(), base: balance },
    recharge: newAutoRecharge(),
  },
});

export const accountAfter = (events: readonly CreditEvent[]): CreditAccount => stateAfter(creditAccount, events);

/** Carries the balance forward, by default at the beginning of the month. */
export const carry = (period: string, time = `${period}-01T00:00:00.000Z`): CarryBalanceForward =>
  new CarryBalanceForward(tenant, { period, time }, metadata);

export const TODAY = '2026-11-27';

/** The account's rules on one day. */
export const rules: Decider<CreditAccount, CreditCommand, CreditEvent> = {
  ...creditAccount,
  decide: (command, account) => creditAccount.decide({ ...command, today: TODAY }, account),
};

export const given = givenFor(rules);
