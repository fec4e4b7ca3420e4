import { randomUUID } from 'node:crypto';
import { rebuildDifferences } from '../support/checks/rebuilds.js';
import { expectRefusal } from '../support/checks/conventions.js';
import {
  applicationOf,
  issue,
  type Issued,
  type IssuingTenant,
  issuerTokenFor,
  verdictOf,
} from '../support/credentials.js';
import { Deployment } from '../support/load/deployment.js';
import { type Answer, type Http, type Json } from '../support/load/http.js';
import { enquiry, type Person, person } from '../support/load/people.js';
import { ingestAll, type Tenant, tokenFor } from '../support/load/tenants.js';
import { eventually } from '../support/stack.js';

const REASON = 'Its onboarding was bribed: Mrs. Quisling';
/** What holds within a second holds within this on a machine that does other things. */
const SOON = 5_000;

let deployment: Deployment;
let attestor: Tenant;
let second: Tenant;
let caller: IssuingTenant;
let people = 69_000;
let who: Person;

/** The instance that is told, and another one. */
const firstInstance = (): Http => deployment.instance(0).http;
const other = (): Http => deployment.instance(1).http;

const judge = (
  { tenantId }: Tenant,
  verdict: 'distrust' | 'trust',
  body: object = { reason: REASON },
): Promise<Answer> =>
  firstInstance().sendAsOperator({
    path: `/admin/accounts/${tenantId}/${verdict}`,
    token: deployment.operator.token,
    body,
    headers: { 'idempotency-key': randomUUID() },
  });

const distrust = async (tenant: Tenant): Promise<void> => {
  const { status, text } = await judge(tenant, 'distrust');
  expect([status, text]).toEqual([200, text]);
};

const trust = async (tenant: Tenant): Promise<void> => {
  const { status, text } = await judge(tenant, 'trust');
  expect([status, text]).toEqual([200, text]);
};

const send = ({ apiKey }: Tenant, path: string, body?: object, http = other()): Promise<Answer> =>
  http.send({ path: `/api/v1${path}`, apiKey, ...(body === undefined ? {} : { body }) });

const eligibility = async (person: Person, http = other()): Promise<Json> =>
  (await send(caller, '/check-eligibility', enquiry(person), http)).json;

const becomes = (what: string, wanted: unknown, probe: () => Promise<unknown>): Promise<unknown> =>
  eventually(what, async () => JSON.stringify(await probe()) === JSON.stringify(wanted), SOON);

const networkFactor = async (): Promise<unknown> => {
  const { factors } = (await send(caller, '/assess-risk', enquiry(who))).json as { factors: { code: string }[] };
  return factors.map(({ code }) => code).filter((code) => code.startsWith('NETWORK_'));
};

const statusOf = async (credential: Issued): Promise<unknown> => verdictOf(other(), caller, credential);

const announced = async (tenant: Tenant, type: string): Promise<Json[]> => {
  const { events } = (await send(tenant, '/events?limit=100')).json as { events: Json[] };
  return events.filter((event) => event['type'] === type);
};

beforeAll(async () => {
  deployment = await Deployment.start({ instances: 2, env: { LOG_LEVEL: 'warn' } });
}, 120_000);
afterAll(() => deployment.stop(), 60_000);

beforeEach(async () => {
  attestor = await deployment.operator.tenant({ credits: 100, name: 'Attesting Bank' });
  second = await deployment.operator.tenant({ credits: 100, name: 'Second Bank' });
  const tenant = await deployment.operator.tenant({ credits: 1_000, name: 'Calling Bank' });
  caller = { ...tenant, bearer: await issuerTokenFor(firstInstance(), tenant) };
  who = person((people += 1));
});

