import { randomUUID } from 'node:crypto';
import { type Answer, freshAddress } from '../support/load/http.js';
import { FORMER_SECRET } from '../support/payments/provider.js';
import { signed, WEBHOOK_SECRET } from '../support/payments/signature.js';
import { altered, only, PAGES, paymentsWorld } from '../support/payments/world.js';

const world = paymentsWorld();

describe('a purchase is credited exactly once', () => {
  it('when each event comes twice, one after the other and at once on two instances', async () => {
    const events = await world.paid();
    await Promise.all(
      [...events, ...events].flatMap((event) => [world.taken(event, world.one), world.taken(event, world.other)]),
    );
    for (const event of events) await world.taken(event, world.other);
    expect([await world.balance(world.one), await world.balance(world.other)]).toEqual([1_000, 1_000]);
    expect(await world.creditsOf()).toHaveLength(1);
  });

  it('when the event arrives before the checkout call has returned', async () => {
    let early: Promise<void> | undefined;
    world.provider.holdAnswers((path) => {
      if (path !== '/v1/checkout/sessions') return undefined;
      early ??= (async () => {
        const [url] = Object.values(await sessionUrls()).slice(-1);
        const events = await world.provider.eventsOf(() => world.provider.pay(url ?? ''));
        await world.taken(only(events, 'checkout.session.completed'), world.other);
        expect(await world.balance(world.other)).toBe(1_000);
      })();
      return early;
    });
    await world.open('credits', { package: 'small' });
    await early;
    expect([early === undefined, await world.balance()]).toEqual([false, 1_000]);
  });

  it('when the event comes days late', async () => {
    const event = altered(
      await world.completed(),
      (whole) => (whole['created'] = Number(whole['created']) - 3 * 86_400),
    );
    await world.taken(event);
    expect(await world.balance()).toBe(1_000);
  });

  it('when the checkout is asked for twice with one Idempotency-Key: it is one page and one purchase', async () => {
    const call = {
      path: '/billing/checkout/credits',
      apiKey: world.tenant.apiKey,
      body: { package: 'small', ...PAGES },
      headers: { 'idempotency-key': randomUUID() },
    };
    const urls = [await world.one.expect(200, call), await world.other.expect(200, call)].map(
      ({ json }) => json['checkout_url'],
    );
    expect(urls[0]).toBe(urls[1]);
  });

  const sessionUrls = async (): Promise<string[]> => {
    const headers = { authorization: `Bearer ${world.provider.simulator.secretKey}` };
    const answer = await fetch(`${world.provider.simulator.url}/v1/checkout/sessions?limit=1`, { headers });
    return ((await answer.json()) as { data: { url: string }[] }).data.map(({ url }) => url);
  };
});

describe('a purchase that is not paid', () => {
  const statusNow = async (): Promise<unknown> => {
    const { json } = await world.one.expect(200, { path: '/billing/purchases', apiKey: world.tenant.apiKey });
    return (json['purchases'] as { status: string }[])[0]?.status;
  };

  const expire = async (page: string) => {
    const session = page.slice(page.lastIndexOf('/') + 1);
    const headers = { authorization: `Bearer ${world.provider.simulator.secretKey}` };
    const url = `${world.provider.simulator.url}/v1/checkout/sessions/${session}/expire`;
    const events = await world.provider.eventsOf(() => fetch(url, { method: 'POST', headers }));
    return only(events, 'checkout.session.expired');
  };

  it('is cancelled once the payer leaves, who lands on cancel_url, and paid where the payer comes again', async () => {
    const page = await world.open('credits', { package: 'small' });
    const left = await world.provider.submit(page, { do: 'cancel' });
    const answer = await fetch(left ?? '', { redirect: 'manual' });
    expect([answer.status, answer.headers.get('location')]).toEqual([302, PAGES.cancel_url]);
    expect(await statusNow()).toBe('cancelled');
    await world.taken(await expire(page));
    expect(await statusNow()).toBe('cancelled');
    const again = await world.open('credits', { package: 'small' });
    await fetch((await world.provider.submit(again, { do: 'cancel' })) ?? '', { redirect: 'manual' });
    const paid = await world.provider.eventsOf(() => world.provider.pay(again));
    await world.taken(only(paid, 'checkout.session.completed'));
    expect([await statusNow(), await world.balance()]).toEqual(['paid', 1_000]);
  });

  it('is expired once the page is', async () => {
    const event = await expire(await world.open('credits', { package: 'small' }));
    await world.taken(event);
    await world.taken(event, world.other);
    expect(await statusNow()).toBe('expired');
  });

  it('leads to a page with any letters in its address', async () => {
    const page = await world.open('credits', {
      package: 'small',
      cancel_url: 'https://example.org/\u043e\u0442\u043c\u0435\u043d\u0430',
    });
    const left = await world.provider.submit(page, { do: 'cancel' });
    const answer = await fetch(left ?? '', { redirect: 'manual' });
    const encoded = 'https://example.org/%D0%BE%D1%82%D0%BC%D0%B5%D0%BD%D0%B0';
    expect([answer.status, answer.headers.get('location')]).toEqual([302, encoded]);
  });

  it('does not redirect to another page than the one that was given', async () => {
    const page = await world.open('credits', { package: 'small' });
    const left = new URL((await world.provider.submit(page, { do: 'cancel' })) ?? '');
    left.searchParams.set('to', 'https://evil.example.org/');
    expect((await fetch(left, { redirect: 'manual' })).status).toBe(404);
    expect(await statusNow()).toBe('pending');
  });
});

