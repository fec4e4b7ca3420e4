import { Database } from '../../src/platform/postgres/database.js';
import { type Http } from '../support/load/http.js';
import { type ProviderEvent } from '../support/payments/provider.js';
import { altered, only, PAGES, paymentsWorld } from '../support/payments/world.js';
import { runCommand } from '../support/service-command.js';
import { eventually } from '../support/stack.js';

const world = paymentsWorld();

describe('refunds and disputes', () => {
  const chargeOf = (events: readonly ProviderEvent[]): string => {
    const { body } = only(events, 'payment_intent.succeeded');
    return (JSON.parse(body) as { data: { object: { latest_charge: string } } }).data.object.latest_charge;
  };

  it('take the credits back pro rata, once, in whatever order they are told', async () => {
    const events = await world.paid();
    await world.taken(only(events, 'checkout.session.completed'));
    const charge = chargeOf(events);
    const [half] = await world.provider.eventsOf(() => world.provider.act('refund_half', charge));
    await world.taken(half as ProviderEvent);
    expect(await world.balance()).toBe(500);
    const [whole] = await world.provider.eventsOf(() => world.provider.act('refund_half', charge));
    await Promise.all([
      world.taken(whole as ProviderEvent, world.one),
      world.taken(whole as ProviderEvent, world.other),
      world.taken(half as ProviderEvent),
    ]);
    await eventually('the second half', async () => (await world.balance()) === 0);
  });

  it('that fail later give the credits back', async () => {
    const events = await world.paid();
    await world.taken(only(events, 'checkout.session.completed'));
    const charge = chargeOf(events);
    const [refunded] = await world.provider.eventsOf(() => world.provider.act('refund', charge));
    await world.taken(refunded as ProviderEvent);
    const [failed] = await world.provider.eventsOf(() => world.provider.act('fail_refund', charge));
    await world.taken(failed as ProviderEvent);
    await eventually('the balance after the failure', async () => (await world.balance()) === 1_000);
  });

  it('of a payment that was not told of yet count when it is', async () => {
    const events = await world.paid();
    const [half] = await world.provider.eventsOf(() => world.provider.act('refund_half', chargeOf(events)));
    await world.taken(half as ProviderEvent);
    await world.taken(only(events, 'checkout.session.completed'));
    await eventually('the balance after the refund', async () => (await world.balance()) === 500);
  });

  it('give the credits back where a dispute is won, also where that is told first', async () => {
    const events = await world.paid('4000000000000259');
    await world.taken(only(events, 'checkout.session.completed'));
    const opened = only(events, 'charge.dispute.created');
    await world.taken(opened);
    await world.taken(opened, world.other);
    expect(await world.balance()).toBe(0);
    const { id } = (JSON.parse(opened.body) as { data: { object: { id: string } } }).data.object;
    const [won] = await world.provider.eventsOf(() => world.provider.act('win', id));
    await world.taken(won as ProviderEvent);
    await world.taken(won as ProviderEvent, world.other);
    await world.taken(opened);
    expect(await world.balance()).toBe(1_000);
    await world.newTenant();
    const later = await world.paid('4000000000000259');
    await world.taken(only(later, 'checkout.session.completed'));
    const created = only(later, 'charge.dispute.created');
    const dispute = (JSON.parse(created.body) as { data: { object: { id: string } } }).data.object.id;
    const [first] = await world.provider.eventsOf(() => world.provider.act('win', dispute));
    await world.taken(first as ProviderEvent);
    await world.taken(created);
    expect(await world.balance()).toBe(1_000);
  });
});

