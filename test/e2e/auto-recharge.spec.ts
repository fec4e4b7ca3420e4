import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Deployment, LONG_STORE_BUDGET_MS } from '../support/load/deployment.js';
import { freshAddress, type Http } from '../support/load/http.js';
import { person } from '../support/load/people.js';
import { balanceOf, type Tenant } from '../support/load/tenants.js';
import { Provider } from '../support/payments/provider.js';
import { signed } from '../support/payments/signature.js';
import { eventually } from '../support/stack.js';

const PAGES = { success_url: 'https://shop.example.org/done', cancel_url: 'https://shop.example.org/back' };
/** Milliseconds. Another instance takes the reactors over 18 s after their leader fell silent on a busy machine. */
const FOLLOWS_WITHIN = 60_000;
const INTENTS = '/v1/payment_intents';

let provider: Provider;
let deployment: Deployment;
let http: Http;
let tenant: Tenant;

beforeAll(async () => {
  provider = await Provider.start();
  deployment = await Deployment.start({ instances: 2, env: { ...LONG_STORE_BUDGET_MS, ...provider.env } });
  http = deployment.http;
}, 90_000);

afterAll(async () => {
  await deployment.stop();
  await provider.stop();
});

beforeEach(async () => {
  provider.holdAnswers(undefined);
  tenant = await deployment.operator.tenant();
});

const deliver = async ({ body }: { readonly body: string }): Promise<void> => {
  const headers = { 'stripe-signature': signed(body) };
  await http.expect(200, { path: '/webhooks/payments', raw: body, headers, from: freshAddress() });
};

/** Buys the small package, and so leaves a card that can be charged again. */
const buy = async (card: string): Promise<void> => {
  const call = { path: '/billing/checkout/credits', apiKey: tenant.apiKey, body: { package: 'small', ...PAGES } };
  const url = (await http.expect(200, call)).json['checkout_url'] as string;
  const events = await provider.eventsOf(() => provider.submit(url, { do: 'authenticate', card }));
  for (const event of events) await deliver(event);
  expect(await balanceOf(http, tenant)).toBe(1_000);
};

const configure = (enabled: boolean) =>
  http.send({
    path: '/billing/auto-recharge',
    apiKey: tenant.apiKey,
    body: { enabled, threshold: 1_000, package: 'small' },
  });

const check = async (on = http): Promise<number> => {
  const { email, phone_number } = person(1);
  const path = '/api/v1/check-eligibility';
  return (await on.send({ path, apiKey: tenant.apiKey, body: { email, phone_number } })).status;
};

const typesOf = async (...types: readonly string[]): Promise<string[]> =>
  (await deployment.log.credits(tenant.tenantId)).map(({ type }) => type).filter((type) => types.includes(type));

const mailsThatSay = (subject: string): string[] =>
  deployment.services
    .map(({ dataDir }) => join(dataDir, 'mail'))
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => readdirSync(folder).map((file) => readFileSync(join(folder, file), 'utf8')))
    .filter((mail) => mail.includes(subject));

it('asks for a card before it can be switched on', async () => {
  expect((await configure(true)).status).toBe(409);
});

it('charges the stored card once for a crossing, though deductions go on and the provider tells it too', async () => {
  await buy('4242424242424242');
  expect((await configure(true)).status).toBe(200);
  const instances = deployment.https;
  const events = await provider.eventsOf(async () => {
    const statuses = await Promise.all(Array.from({ length: 200 }, (_, index) => check(instances[index % 2] as Http)));
    expect(new Set(statuses)).toEqual(new Set([200]));
    await eventually('the recharge', async () => (await balanceOf(http, tenant)) === 1_800, FOLLOWS_WITHIN);
  });
  expect(events.map(({ type }) => type)).toEqual(['payment_intent.succeeded']);
  for (const event of [...events, ...events]) await deliver(event);
  expect(await balanceOf(http, tenant)).toBe(1_800);
  expect(await typesOf('AutoRechargeRequested.v1')).toHaveLength(1);
});

it('holds no request up while the payment takes its time', async () => {
  await buy('4242424242424242');
  await configure(true);
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  let reached = false;
  provider.holdAnswers((path) => {
    if (path !== INTENTS) return undefined;
    reached = true;
    return released;
  });
  expect(await check()).toBe(200);
  await eventually('the payment', () => reached, FOLLOWS_WITHIN);
  expect([await check(), await balanceOf(http, tenant)]).toEqual([200, 998]);
  release();
  await eventually('the recharge', async () => (await balanceOf(http, tenant)) === 1_998, FOLLOWS_WITHIN);
});

it.each([
  ['declined', '4000000000000341'],
  ['authentication_required', '4000002760003184'],
])(
  'counts a payment that is %s, and after the third switches itself off',
  async (reason, card) => {
    await buy(card);
    await configure(true);
    expect(await check()).toBe(200);
    // The balance stays below, so that a failure asks for the next payment itself.
    await eventually(
      'the third failure',
      async () => (await typesOf('AutoRechargeFailed.v1')).length === 3,
      FOLLOWS_WITHIN,
    );
    expect(await typesOf('AutoRechargeSwitchedOff.v1')).toHaveLength(1);
    expect(await check()).toBe(200);
    expect(await balanceOf(http, tenant)).toBe(998);
    const failed = (await deployment.log.credits(tenant.tenantId)).find(({ type }) => type === 'AutoRechargeFailed.v1');
    expect(failed?.data).toMatchObject({ reason });
    if (reason !== 'authentication_required') return;
    await eventually(
      'the mail that it is off, of this card and of the one before',
      () => mailsThatSay('Auto-recharge was switched off').length === 2,
      FOLLOWS_WITHIN,
    );
    await eventually('one page to pay on', () => mailsThatSay('Your bank asks').length === 1, FOLLOWS_WITHIN);
  },
  120_000,
);