describe('an event counts only with a good signature', () => {
  const now = (): number => Math.floor(Date.now() / 1_000);
  const cases: readonly (readonly [string, (body: string) => readonly [string, string | undefined]])[] = [
    ['none', (body) => [body, undefined]],
    ['that of another secret', (body) => [body, signed(body, { secret: 'whsec_wrong' })]],
    ['one of 301 s ago', (body) => [body, signed(body, { at: now() - 301 })]],
    ['one 310 s ahead', (body) => [body, signed(body, { at: now() + 310 })]],
    ['that of another body', (body) => [body.replace('"usd"', '"eur"'), signed(body)]],
    ['one without a time', (body) => [body, signed(body).replace(/t=\d+,/, '')]],
    ['text', (body) => [body, 'signature']],
  ];
  it.each(cases)('and not with %s', async (_title, forge) => {
    const { body } = await world.completed();
    const [sent, signature] = forge(body);
    const answer = await world.deliver(world.one, sent, signature ?? '');
    expect([answer.status, answer.code]).toEqual([400, 'BAD_REQUEST']);
    expect(await world.balance()).toBe(0);
    await world.taken({ body });
    expect(await world.balance()).toBe(1_000);
  });

  it.each([
    ['the present one', WEBHOOK_SECRET],
    ['the one that it replaces', FORMER_SECRET],
  ])('of %s', async (_title, secret) => {
    const { body } = await world.completed();
    expect((await world.deliver(world.one, body, signed(body, { secret, at: now() - 290 }))).status).toBe(200);
    expect(await world.balance()).toBe(1_000);
  });

  it('and is then not limited, while unsigned ones are', async () => {
    const from = freshAddress();
    const send = (signature: string): Promise<Answer> =>
      world.one.send({
        path: '/webhooks/payments',
        raw: '{"id":"evt_1","type":"x","data":{"object":{}}}',
        headers: { 'stripe-signature': signature },
        from,
      });
    const good = signed('{"id":"evt_1","type":"x","data":{"object":{}}}');
    const statuses = await Promise.all(Array.from({ length: 100 }, () => send(good)));
    expect(new Set(statuses.map(({ status }) => status))).toEqual(new Set([200]));
    const unsigned = await Promise.all(Array.from({ length: 100 }, () => send('')));
    expect(unsigned.filter(({ status }) => status === 429).length).toBeGreaterThanOrEqual(40);
    expect((await send(good)).status).toBe(200);
  });
});

describe('a signed event of another form', () => {
  it.each([
    ['an amount that is text', { amount_total: '12000' }, 422, 'INVALID_FIELD', 'data.object.amount_total'],
    ['an amount in fractions', { amount_total: 0.5 }, 422, 'INVALID_FIELD', 'data.object.amount_total'],
    ['no payment_status', { payment_status: undefined }, 400, 'MISSING_FIELD', 'data.object.payment_status'],
    ['metadata that is text', { metadata: 'x' }, 422, 'INVALID_FIELD', 'data.object.metadata'],
  ])('%s: names the member, and the true event that follows counts', async (_title, change, status, code, field) => {
    const event = await world.completed();
    const { body } = altered(event, (_event, object) => Object.assign(object, change));
    const answer = await world.deliver(world.one, body);
    expect([answer.status, answer.code]).toEqual([status, code]);
    expect(answer.json['errors']).toMatchObject([{ field, code }]);
    expect([await world.balance(), await world.held()]).toEqual([0, []]);
    await world.taken(event);
    expect(await world.balance()).toBe(1_000);
  });
});