describe('the attestations of an account that is distrusted', () => {
  it('count for no eligibility, on any instance, and count again once it is trusted', async () => {
    await ingestAll(firstInstance(), attestor, [who], 'Tier3');
    expect((await eligibility(who))['found']).toBe(true);
    await distrust(attestor);
    expect((await eligibility(who, firstInstance()))['found']).toBe(false);
    await becomes('nobody', false, async () => (await eligibility(who))['found']);
    await trust(attestor);
    await becomes('somebody', 'Tier3', async () => (await eligibility(who))['tier']);
  }, 60_000);

  it('leave those of others as they are, in their tier', async () => {
    await ingestAll(firstInstance(), attestor, [who], 'Tier3');
    await ingestAll(firstInstance(), second, [who], 'Tier1');
    await distrust(attestor);
    await becomes('the tier of the other', 'Tier1', async () => (await eligibility(who))['tier']);
  }, 60_000);

  it('that it makes from then on count as little', async () => {
    await distrust(attestor);
    await ingestAll(firstInstance(), attestor, [who]);
    expect((await eligibility(who))['found']).toBe(false);
    await trust(attestor);
    await becomes('somebody', true, async () => (await eligibility(who))['found']);
  }, 60_000);

  it('count for no issuance', async () => {
    await ingestAll(firstInstance(), attestor, [who]);
    await distrust(attestor);
    await becomes('nobody', false, async () => (await eligibility(who))['found']);
    const answer = await firstInstance().send({
      path: '/api/v1/issue',
      token: caller.bearer,
      body: applicationOf(who),
    });
    expectRefusal(answer, 422, 'IDENTITY_NOT_ELIGIBLE');
  }, 60_000);

  it('count for no risk', async () => {
    await ingestAll(firstInstance(), attestor, [who]);
    expect(await networkFactor()).toEqual(['NETWORK_SOME']);
    await distrust(attestor);
    await becomes('no attestation', ['NETWORK_NONE'], networkFactor);
    await trust(attestor);
    await becomes('an attestation', ['NETWORK_SOME'], networkFactor);
  }, 60_000);
});

describe('claims on a person whom a distrusted account attests', () => {
  const ask = async (): Promise<string> => {
    const answer = await send(caller, '/claims', { ...enquiry(who), purpose: 'onboarding' });
    expect(answer.status).toBe(202);
    return String(answer.json['claim_id']);
  };

  it('do not reach it', async () => {
    await ingestAll(firstInstance(), attestor, [who]);
    await ingestAll(firstInstance(), second, [who]);
    await distrust(attestor);
    await becomes('the other alone', 'Tier2', async () => (await eligibility(who))['tier']);
    const claimId = await ask();
    await eventually('the claim at the other', async () => (await send(second, `/claims/${claimId}`)).status === 200);
    expect((await send(attestor, '/claims?role=holder')).json['claims']).toEqual([]);
  }, 60_000);

  it('cannot be approved by it, and what it had approved is not read until it is trusted', async () => {
    await ingestAll(firstInstance(), attestor, [who]);
    const claimId = await ask();
    await eventually('the claim', async () => (await send(attestor, `/claims/${claimId}`)).status === 200);
    expect((await send(attestor, `/claims/${claimId}/approve`, { fields: ['full_name'] })).status).toBe(200);
    const read = async (): Promise<number> => (await send(caller, `/claims/${claimId}/record`)).status;
    await becomes('the record', 200, read);
    await distrust(attestor);
    await becomes('no record', 404, read);
    await trust(attestor);
    await becomes('the record again', 200, read);
  }, 60_000);
});

