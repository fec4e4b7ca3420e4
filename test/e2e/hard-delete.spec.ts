import { randomUUID } from 'node:crypto';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import { dumpPostgres, dumpRedis } from '../support/checks/dumps.js';
import { found, needlesOf } from '../support/checks/needles.js';
import { openedWith, remainingKeys } from '../support/checks/openings.js';
import { rebuildDifferences } from '../support/checks/rebuilds.js';
import { projections } from '../../src/projections.js';
import { issue, type Issued, issuerTokenFor, verdictOf } from '../support/credentials.js';
import { callsAbout } from '../support/endpoints/endpoints.js';
import { copyOfDatabase } from '../support/faults/back-ups.js';
import { Deployment, LONG_STORE_BUDGET_MS, SCALED_ERASURE } from '../support/load/deployment.js';
import { type Call, Http } from '../support/load/http.js';
import { enquiry, type Person, person } from '../support/load/people.js';
import { balanceOf, ingestAll, type Tenant } from '../support/load/tenants.js';
import { type Ran, runCommand } from '../support/service-command.js';
import { eventually, eventuallyNone, type Service, startEventStore, startService } from '../support/stack.js';

const ERASED: Person = person(4_711);
const NEIGHBOUR: Person = person(4_712);
const DETAILS = {
  document_reference: 'PASSPORT-Y77-2203-KL',
  external_id: 'customer-of-the-albany-b4',
  extra_data: { ward: 'Chancery-ward-of-Jack-Worthing' },
};
const SECRETS = [...Object.values(ERASED), DETAILS.document_reference, DETAILS.external_id, DETAILS.extra_data.ward];
const NEEDLES = needlesOf(SECRETS);
const CREDITS = 1_000;

let deployment: Deployment;
let tenant: Tenant;
let identityId: string;
let backUp: string;
let databaseUrl: string;
let service: Service | undefined;
let http: Http;
let credential: Issued;

const call = (request: Call) => http.send({ apiKey: tenant.apiKey, ...request });

const idOf = async (who: Person): Promise<string> => {
  const path = `/api/v1/identities?${new URLSearchParams(enquiry(who)).toString()}`;
  const [identity] = (await call({ path })).json['identities'] as { identity_id: string }[];
  return identity?.identity_id ?? '';
};

const isFound = async (who: Person): Promise<unknown> =>
  (await call({ path: '/api/v1/check-eligibility', body: enquiry(who) })).json['found'];

const certificate = () => call({ path: `/api/v1/identity/${identityId}/erasure-certificate` });

const expectCertificate = async (): Promise<void> => {
  const answer = await certificate();
  expect(answer.status).toBe(200);
  const published = createRemoteJWKSet(new URL(`${http.baseUrl}/.well-known/jwks.json`));
  const { payload, protectedHeader } = await jwtVerify(answer.json['certificate'] as string, published);
  expect([payload.sub, payload.aud, protectedHeader.alg]).toEqual([identityId, tenant.tenantId, 'EdDSA']);
  expect(found(NEEDLES, Buffer.from(JSON.stringify(payload)), 'the certificate')).toEqual([]);
};

const command = (...words: string[]): Promise<Ran> =>
  runCommand(words, { ...deployment.env, DATABASE_URL: databaseUrl });

const logText = async (): Promise<string> => {
  const parts: string[] = [];
  for await (const { stream, type, text } of deployment.log.everything()) parts.push(`${stream} ${type} ${text}\n`);
  return parts.join('');
};

/** Everywhere that a byte of the person could stand, and what the keys that are left make of it. */
const traces = async (): Promise<string[]> => {
  const log = await logText();
  const database = await dumpPostgres(databaseUrl);
  const tables = await dumpPostgres(deployment.eventStore.databaseUrl);
  const keys = await remainingKeys(databaseUrl, deployment.env['KEYS'] as string);
  const sealed = [log, database.toString('latin1'), tables.toString('latin1')];
  const opened = Buffer.concat(sealed.map((text) => openedWith(keys, text)));
  // Whoever was not erased is read with the keys: the search would find what is there.
  expect(opened.includes(NEIGHBOUR.full_name)).toBe(true);
  const redis = deployment.redis === undefined ? Buffer.alloc(0) : await dumpRedis(deployment.redis.url);
  const output = Buffer.from(`${deployment.instance(0).service.output()}${service?.output() ?? ''}`);
  return [
    ...found(NEEDLES, Buffer.from(log), 'the event log'),
    ...found(NEEDLES, database, 'Postgres'),
    ...found(NEEDLES, tables, "the event log's database"),
    ...found(NEEDLES, redis, 'Redis'),
    ...found(NEEDLES, output, 'the log of the service'),
    ...found(NEEDLES, Buffer.from(deployment.eventStore.output()), 'the log of the event node'),
    ...found(
      needlesOf(SECRETS).filter(({ writing }) => writing === 'plain'),
      opened,
      'an envelope that opens',
    ),
  ];
};

const live = async (): Promise<void> => {
  await ingestAll(http, tenant, [NEIGHBOUR]);
  const body = { ...ERASED, ...DETAILS, kyc_status: 'APPROVED', tier: 'Tier2' };
  const keyed = { headers: { 'idempotency-key': randomUUID() } };
  await call({ path: '/api/v1/ingest', body, ...keyed });
  await call({ path: '/api/v1/ingest/batch', body: { records: [body, { ...body, tier: ERASED.full_name }] } });
  await eventually('being found', () => isFound(ERASED));
  for (const erasedCall of callsAbout(ERASED, tenant.apiKey)) {
    const answer = await call({ ...erasedCall, headers: { 'idempotency-key': randomUUID() } });
    expect([erasedCall.path, answer.status < 300]).toEqual([erasedCall.path, true]);
  }
  identityId = await idOf(ERASED);
  const bearer = await issuerTokenFor(http, tenant);
  credential = await issue(http, { ...tenant, bearer }, ERASED);
  expect(await verdictOf(http, tenant, credential)).toBe('valid');
  await call({
    path: '/api/v1/check-eligibility',
    body: enquiry(ERASED),
    headers: { 'idempotency-key': randomUUID() },
  });
  expect((await call({ path: `/api/v1/identity/${identityId}` })).json).toMatchObject({ full_name: ERASED.full_name });
};