describe('a subscription', () => {
  const tierOn = async (http: Http): Promise<unknown> =>
    (await http.expect(200, { method: 'GET', path: '/billing/credits', apiKey: world.tenant.apiKey })).json['tier'];

  const subscribed = async (tier = 'growth'): Promise<ProviderEvent[]> => {
    const url = await world.open('subscription', { tier });
    return world.provider.eventsOf(() => world.provider.pay(url));
  };

  const portal = async (): Promise<string> => {
    const body = { return_url: PAGES.success_url };
    return (await world.one.expect(200, { path: '/billing/portal', apiKey: world.tenant.apiKey, body })).json[
      'portal_url'
    ] as string;
  };

  const asRead = async (http: Http, tier: string): Promise<void> => {
    await eventually(`the tier ${tier} within a second`, async () => (await tierOn(http)) === tier, 1_000);
  };

  it.each([
    ['checkout.session.completed', 'invoice.paid'],
    ['invoice.paid', 'checkout.session.completed'],
  ])('starts with whichever comes first: %s', async (first, second) => {
    const events = await subscribed();
    await world.taken(only(events, first));
    await asRead(world.one, 'growth');
    await asRead(world.other, 'growth');
    await Promise.all([
      world.taken(only(events, second), world.one),
      world.taken(only(events, first), world.other),
      world.taken(only(events, second), world.other),
    ]);
    expect(await tierOn(world.one)).toBe('growth');
    const again = await world.one.send({
      path: '/billing/checkout/subscription',
      apiKey: world.tenant.apiKey,
      body: { tier: 'starter', ...PAGES },
    });
    expect([again.status, again.code]).toEqual([409, 'CONFLICT']);
  });

  it('follows a change in the portal, and its end is final whatever is told later', async () => {
    const events = await subscribed('starter');
    await world.open('subscription', { tier: 'growth' });
    await world.taken(only(events, 'invoice.paid'));
    expect(await tierOn(world.one)).toBe('starter');
    const page = await portal();
    const price = /value="(change:[^"]+)"[^>]*>Change to Growth/.exec(await (await fetch(page)).text())?.[1] ?? '';
    const [changed] = await world.provider.eventsOf(() => world.provider.submit(page, { do: price }));
    await world.taken(changed as ProviderEvent);
    await asRead(world.other, 'growth');
    const [ended] = await world.provider.eventsOf(() => world.provider.submit(page, { do: 'cancel_now' }));
    await world.taken(ended as ProviderEvent, world.other);
    await asRead(world.one, 'starter');
    for (const late of [...events, changed as ProviderEvent]) await world.taken(late);
    expect(await tierOn(world.one)).toBe('starter');
    await asRead(world.other, 'starter');
  });

  /** Subscribes, then the period ends and the next payment fails. Returns the first invoice's news and those of the failure. */
  const unpaid = async (): Promise<{ readonly paid: ProviderEvent; readonly failed: ProviderEvent }> => {
    const events = await subscribed();
    for (const event of events) await world.taken(event);
    await world.provider.submit(await portal(), { do: 'card', card: '4000000000000341' });
    const paid = only(events, 'invoice.paid');
    const { id } = (JSON.parse(only(events, 'checkout.session.completed').body) as { data: { object: { id: string } } })
      .data.object;
    const subscription = world.provider.subscriptionOf(id);
    const due = await world.provider.eventsOf(() => world.provider.act('renew', subscription));
    return { paid, failed: only(due, 'invoice.payment_failed') };
  };

  const createdDaysAgo = (event: ProviderEvent, days: number) =>
    altered(event, (whole) => (whole['created'] = Math.floor(Date.now() / 1_000) - days * 86_400));

  it('that is past due keeps its tier for 7 days from when that is known, though news from before it comes late', async () => {
    const { paid } = await unpaid();
    const from = Date.now();
    await world.taken(createdDaysAgo(paid, 3));
    const events = await world.deployment.log.stream(`account-${world.tenant.tenantId}`);
    const due = events.find(({ type }) => type === 'SubscriptionPastDue.v1')?.data as { graceEnds: string } | undefined;
    expect(Date.parse(due?.graceEnds ?? '')).toBeGreaterThanOrEqual(from + 7 * 86_400_000);
    expect(await tierOn(world.one)).toBe('growth');
  });

  it('that is past due for more than 7 days lapses, which is an event', async () => {
    const { failed } = await unpaid();
    await world.taken(createdDaysAgo(failed, 8));
    await eventually('the tier after the grace', async () => (await tierOn(world.other)) === 'starter', 60_000);
    const events = await world.deployment.log.stream(`account-${world.tenant.tenantId}`);
    expect(events.at(-1)?.type).toBe('SubscriptionLapsed.v1');
  }, 90_000);

  it('of enterprise is agreed with sales', async () => {
    const answer = await world.one.send({
      path: '/billing/checkout/subscription',
      apiKey: world.tenant.apiKey,
      body: { tier: 'enterprise', ...PAGES },
    });
    expect([answer.status, answer.code]).toEqual([422, 'INVALID_FIELD']);
    expect(answer.text).toContain('sales@example.org');
  });

  it('that is a second one is held', async () => {
    const urls = [
      await world.open('subscription', { tier: 'growth' }),
      await world.open('subscription', { tier: 'growth' }),
    ];
    for (const url of urls)
      for (const event of await world.provider.eventsOf(() => world.provider.pay(url))) await world.taken(event);
    expect(await world.held()).toMatchObject([{ reason: 'second_subscription' }]);
  });
});

