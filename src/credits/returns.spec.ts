import { aggregatesOf } from '../../test/support/aggregates.js';
import { metadata, settle as settlement } from '../../test/support/credit-account.js';
import { SimulatedEventStore } from '../../test/support/simulated-event-store.js';
import { systemClock } from '../kernel/clock.js';
import { newTenantId, newUuid } from '../kernel/ids.js';
import { isRejection } from '../kernel/rejection.js';
import { type Config } from '../platform/config/config.js';
import { CreditRepository } from './credit-repository.js';
import { ReturnCreditsHandler } from './credits.handler.js';
import {
  AdjustCredits,
  DeductCredits,
  RefundDeduction,
  ReturnCredits,
  ReverseCharge,
} from './domain/credits.commands.js';
import { type ForgottenReferences } from './forgotten-references.js';

const BUDGET = 10_000;

const begin = async () => {
  const [tenantId, deductionId] = [newTenantId(), newUuid()];
  const store = new SimulatedEventStore();
  const ledger = new CreditRepository(store, aggregatesOf(store), systemClock);
  const nothing: Pick<ForgottenReferences, 'find'> = { find: () => Promise.resolve(new Map()) };
  const timing: Pick<Config['timing'], 'storeBudget'> = { storeBudget: BUDGET };
  const handler = new ReturnCreditsHandler(ledger, nothing as ForgottenReferences, { timing } as Config);
  await ledger.execute(new AdjustCredits(tenantId, { reference: 'a', amount: 10, reason: null }, metadata), BUDGET);
  const deduction = { deductionId, operation: 'report', amount: 5, requestId: 'r' } as const;
  await ledger.execute(new DeductCredits(tenantId, deduction, metadata), BUDGET);
  const giveBack = async (id = deductionId): Promise<number> => {
    const data = { deductionId: id, operation: 'report', amount: 5 } as const;
    return (await handler.execute(new ReturnCredits(tenantId, data, metadata))).state.balance;
  };
  const settle = () => ledger.execute(settlement(deductionId, 5, tenantId), BUDGET);
  const refund = () =>
    ledger.execute(new RefundDeduction(tenantId, { deductionId, reason: 'operation_failed' }, metadata), BUDGET);
  const reverse = () =>
    ledger.execute(
      new ReverseCharge(
        tenantId,
        {
          chargeId: deductionId,
          revision: 2,
          chargedAt: new Date().toISOString(),
          operation: 'report',
          amount: 5,
          chargedBy: 'key',
        },
        metadata,
      ),
      BUDGET,
    );
  return { giveBack, settle, refund, reverse };
};

describe('giving back the credits of an operation that failed after its answer', () => {
  it('happens once', async () => {
    const { giveBack, settle } = await begin();
    await settle();
    expect([await giveBack(), await giveBack()]).toEqual([10, 10]);
  });
  it('adds nothing to a refund, before or after', async () => {
    const [first, second] = [await begin(), await begin()];
    await first.refund();
    expect(await first.giveBack()).toBe(10);
    expect(await second.giveBack()).toBe(10);
    expect((await second.refund()).state.balance).toBe(10);
    expect((await second.settle()).state.balance).toBe(10);
  });
  it('adds nothing to the reversal of its settlement, before or after', async () => {
    const [first, second] = [await begin(), await begin()];
    await first.settle();
    await first.reverse();
    expect(await first.giveBack()).toBe(10);
    await second.settle();
    expect(await second.giveBack()).toBe(10);
    expect((await second.reverse()).state.balance).toBe(10);
  });
  it('is refused for a deduction that never was', async () => {
    const { giveBack } = await begin();
    const refused = await giveBack(newUuid()).catch((error: unknown) => error);
    expect(isRejection(refused, 'not_found')).toBe(true);
  });
});