beforeAll(async () => {
  deployment = await Deployment.start({
    redis: true,
    env: { ...LONG_STORE_BUDGET_MS, ...SCALED_ERASURE, LOG_LEVEL: 'trace' },
  });
  ({ http, databaseUrl } = deployment);
  tenant = await deployment.operator.tenant({ credits: CREDITS });
  await live();
  await deployment.instance(0).service.stop();
  backUp = await copyOfDatabase(databaseUrl);
  await deployment.restart(0);
}, 120_000);

afterAll(async () => {
  await service?.stop();
  await deployment.stop();
}, 60_000);

describe('after a hard delete', () => {
  it('nothing opens to the person any more, in no store and no log, with every key that is left in hand', async () => {
    expect(await traces()).not.toEqual([]);
    expect((await call({ method: 'DELETE', path: `/api/v1/identity/${identityId}` })).status).toBe(202);
    const body = { ...ERASED, ...DETAILS, kyc_status: 'APPROVED' };
    await call({ path: '/api/v1/ingest', body });
    await eventually('the certificate', async () => (await certificate()).status === 200, 20_000);
    expect(await traces()).toEqual([]);
    await expectCertificate();
    expect(await isFound(ERASED)).toBe(false);
    const shown = await call({ path: `/api/v1/credentials/${credential.jti}` });
    expect(shown.json).toMatchObject({ token: null });
    expect(['SUSPENDED', 'REVOKED']).toContain(await verdictOf(http, tenant, credential));
    expect((await call({ path: `/api/v1/identity/${identityId}` })).status).toBe(404);
  }, 60_000);

  it('read models that are rebuilt from zero equal the live ones and bring nothing back', async () => {
    const { status, output } = await command('projections', 'rebuild', 'all');
    expect([status, output.includes('DIFFERENT')]).toEqual([0, false]);
    for (const { name } of projections) expect(output).toContain(`${name}: the rebuilt rows are live.`);
    const stores = { databaseUrl, eventStoreUrl: deployment.eventStore.connectionString };
    expect(await rebuildDifferences(stores)).toEqual([]);
    expect(await traces()).toEqual([]);
    expect(await isFound(ERASED)).toBe(false);
    await expectCertificate();
  }, 90_000);
});

describe('a back-up of Postgres from before an erasure', () => {
  it('leaves the person erased, the certificate valid and the balances right, once erasures are applied again', async () => {
    const balance = await balanceOf(http, tenant);
    await deployment.instance(0).service.stop();
    databaseUrl = backUp;
    // The key is back with the back-up: without the command everything would open again.
    expect(await traces()).not.toEqual([]);
    expect((await command('keys', 'reapply-erasures')).status).toBe(0);
    service = await startService({ env: { ...deployment.env, DATABASE_URL: databaseUrl } });
    http = new Http(service.baseUrl);
    const stores = { databaseUrl, eventStoreUrl: deployment.eventStore.connectionString };
    let charged = 0;
    // Until the index has caught up, a check is refused, and not charged.
    const isStillFound = async (who: Person): Promise<unknown> => {
      const answer = await call({ path: '/api/v1/check-eligibility', body: enquiry(who) });
      charged += Number(answer.header('x-credits-charged') ?? 0);
      return answer.json['found'];
    };
    // The back-up's read models know nothing of the erasure until they have caught up with the log.
    await eventually('the end of the log', async () => (await isStillFound(ERASED)) === false, 20_000);
    expect(await isStillFound(NEIGHBOUR)).toBe(true);
    expect(await eventuallyNone(traces, 20_000)).toEqual([]);
    expect(await rebuildDifferences(stores)).toEqual([]);
    await expectCertificate();
    expect(await balanceOf(http, tenant)).toBe(balance - charged);
    expect((await call({ path: `/api/v1/identity/${await idOf(NEIGHBOUR)}` })).status).toBe(200);
  }, 90_000);
});

describe('a back-up of the event log from before what the read models hold', () => {
  it('is noticed at the start: the read models are made anew from it, and nothing that follows is skipped', async () => {
    await service?.stop();
    await deployment.eventStore.stop();
    const log = await copyOfDatabase(deployment.eventStore.databaseUrl);
    const { port } = deployment.eventStore;
    const newer = await startEventStore({ databaseUrl: deployment.eventStore.databaseUrl, port });
    service = await startService({ env: { ...deployment.env, DATABASE_URL: databaseUrl } });
    http = new Http(service.baseUrl);
    const [lost, kept] = [person(5_001), person(5_002)];
    await ingestAll(http, tenant, [lost]);
    await service.stop();
    await newer.stop();
    const older = await startEventStore({ databaseUrl: log, port });
    service = await startService({ env: { ...deployment.env, DATABASE_URL: databaseUrl } });
    http = new Http(service.baseUrl);
    expect(service.output()).toContain('ahead of the event log');
    await ingestAll(http, tenant, [kept]);
    expect(await isFound(lost)).toBe(false);
    expect(await isFound(kept)).toBe(true);
    expect(await rebuildDifferences({ databaseUrl, eventStoreUrl: older.connectionString })).toEqual([]);
    await service.stop();
    await older.stop();
  }, 90_000);
});