describe('credentials that rest on a distrusted account', () => {
  it('alone are suspended, also in the status list’s eyes, and reinstated once it is trusted', async () => {
    await ingestAll(firstInstance(), attestor, [who]);
    const credential = await issue(firstInstance(), caller, who);
    await distrust(attestor);
    await becomes('a suspension', 'SUSPENDED', () => statusOf(credential));
    await trust(attestor);
    await becomes('a reinstatement', 'valid', () => statusOf(credential));
  }, 60_000);

  it('and on another one stay valid, until that is distrusted too', async () => {
    await ingestAll(firstInstance(), attestor, [who]);
    await ingestAll(firstInstance(), second, [who]);
    const credential = await issue(firstInstance(), caller, who);
    await distrust(attestor);
    await eventually('the event', async () => (await announced(attestor, 'account.distrusted')).length === 1, SOON);
    expect(await statusOf(credential)).toBe('valid');
    await distrust(second);
    await becomes('a suspension', 'SUSPENDED', () => statusOf(credential));
    await trust(attestor);
    await becomes('a reinstatement', 'valid', () => statusOf(credential));
  }, 60_000);

  it('alone in their tier are suspended, whoever attests a lower one', async () => {
    await ingestAll(firstInstance(), attestor, [who], 'Tier3');
    await ingestAll(firstInstance(), second, [who], 'Tier1');
    const [high, low] = [
      await issue(firstInstance(), caller, who, 'Tier3'),
      await issue(firstInstance(), caller, who, 'Tier1'),
    ];
    await distrust(attestor);
    await becomes('a suspension', 'SUSPENDED', () => statusOf(high));
    expect(await statusOf(low)).toBe('valid');
  }, 60_000);

  it('and were suspended by their issuer stay so when it is trusted', async () => {
    await ingestAll(firstInstance(), attestor, [who]);
    const credential = await issue(firstInstance(), caller, who);
    const path = `/credentials/${credential.jti.replace('urn:uuid:', '')}/suspend`;
    expect((await send(caller, path, { reason: 'A question' })).status).toBe(200);
    await distrust(attestor);
    await trust(attestor);
    await eventually('the event', async () => (await announced(attestor, 'account.trusted')).length === 1, SOON);
    expect(await statusOf(credential)).toBe('SUSPENDED');
  }, 60_000);

  it('of its own issuing, by the attestation of another, stay valid', async () => {
    await ingestAll(firstInstance(), second, [who]);
    const issuer = { ...attestor, bearer: await issuerTokenFor(firstInstance(), attestor) };
    const credential = await issue(firstInstance(), issuer, who);
    await distrust(attestor);
    await eventually('the event', async () => (await announced(attestor, 'account.distrusted')).length === 1, SOON);
    expect(await statusOf(credential)).toBe('valid');
  }, 60_000);
});

describe('the distrust of an account', () => {
  it('is told to it, whose keys go on working, and names no reason in the log', async () => {
    await distrust(attestor);
    await trust(attestor);
    for (const type of ['account.distrusted', 'account.trusted'])
      await eventually(type, async () => (await announced(attestor, type)).length === 1, SOON);
    expect((await send(attestor, '/check-eligibility', enquiry(who))).status).toBe(200);
    for await (const { text } of deployment.log.everything()) expect(text).not.toContain('Quisling');
  }, 60_000);

  it('is an act of an operator in the log, happens once however often it is ordered, and needs an admin', async () => {
    expectRefusal(await judge(attestor, 'distrust', {}), 400, 'MISSING_FIELD');
    await distrust(attestor);
    await distrust(attestor);
    await eventually('the event', async () => (await announced(attestor, 'account.distrusted')).length > 0, SOON);
    expect(await announced(attestor, 'account.distrusted')).toHaveLength(1);
    const log = await firstInstance().expect(200, {
      path: `/admin/audit-log?tenant_id=${attestor.tenantId}`,
      token: deployment.operator.token,
    });
    expect(log.text).toContain('/distrust');
    const support = await tokenFor(firstInstance(), { roles: ['support'] });
    const path = `/admin/accounts/${attestor.tenantId}/distrust`;
    const refused = await firstInstance().sendAsOperator({ path, token: support, body: { reason: REASON } });
    expectRefusal(refused, 403, 'FORBIDDEN');
  }, 60_000);

  it('is in the rows that are made anew of the log, and outlasts a restart', async () => {
    await ingestAll(firstInstance(), attestor, [who]);
    await issue(firstInstance(), caller, who);
    await distrust(attestor);
    await becomes('nobody', false, async () => (await eligibility(who))['found']);
    const { databaseUrl, eventStore } = deployment;
    expect(await rebuildDifferences({ databaseUrl, eventStoreUrl: eventStore.connectionString })).toEqual([]);
    await deployment.instance(1).service.stop();
    await deployment.restart(1);
    expect((await eligibility(who))['found']).toBe(false);
  }, 120_000);
});
