import fc from 'fast-check';
import { type Charge, ChargesServer, type Dispute, type Refund } from '../support/payments/charges.js';
import { type ProviderEvent } from '../support/payments/provider.js';
import { altered, paymentsWorld } from '../support/payments/world.js';
import { runCommand } from '../support/service-command.js';
import { eventually } from '../support/stack.js';

const CREDITS = 1_000;
const PRICE = 12_000;

let charges: ChargesServer;
const world = paymentsWorld(async (api) => (charges = await ChargesServer.start(api)));

const deliver = async (events: readonly Pick<ProviderEvent, 'body'>[], http = world.one): Promise<void> => {
  for (const event of events) await world.taken(event, http);
};

const expectBalance = async (credits: number): Promise<void> => {
  let last = Number.NaN;
  await eventually(`${credits} credits`, async () => (last = await world.balance()) === credits, 10_000).catch(() =>
    expect([last, 'credits']).toEqual([credits, 'credits']),
  );
};

const bought = async (): Promise<Charge> => {
  const session = await world.completed();
  await deliver([session]);
  await expectBalance(CREDITS);
  return charges.charge(session);
};

const first = <Row>(rows: readonly Row[]): Row => rows[0] as Row;
const ofType = (events: readonly ProviderEvent[], type: string): ProviderEvent[] =>
  events.filter((event) => event.type === type);

describe('a refund that fails later', () => {
  it.each<[string, 'failed' | 'canceled', string]>([
    ['refund.failed', 'failed', 'refund.failed'],
    ['charge.refund.updated', 'failed', 'charge.refund.updated, as failed'],
    ['charge.refund.updated', 'canceled', 'charge.refund.updated, as canceled'],
    ['refund.updated', 'canceled', 'refund.updated'],
    ['charge.updated', 'failed', 'charge.updated, with less refunded'],
  ])('gives the credits back, once, by %s (%s, %s)', async (type, status) => {
    const charge = await bought();
    await deliver(charge.refund(PRICE / 2));
    await expectBalance(CREDITS / 2);
    const news = ofType(charge.endRefund(first(charge.refunds), status), type);
    expect(news).toHaveLength(1);
    await deliver(news);
    await expectBalance(CREDITS);
    await Promise.all([deliver(news), deliver(news, world.other)]);
    expect(await world.balance()).toBe(CREDITS);
  });

  it('takes nothing where the news that it failed comes first', async () => {
    const charge = await bought();
    const refunded = charge.refund(PRICE);
    const failed = charge.endRefund(first(charge.refunds), 'failed');
    await deliver([...failed, ...refunded, ...failed, ...refunded]);
    await expectBalance(CREDITS);
  });

  it('takes nothing where both are told before the payment', async () => {
    const session = await world.completed();
    const charge = charges.charge(session);
    const refunded = charge.refund(PRICE);
    const failed = charge.endRefund(first(charge.refunds), 'failed');
    await deliver([...refunded, ...failed, session, ...refunded]);
    await expectBalance(CREDITS);
  });

  it('is taken again by another refund of as much', async () => {
    const charge = await bought();
    await deliver(charge.refund(PRICE / 2));
    await expectBalance(CREDITS / 2);
    await deliver(charge.endRefund(first(charge.refunds), 'failed'));
    await expectBalance(CREDITS);
    const again = charge.refund(PRICE / 2);
    await deliver([...again, ...again]);
    await expectBalance(CREDITS / 2);
  });

  it('cancels the debt of what had been spent', async () => {
    const charge = await bought();
    await world.deployment.operator.adjust(world.tenant.tenantId, -900);
    await deliver(charge.refund(PRICE));
    await expectBalance(0);
    await deliver(charge.endRefund(first(charge.refunds), 'failed'));
    await expectBalance(100);
    await deliver([await world.completed()]);
    await expectBalance(100 + CREDITS);
  });

  it('leaves the other refunds as they are', async () => {
    const charge = await bought();
    await deliver([...charge.refund(PRICE / 4), ...charge.refund(PRICE / 2)]);
    await expectBalance(CREDITS / 4);
    await deliver(charge.endRefund(charge.refunds[1] as Refund, 'failed'));
    await expectBalance((3 * CREDITS) / 4);
  });

  it('is what npm run billing -- reconcile finds at the provider and in the ledger', async () => {
    const charge = await bought();
    await deliver(charge.refund(PRICE / 2));
    await expectBalance(CREDITS / 2);
    await deliver(charge.endRefund(first(charge.refunds), 'failed'));
    await expectBalance(CREDITS);
    const { output } = await runCommand(['billing', 'reconcile', '--since', '2026-01-01'], world.deployment.env);
    const { purchase: id } = (charge.row()['metadata'] ?? {}) as { purchase?: string };
    expect(id).toBeDefined();
    expect(output.split('\n').filter((line) => line.includes(String(id)))).toEqual([]);
  }, 60_000);
});

type Step = (charge: Charge) => ProviderEvent[];

/** The nth of those to which it may still happen. */
const nth = <Row>(rows: readonly Row[], at: number): Row | undefined => rows[at % Math.max(1, rows.length)];