describe('what does not fit is held, and never granted by itself', () => {
  it.each([
    [
      'unpaid',
      (_event: Record<string, unknown>, session: Record<string, unknown>) => (session['payment_status'] = 'unpaid'),
    ],
    [
      'other_currency',
      (_event: Record<string, unknown>, session: Record<string, unknown>) => (session['currency'] = 'eur'),
    ],
    [
      'other_amount',
      (_event: Record<string, unknown>, session: Record<string, unknown>) => (session['amount_total'] = 1),
    ],
    ['other_mode', (event: Record<string, unknown>) => (event['livemode'] = true)],
    [
      'unknown_purchase',
      (_event: Record<string, unknown>, session: Record<string, unknown>) =>
        (session['metadata'] = { ...(session['metadata'] as object), purchase: randomUUID() }),
    ],
  ])('%s', async (reason, change) => {
    const event = await world.completed();
    const wrong = altered(event, change);
    await world.taken(wrong);
    await world.taken(wrong, world.other);
    expect(await world.held()).toMatchObject([{ reason, tenant_id: world.tenant.tenantId }]);
    expect(await world.balance()).toBe(0);
    await world.taken(event);
    expect(await world.balance()).toBe(1_000);
  });

  it('is held once more where it names nobody, and shown without an account', async () => {
    const session = `cs_test_${randomUUID()}`;
    await world.taken(
      altered(await world.completed(), (_event, object) => {
        object['id'] = session;
        object['metadata'] = {};
      }),
    );
    const { json } = await world.one.expect(200, {
      method: 'GET',
      path: '/admin/payments/held',
      token: world.deployment.operator.token,
    });
    const found = (json['payments'] as Record<string, unknown>[]).find(({ provider_id }) => provider_id === session);
    expect(found).toMatchObject({ tenant_id: null, reason: 'unknown_purchase' });
    expect((await world.decide(found?.['purchase_id'], 'release')).status).toBe(409);
    expect((await world.decide(found?.['purchase_id'], 'refuse')).status).toBe(200);
    expect((await world.decide(randomUUID(), 'refuse')).status).toBe(404);
  });

  it('is granted once when an operator releases it, also where the good news follows', async () => {
    const event = await world.completed();
    await world.taken(altered(event, (_event, session) => (session['amount_total'] = 11_000)));
    const [{ purchase_id } = { purchase_id: '' }] = await world.held();
    const released = await world.decide(purchase_id, 'release');
    expect(released.status).toBe(200);
    const changes = [{ field: 'status', from: 'held', to: 'released' }];
    expect(await world.logged(released)).toEqual({ outcome: 'done', changes });
    expect([await world.balance(), await world.held()]).toEqual([1_000, []]);
    await world.taken(event);
    expect([await world.balance(), await world.held()]).toEqual([1_000, []]);
  });

  it('is not granted after an operator refused it, but money that comes after all is held again', async () => {
    const event = await world.completed();
    await world.taken(altered(event, (_event, session) => (session['payment_status'] = 'unpaid')));
    const [{ purchase_id } = { purchase_id: '' }] = await world.held();
    const refused = await world.decide(purchase_id, 'refuse');
    expect(refused.status).toBe(200);
    expect((await world.logged(refused))['changes']).toEqual([{ field: 'status', from: 'held', to: 'refused' }]);
    await world.taken(event);
    expect(await world.balance()).toBe(0);
    expect(await world.held()).toMatchObject([{ reason: 'refused_before' }]);
  });
});

describe('a purchase can be followed', () => {
  const shown = async (id: string, http = world.one) =>
    (await http.expect(200, { path: `/billing/purchases/${id}`, apiKey: world.tenant.apiKey })).json;

  it('from the page that was opened to the receipt and the refund, by its id and its own texts', async () => {
    const body = { package: 'small', ...PAGES, metadata: { order: '4711', für: 'Zweigstelle Köln' } };
    const call = { path: '/billing/checkout/credits', apiKey: world.tenant.apiKey, body };
    const { checkout_url: url, purchase_id: id } = (await world.one.expect(200, call)).json as Record<string, string>;
    const opened = { id, origin: 'checkout', package: 'small', credits: 1_000, amount: 120, currency: 'USD' };
    const before = await shown(id ?? '', world.other);
    expect(before).toMatchObject({ ...opened, metadata: body.metadata, status: 'pending', receipt_url: null });
    const events = await world.provider.eventsOf(() => world.provider.pay(url ?? ''));
    await world.taken(only(events, 'checkout.session.completed'));
    const paid = await shown(id ?? '');
    expect(paid).toMatchObject({ ...opened, status: 'paid', amount_refunded: 0 });
    expect(await (await fetch(String(paid['receipt_url']))).text()).toContain('$120.00');
    const path = '/billing/purchases?limit=1';
    const list = (await world.one.expect(200, { path, apiKey: world.tenant.apiKey })).json;
    expect(list).toMatchObject({ purchases: [{ id }], next_cursor: null });
    const intent = JSON.parse(only(events, 'payment_intent.succeeded').body) as {
      data: { object: { latest_charge: string } };
    };
    const charge = intent.data.object.latest_charge;
    for (const event of await world.provider.eventsOf(() => world.provider.act('refund', charge)))
      await world.taken(event);
    expect(await shown(id ?? '')).toMatchObject({ status: 'refunded', amount_refunded: 120 });
  });

  it('by nobody else, and not under an id that names nothing', async () => {
    await world.open('credits', { package: 'small' });
    const { apiKey } = world.tenant;
    const [purchase] = (await world.one.expect(200, { path: '/billing/purchases', apiKey })).json['purchases'] as {
      id: string;
    }[];
    await world.newTenant();
    for (const id of [purchase?.id ?? '', randomUUID(), 'x']) {
      const answer = await world.one.send({ path: `/billing/purchases/${id}`, apiKey: world.tenant.apiKey });
      expect(answer.status).toBe(404);
    }
    const mine = await world.one.expect(200, { path: '/billing/purchases', apiKey: world.tenant.apiKey });
    expect(mine.json).toEqual({ purchases: [], next_cursor: null });
  });
});