const RECONCILE = ['billing', 'reconcile', '--since', '2026-01-01'];

describe('npm run billing -- reconcile', () => {
  const reconciled = async (): Promise<{ readonly status: number | null; readonly lines: string[] }> => {
    const { status, output } = await runCommand(RECONCILE, world.deployment.env);
    return { status, lines: output.trim().split('\n') };
  };

  it('names a payment that the ledger was not told of, a refund, and a balance that its table has otherwise', async () => {
    const events = await world.paid();
    const session = only(events, 'checkout.session.completed');
    const { purchase } = (JSON.parse(session.body) as { data: { object: { metadata: { purchase: string } } } }).data
      .object.metadata;
    const reconciliation = await reconciled();
    expect(reconciliation.status).toBe(1);
    expect(reconciliation.lines.filter((line) => line.includes(purchase))).toEqual([
      expect.stringMatching(/paid at the provider, open in the ledger$/),
    ]);
    await world.taken(session);
    const intent = JSON.parse(only(events, 'payment_intent.succeeded').body) as {
      data: { object: { latest_charge: string } };
    };
    await world.provider.act('refund_half', intent.data.object.latest_charge);
    const database = new Database({ connectionString: world.deployment.databaseUrl });
    try {
      const tables = `SELECT quote_ident(table_schema) || '.balances' AS name FROM information_schema.tables
                      WHERE table_name = 'balances'`;
      /** Whether the account has a row with the former balance. */
      const change = async (former: number, balance: number): Promise<boolean> => {
        let isThere = false;
        for (const { name } of await database.query<{ name: string }>(tables)) {
          const text = `UPDATE ${name} SET balance = $1 WHERE tenant_id = $2 AND balance = $3 RETURNING 1`;
          isThere = (await database.query(text, [balance, world.tenant.tenantId, former])).length > 0 || isThere;
        }
        return isThere;
      };
      await eventually(
        'the row',
        async () => !(await reconciled()).lines.some((line) => line.includes(world.tenant.tenantId)),
      );
      // A payment is taken before its credits come, and they before their row.
      await eventually('the row with the credits', () => change(1_000, 999));
      const lines = await eventually(
        'the difference',
        async () => {
          // A later event of the account writes its row anew.
          await change(1_000, 999);
          const { lines: found } = await reconciled();
          if (found.includes(`account ${world.tenant.tenantId}: balance 1000 in the log, 999 in the table`))
            return found;
          throw new Error(found.join('\n'));
        },
        60_000,
      );
      expect(lines).toContain(`purchase ${purchase}: 6000 refunded at the provider, 0 in the ledger`);
      await change(999, 1_000);
    } finally {
      await database.close();
    }
  }, 180_000);
});