/** Parts of the price that are whole credits, so that nothing depends on how shares are rounded. */
const part = fc.integer({ min: 1, max: 10 }).map((tenths) => (tenths * PRICE) / 10);

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.tuple(part, fc.constantFrom<Refund['status']>('pending', 'succeeded')).map(
    ([amount, status]): Step =>
      (charge) =>
        charge.refunded + amount <= PRICE ? charge.refund(amount, status) : [],
  ),
  fc
    .tuple(fc.nat(9), fc.constantFrom('succeeded' as const, 'failed' as const, 'canceled' as const))
    .map(([at, status]): Step => (charge) => {
      const running = charge.refunds.filter((refund) => refund.status === 'pending' || refund.status === 'succeeded');
      const refund: Refund | undefined = nth(running, at);
      return refund === undefined || (status === 'succeeded' && refund.status === 'succeeded')
        ? []
        : charge.endRefund(refund, status);
    }),
  part.map(
    (amount): Step =>
      (charge) =>
        charge.disputes.length < 2 ? charge.dispute(amount) : [],
  ),
  fc.tuple(fc.nat(9), fc.constantFrom('won' as const, 'lost' as const)).map(([at, status]): Step => (charge) => {
    const dispute: Dispute | undefined = nth(
      charge.disputes.filter((each) => each.status === 'needs_response'),
      at,
    );
    return dispute === undefined ? [] : charge.endDispute(dispute, status);
  }),
);

describe('refunds, failures, disputes, wins and losses', () => {
  it('end at what the provider’s state says, in whatever order and however often they are told', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 2, maxLength: 8 }),
        fc.infiniteStream(fc.nat(1_000)),
        async (steps, random) => {
          await world.newTenant();
          const session = await world.completed();
          const charge = charges.charge(session);
          const events = [session, ...steps.flatMap((take) => take(charge))];
          const order = (all: readonly ProviderEvent[]): ProviderEvent[] =>
            all
              .map((event) => [random.next().value ?? 0, event] as const)
              .sort(([left], [right]) => left - right)
              .map(([, event]) => event);
          // The first half of what is repeated reaches both instances at once.
          const shuffled = order([...events, ...events]);
          const half = shuffled.length / 2;
          await Promise.all([deliver(shuffled.slice(0, half)), deliver(shuffled.slice(half), world.other)]);
          const expected = CREDITS - (charge.lost * CREDITS) / PRICE;
          await expectBalance(expected);
          await deliver(order(events));
          await expectBalance(expected);
        },
      ),
      // Each try is a purchase, so a failure is told without looking for a smaller one.
      { numRuns: 12, endOnFailure: true },
    );
  }, 240_000);
});

describe('a share is of the charge’s own total, in its own currency', () => {
  /** A payment that was held since it differs from the checkout, and that an operator released. */
  const released = async (of: { readonly amount: number; readonly currency: string }): Promise<Charge> => {
    const session = await world.completed();
    const charge = charges.charge(session, of);
    const change = (_event: object, object: Record<string, unknown>): void => {
      object['amount_total'] = of.amount;
      object['currency'] = of.currency;
    };
    await deliver([altered(session, change)]);
    const held = await world.one.expect(200, { path: '/admin/payments/held', token: world.deployment.operator.token });
    const mine = (held.json['payments'] as Record<string, unknown>[]).find(
      ({ tenant_id }) => tenant_id === world.tenant.tenantId,
    );
    const path = `/admin/payments/held/${String(mine?.['purchase_id'])}/release`;
    await world.one.expect(200, { method: 'POST', path, token: world.deployment.operator.token });
    await expectBalance(CREDITS);
    return charge;
  };

  const EUR = { amount: 11_250, currency: 'eur' };

  it('so that all credits go back where a payment in euros is refunded in full', async () => {
    await deliver((await released(EUR)).refund(EUR.amount));
    await expectBalance(0);
  });

  it('so that half of the credits go back where half of the euros do', async () => {
    const charge = await released(EUR);
    await deliver(charge.refund(EUR.amount / 2));
    await expectBalance(CREDITS / 2);
    await deliver(charge.refund(EUR.amount / 2));
    await expectBalance(0);
  });

  it('also of yen, which have no smaller unit: a dispute of a tenth takes a tenth', async () => {
    const charge = await released({ amount: 18_000, currency: 'jpy' });
    await deliver(charge.dispute(1_800));
    await expectBalance(CREDITS - CREDITS / 10);
    await deliver(charge.endDispute(first(charge.disputes), 'won'));
    await expectBalance(CREDITS);
  });

  it('also where 1800 yen are the whole of it', async () => {
    const charge = await released({ amount: 1_800, currency: 'jpy' });
    await deliver(charge.refund(600));
    await expectBalance(667);
    await deliver(charge.dispute(1_200));
    await expectBalance(0);
  });

  it('also of dinars, which have a thousand of their smaller unit', async () => {
    const charge = await released({ amount: 36_840, currency: 'kwd' });
    await deliver(charge.refund(9_210));
    await expectBalance((3 * CREDITS) / 4);
  });

  it('also in dollars, where an operator let less pass than the price', async () => {
    const charge = await released({ amount: 6_000, currency: 'usd' });
    await deliver(charge.refund(6_000));
    await expectBalance(0);
  });

  it('also where the refund is told before the payment is released', async () => {
    const session = await world.completed();
    const charge = charges.charge(session, EUR);
    await deliver(charge.refund(EUR.amount / 2));
    const change = (_event: object, object: Record<string, unknown>): void => {
      object['amount_total'] = EUR.amount;
      object['currency'] = EUR.currency;
    };
    await deliver([altered(session, change)]);
    const { purchase: id } = (charge.row()['metadata'] ?? {}) as { purchase?: string };
    const path = `/admin/payments/held/${String(id)}/release`;
    await eventually(
      'the release',
      async () =>
        (await world.one.send({ method: 'POST', path, token: world.deployment.operator.token })).status === 200,
    );
    await expectBalance(CREDITS / 2);
  });
});

describe('a dispute that names its charge alone, as old versions told it', () => {
  it('takes the credits all the same', async () => {
    const charge = await bought();
    const [created] = charge.dispute();
    await deliver([
      altered(created as ProviderEvent, (event, object) => {
        event['api_version'] = '2019-02-11';
        Reflect.deleteProperty(object, 'payment_intent');
      }),
    ]);
    await expectBalance(0);
  });
});
