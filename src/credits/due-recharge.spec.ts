import { aggregatesOf } from '../../test/support/aggregates.js';
import { adjust, metadata, tenant } from '../../test/support/credit-account.js';
import { ManualClock } from '../../test/support/manual-clock.js';
import { eventually } from '../../test/support/processes.js';
import { SimulatedEventStore } from '../../test/support/simulated-event-store.js';
import { type Config } from '../platform/config/config.js';
import { CreditRepository } from './credit-repository.js';
import { SpendingHandler } from './credits.handler.js';
import { ConfigureAutoRecharge, ConfirmFunds, FailAutoRecharge, PurchaseCredits } from './domain/credits.commands.js';

const BUDGET = 10_000;

describe('an account without credits, whose recharges of the day are used up', () => {
  it('is recharged on the next day, by the first request that it has to refuse', async () => {
    const clock = new ManualClock();
    const store = new SimulatedEventStore();
    const ledger = new CreditRepository(store, aggregatesOf(store), clock);
    const timing: Pick<Config['timing'], 'storeBudget'> = { storeBudget: BUDGET };
    const handler = new SpendingHandler(ledger, { timing } as Config);
    const refused = () =>
      expect(handler.execute(new ConfirmFunds(tenant, { amount: 1 }, metadata))).rejects.toThrow('credits_depleted');
    const inFlight = () => ledger.known(tenant)?.recharge.inFlight ?? null;

    const setting = { enabled: true, threshold: 5, package: 'small', maxPerDay: 1 } as const;
    const { state } = await ledger.execute(new ConfigureAutoRecharge(tenant, setting, metadata), BUDGET);
    const bought = { package: 'small', credits: 7, amountMinor: 1, origin: 'auto_recharge' } as const;
    const paid = new PurchaseCredits(tenant, { reference: state.recharge.inFlight ?? '', ...bought }, metadata);
    await ledger.execute(paid, BUDGET);
    await ledger.execute(adjust('spent', -7), BUDGET);
    await refused();
    expect(inFlight()).toBeNull();
    clock.advance(86_400_000);
    await refused();
    await eventually('the request', () => inFlight() !== null);
    await ledger.execute(
      new FailAutoRecharge(tenant, { purchaseId: inFlight() ?? '', reason: 'declined' }, metadata),
      BUDGET,
    );
    expect(inFlight()).toBeNull();
  });
});
