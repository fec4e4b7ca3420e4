import { presentTo } from '@kyc/tools/wallet/presentation';
import { type HeldCredential, redeem } from '@kyc/tools/wallet/wallet-client';
import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { applicationOf, issuerTokenFor, type IssuingTenant } from '../support/credentials.js';
import { Deployment, LONG_STORE_BUDGET_MS, SCALED_ERASURE, SCALED_TIMING } from '../support/load/deployment.js';
import { type Json } from '../support/load/http.js';
import { type Person, person } from '../support/load/people.js';
import { balanceOf, ingestAll } from '../support/load/tenants.js';
import { eventually } from '../support/processes.js';

const ROUNDS = 5;
const AT_ONCE = 8;
const GIVEN = 10_000;
const COST = 10;

let deployment: Deployment;
let tenant: IssuingTenant;

beforeAll(async () => {
  const env = { ...LONG_STORE_BUDGET_MS, ...SCALED_TIMING, ...SCALED_ERASURE, TIMING_OFFER_LASTS_MS: '4000' };
  deployment = await Deployment.start({ instances: 1, env });
  const account = await deployment.operator.tenant({ credits: GIVEN });
  tenant = { ...account, bearer: await issuerTokenFor(deployment.http, account) };
}, 90_000);

afterAll(() => deployment.stop(), 60_000);

/** Offers and redeems as long as the service lives. Whatever fails, fails: the ledger is looked at later. */
const offerAndRedeem = async (who: Person, takes: boolean): Promise<void> => {
  const headers = { 'idempotency-key': randomUUID() };
  const body = applicationOf(who, 'Tier2');
  try {
    const call = { path: '/api/v1/issue/offer', token: tenant.bearer, body, headers };
    const { json } = await deployment.http.expect(201, call);
    if (takes) await redeem({ link: String(json['deep_link']) });
  } catch {
    // The service was killed.
  }
};

const all = async (path: string, member: string): Promise<Json[]> => {
  const { json } = await deployment.http.expect(200, { path: `${path}?limit=100`, apiKey: tenant.apiKey });
  return json[member] as Json[];
};

it(`${ROUNDS} kills in the midst of offers leave each one issued and charged, or ended and given back`, async () => {
  const people = Array.from({ length: AT_ONCE }, (_, index) => person(87_000 + index));
  await ingestAll(deployment.http, tenant, people, 'Tier2');
  for (let round = 0; round < ROUNDS; round += 1) {
    const work = people.map((who, index) => offerAndRedeem(who, index % 4 !== 0));
    await pause(randomInt(20, 250));
    await deployment.instance(0).service.kill9();
    await Promise.all(work);
    await deployment.restart(0);
  }
  await eventually('no offer waits', async () => {
    const offers = await all('/api/v1/offers', 'offers');
    return offers.length > 0 && offers.every(({ status }) => status === 'redeemed' || status === 'ended');
  });
  const issued = (await all('/api/v1/credentials', 'credentials')).filter(({ status }) => status === 'issued');
  const redeemed = (await all('/api/v1/offers', 'offers')).filter(({ status }) => status === 'redeemed');
  expect(redeemed.map(({ credential_id: id }) => id).toSorted()).toEqual(
    issued.map(({ credential_id: id }) => id).toSorted(),
  );
  await eventually(
    'each credential was paid for, and nothing else',
    async () => (await balanceOf(deployment.http, tenant)) === GIVEN - COST * issued.length,
  );
}, 240_000);

it(`${ROUNDS} kills in the midst of presentations lose no result that was charged, and leave none stuck`, async () => {
  const who = person(87_100);
  await ingestAll(deployment.http, tenant, [who], 'Tier2');
  const body = applicationOf(who, 'Tier2');
  const { json } = await deployment.http.expect(201, { path: '/api/v1/issue/offer', token: tenant.bearer, body });
  const [held] = (await redeem({ link: String(json['deep_link']) })) as readonly [HeldCredential];
  const before = await balanceOf(deployment.http, tenant);
  const asked: { readonly id: string; readonly link: string }[] = [];
  const ask = async (): Promise<void> => {
    const call = { path: '/api/v1/verify/request', apiKey: tenant.apiKey, body: { claims: ['tier'] } };
    const { json: made } = await deployment.http.expect(201, call);
    asked.push({ id: made['presentation_id'] as string, link: made['deep_link'] as string });
  };
  const statusOf = async (id: string): Promise<Json> =>
    (await deployment.http.expect(200, { path: `/api/v1/verify/request/${id}`, apiKey: tenant.apiKey })).json;
  for (let round = 0; round < ROUNDS; round += 1) {
    for (let number = 0; number < AT_ONCE; number += 1) await ask();
    const work = asked.slice(-AT_ONCE).map(({ link }) => presentTo(held, link).catch(() => 0));
    await pause(randomInt(5, 60));
    await deployment.instance(0).service.kill9();
    await Promise.all(work);
    await deployment.restart(0);
  }
  for (const { id, link } of asked)
    await eventually('an answer', async () => {
      const { status, verification } = await statusOf(id);
      if (status === 'answered') return verification !== null;
      await presentTo(held, link);
      return false;
    });
  await eventually(
    'one charge an answer',
    async () => (await balanceOf(deployment.http, tenant)) === before - asked.length,
  );
}, 240_000);
