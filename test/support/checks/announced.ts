import { ANNOUNCEMENT_TYPES } from '../../../src/kernel/contract.js';
import { schemaOf } from '../../../src/log/project/checkpoints.js';
import { screening } from '../../../projections/screening/screening.projection.js';
import { Database } from '../../../src/platform/postgres/database.js';
import { type Answer, type Call } from '../load/http.js';
import { enquiry, type Person } from '../load/people.js';
import { type Tenant } from '../load/tenants.js';
import { type TestReceiver } from '../receiver.js';
import { eventually } from '../stack.js';

/** Stripe's test card that pays once, and declines what is charged later without its owner. */
const CARD = '4000000000000341';

type Send = (call: Call) => Promise<Answer>;

/** The types of which this path of the receiver heard nothing so far. */
export const unheardTypes = (receiver: TestReceiver, path: string): string[] => {
  const heard = new Set(receiver.at(path).map(({ body }) => (JSON.parse(body) as { readonly type: string }).type));
  return ANNOUNCEMENT_TYPES.filter((type) => !heard.has(type));
};

/** An endpoint for every type of event. Returns its id. */
export const hearAll = async (send: Send, { apiKey }: Pick<Tenant, 'apiKey'>, url: string): Promise<string> => {
  const body = { url, events: ANNOUNCEMENT_TYPES };
  const registered = await send({ path: '/api/v1/webhooks/endpoints', apiKey, body });
  expect(registered.status).toBe(201);
  return String(registered.json['id']);
};

/** Payments, a subscription and a recharge that fails. The pages are the person's own. */
export const buy = async (send: Send, { apiKey }: Pick<Tenant, 'apiKey'>, who: Person): Promise<void> => {
  const page = `https://shop.example.org/${encodeURIComponent(who.full_name)}`;
  for (const [kind, what] of [
    ['subscription', { tier: 'growth' }],
    ['credits', { package: 'small' }],
  ] as const) {
    const body = { ...what, success_url: page, cancel_url: page };
    const { json } = await send({ path: `/billing/checkout/${kind}`, apiKey, body });
    const form = new URLSearchParams({ do: 'authenticate', card: CARD });
    await fetch(String(json['checkout_url']), { method: 'POST', body: form, redirect: 'manual' });
  }
  const recharge = { enabled: true, threshold: 1_000, package: 'small' };
  await eventually('a card to charge', async () => {
    const answer = await send({ path: '/billing/auto-recharge', apiKey, body: recharge });
    return answer.status === 200;
  });
  await eventually('the credits', async () => {
    const answer = await send({ path: '/api/v1/check-eligibility', apiKey, body: enquiry(who) });
    return answer.status === 200;
  });
};

/** Another risk than a moment before. */
export const becomeRisky = async (send: Send, { apiKey }: Pick<Tenant, 'apiKey'>, who: Person): Promise<void> => {
  for (const listed of [{}, { full_name: 'Confirmed Testmatch', country: 'CHE' }]) {
    const body = { ...enquiry(who), ...listed };
    expect((await send({ path: '/api/v1/assess-risk', apiKey, body })).status).toBe(200);
  }
};

/** A key that reaches its cap. */
export const reachCap = async (send: Send, { apiKey }: Pick<Tenant, 'apiKey'>, who: Person): Promise<void> => {
  const body = { name: who.full_name, credit_cap_per_day: 1 };
  const { json } = await send({ path: '/api/v1/keys', apiKey, body });
  const check = { path: '/api/v1/check-eligibility', apiKey: String(json['api_key']), body: enquiry(who) };
  expect([(await send(check)).status, (await send(check)).status]).toEqual([200, 402]);
};

/** An attestation that runs out in a moment. */
export const runOut = async (send: Send, { apiKey }: Pick<Tenant, 'apiKey'>, who: Person): Promise<void> => {
  const record = { ...who, kyc_status: 'APPROVED', kyc_expires_at: new Date(Date.now() + 2_000).toISOString() };
  expect((await send({ path: '/api/v1/ingest', apiKey, body: record })).status).toBe(202);
};

/** A match that waits longer than its account lets one wait. */
export const waitTooLong = async (send: Send, { apiKey, tenantId }: Tenant, databaseUrl: string): Promise<void> => {
  const body = { full_name: 'Confirmed Testmatch', country: 'LU' };
  expect((await send({ path: '/api/v1/compliance/sanctions', apiKey, body })).status).toBe(200);
  await send({ method: 'PATCH', path: '/api/v1/compliance/review', apiKey, body: { due_days: 3 } });
  const database = new Database({ connectionString: databaseUrl, budgetMs: 30_000 });
  await eventually('a match that was found a week ago', async () => {
    const aged = `UPDATE ${schemaOf(screening, 'live')}.matches SET found_at = found_at - interval '7 days'
                  WHERE tenant_id = $1 AND found_at > now() - interval '1 day' RETURNING 1`;
    return (await database.query(aged, [tenantId])).length > 0;
  });
  await database.close();
};

/** A report whose file Postgres refuses to keep. */
export const failReport = async (send: Send, { apiKey, tenantId }: Tenant, databaseUrl: string): Promise<void> => {
  const database = new Database({ connectionString: databaseUrl, budgetMs: 30_000 });
  await database.query(`ALTER TABLE files ADD CONSTRAINT refused CHECK (tenant_id <> '${tenantId}') NOT VALID`);
  await database.close();
  const today = new Date().toISOString().slice(0, 'YYYY-MM-DD'.length);
  const body = { start_date: today, end_date: today };
  expect((await send({ path: '/api/v1/compliance/report', apiKey, body })).status).toBe(202);
};
