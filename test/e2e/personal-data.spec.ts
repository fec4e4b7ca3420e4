import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { ANNOUNCEMENT_TYPES } from '../../src/kernel/contract.js';
import { dumpPostgres, dumpRedis, filesUnder } from '../support/checks/dumps.js';
import {
  becomeRisky,
  buy,
  failReport,
  hearAll,
  reachCap,
  runOut,
  unheardTypes,
  waitTooLong,
} from '../support/checks/announced.js';
import { found, type Needle, needlesOf } from '../support/checks/needles.js';
import { applicationOf, issuerTokenFor, toIssued, verify } from '../support/credentials.js';
import { Deployment } from '../support/load/deployment.js';
import { type Answer, type Call, freshAddress, Http } from '../support/load/http.js';
import { enquiry, type Person, person } from '../support/load/people.js';
import { ingestAll, Operator, type Tenant } from '../support/load/tenants.js';
import { answering, type Behaviour, TestReceiver } from '../support/receiver.js';
import { eventually, sleep, startService } from '../support/stack.js';

const PEOPLE = [11, 12, 13].map(person);
const DORA = person(14);
const CONTACT = 'gwendolen.fairfax-contact@example.org';
const REASON = 'Quarrelsome-Reason-7f3a: asked by Mrs Moncrieff';
const KEY_NAME = 'Key-of-Algernon-Moncrieff';
const HOOK_PATH = 'hook-of-Miss-Prism-5512';
const HOOK_DESCRIPTION = 'Receiver-in-the-cloakroom of Gwendolen';
const ADDRESS = '127.83.151.197';
const BROWSER = 'Bunburyist/1.895 (Woolton; Hertfordshire)';
const DETAILS = {
  document_reference: 'PASSPORT-X99-4417-QZ',
  data_source_id: 'source-of-lady-bracknell',
  external_id: 'handbag-at-victoria-station',
  extra_data: { handbag: 'Victoria-Station-cloakroom-1895', 'name-as-a-member-Prism': true },
};
/** Stored in plain by design: finding it shows that the search finds what is there. */
const CONTROL = 'Organisation-of-the-control';

const valuesOf = ({ email, phone_number, full_name, date_of_birth }: Person): string[] => [
  email,
  phone_number,
  phone_number.slice(1),
  full_name,
  date_of_birth,
];

const SECRETS = [
  ...[...PEOPLE, DORA].flatMap(valuesOf),
  CONTACT,
  REASON,
  KEY_NAME,
  HOOK_PATH,
  HOOK_DESCRIPTION,
  BROWSER,
  ADDRESS,
  DETAILS.document_reference,
  DETAILS.data_source_id,
  DETAILS.external_id,
  ...Object.values(DETAILS.extra_data).filter((value) => typeof value === 'string'),
  'name-as-a-member-Prism',
];

/** Refuses with a status, a header and a body that hold what must not be kept. */
const indiscreet: Behaviour = (_, response) => {
  const { email, full_name } = PEOPLE[0] as Person;
  response.writeHead(500, full_name, { 'X-About': email }).end(`${full_name} <${email}>`);
};

type Send = (call: Call) => Promise<Answer>;

/** Those who hear of everything that the service announces. */
interface Announcing {
  readonly deployment: Deployment;
  readonly receiver: TestReceiver;
}

const [ANNA, BERTA, CLARA] = PEOPLE as [Person, Person, Person];

/** A second account with a receiver: claims on people of the first one, a report that fails, the end of its credits. */
const askingAccount = async (send: Send, { deployment, receiver }: Announcing, holder: Tenant): Promise<void> => {
  const { operator, databaseUrl } = deployment;
  const asker = await operator.tenant({ credits: 100, name: CONTROL });
  const { apiKey, tenantId } = asker;
  await hearAll(send, asker, receiver.url('/discreet'));
  const fields = ['full_name', 'date_of_birth'];
  for (const [who, answer, body] of [[ANNA, 'approve', { fields }] as const, [BERTA, 'reject', {}] as const]) {
    const claimResponse = await send({
      path: '/api/v1/claims',
      apiKey,
      body: { ...enquiry(who), purpose: 'onboarding' },
    });
    const claim = `/api/v1/claims/${String(claimResponse.json['claim_id'])}`;
    await eventually(
      'the claim at its holder',
      async () => (await send({ path: claim, apiKey: holder.apiKey })).status === 200,
    );
    expect((await send({ path: `${claim}/${answer}`, apiKey: holder.apiKey, body })).status).toBe(200);
  }
  await waitTooLong(send, asker, databaseUrl);
  await failReport(send, asker, databaseUrl);
  const body = { amount: -90, reason: REASON };
  expect((await send({ path: `/admin/accounts/${tenantId}/credits`, token: operator.token, body })).status).toBe(200);
};

/** A third account with a receiver, which pays. */
const payingAccount = async (send: Send, { deployment, receiver }: Announcing): Promise<void> => {
  const buyer = await deployment.operator.tenant({ name: CONTROL });
  await hearAll(send, buyer, receiver.url('/discreet'));
  await buy(send, buyer, ANNA);
};

/** Screening, an attestation that runs out, a restored identity and documents, with people's names in each. */
const otherMisadventures = async (send: Send, tenant: Tenant): Promise<void> => {
  const { apiKey } = tenant;
  await runOut(send, tenant, DORA);
  await becomeRisky(send, tenant, BERTA);
  await reachCap(send, tenant, BERTA);
  const flagged = { ...BERTA, ...DETAILS, kyc_status: 'PENDING_REVIEW' };
  expect((await send({ path: '/api/v1/ingest', apiKey, body: flagged })).status).toBe(202);
  for (const who of [ANNA, { full_name: 'Confirmed Testmatch', date_of_birth: '1970-01-01' }]) {
    const { full_name, date_of_birth } = who;
    const checked = await send({ path: '/api/v1/compliance/sanctions', apiKey, body: { full_name, date_of_birth } });
    expect(checked.status).toBe(200);
    for (const { match_id: id } of checked.json['matches'] as { readonly match_id: string }[])
      await send({ path: `/api/v1/compliance/matches/${id}/dismiss`, apiKey, body: { reason: REASON } });
  }
  const exposed = await send({ path: '/api/v1/compliance/pep', apiKey, body: { full_name: 'Primus Testpep' } });
  expect(exposed.status).toBe(200);
  const { json } = await send({ path: '/api/v1/identities/search', apiKey, body: enquiry(CLARA) });
  const [{ identity_id: id }] = json['identities'] as [{ readonly identity_id: string }];
  await send({ method: 'DELETE', path: `/api/v1/identity/${id}`, apiKey });
  expect((await send({ path: `/api/v1/identity/${id}/restore`, apiKey, body: {} })).status).toBe(200);
  const today = new Date().toISOString().slice(0, 10);
  const period = { start_date: today, end_date: today };
  expect((await send({ path: '/api/v1/compliance/report', apiKey, body: period })).status).toBe(202);
  expect((await send({ path: '/api/v1/data-export', apiKey, body: {} })).status).toBe(202);
};

const sendBy =
  (http: Http): Send =>
  (call) =>
    http.send({ from: freshAddress(), ...call, headers: { 'user-agent': BROWSER, ...call.headers } });

/** Everything that callers may do with personal data, rightly and wrongly. */
const misadventures = async (http: Http, operator: Operator, tenant: Tenant, all?: Announcing): Promise<void> => {
  const send = sendBy(http);
  const asTenant = { apiKey: tenant.apiKey };
  const account = `/admin/accounts/${tenant.tenantId}`;
  await send({ method: 'PATCH', path: account, token: operator.token, body: { contact_email: CONTACT } });
  await send({ path: `${account}/credits`, token: operator.token, body: { amount: 1, reason: REASON } });
  for (const verdict of ['distrust', 'trust'])
    await send({ path: `${account}/${verdict}`, token: operator.token, body: { reason: REASON } });
  await send({ path: '/api/v1/keys', ...asTenant, body: { name: KEY_NAME } });
  await send({
    path: '/api/v1/webhooks/endpoints',
    ...asTenant,
    // Nothing listens there: every try fails, and its reason is kept.
    body: { url: `http://127.0.0.1:49151/${HOOK_PATH}`, events: ANNOUNCEMENT_TYPES, description: HOOK_DESCRIPTION },
  });
  await ingestAll(http, tenant, PEOPLE);
  if (all !== undefined) {
    await payingAccount(send, all);
    await askingAccount(send, all, tenant);
    await otherMisadventures(send, tenant);
  }
  const bearer = await issuerTokenFor(http, tenant);
  for (const one of PEOPLE) {
    // So soon that notices of the expiry go out, of the identity and of its credential.
    const kyc_expires_at = new Date(Date.now() + 5 * 86_400_000).toISOString();
    const record = { ...one, ...DETAILS, kyc_status: 'APPROVED', kyc_expires_at };
    const key = { 'idempotency-key': `key of ${one.email}`, 'x-request-id': one.email };
    await send({ path: '/api/v1/ingest', ...asTenant, body: record });
    await send({ path: '/api/v1/ingest', ...asTenant, body: record, headers: { 'idempotency-key': randomUUID() } });
    await send({
      path: '/api/v1/ingest',
      ...asTenant,
      body: { ...record, kyc_status: one.full_name, tier: one.email },
    });
    await send({ path: '/api/v1/ingest', ...asTenant, body: { ...record, phone_number: `${one.phone_number} ` } });
    for (const who of [enquiry(one), { ...enquiry(one), [one.full_name]: one.email }, { email: one.email }]) {
      await send({ path: '/api/v1/check-eligibility', ...asTenant, body: who });
      await send({ path: '/api/v1/check-eligibility', ...asTenant, body: who, headers: key });
    }
    await send({
      path: '/api/v1/check-eligibility',
      ...asTenant,
      raw: `{"email": "${one.email}", ${one.phone_number}`,
    });
    await send({ path: `/api/v1/ingest/${encodeURIComponent(one.email)}`, ...asTenant });
    await send({ path: `/api/v1/compliance/audit-log?action=${encodeURIComponent(one.full_name)}`, ...asTenant });
    const spoilt = { ...record, tier: one.full_name, [one.email]: one.phone_number };
    await send({ path: '/api/v1/ingest/batch', ...asTenant, body: { records: [record, spoilt, one.email] } });
    for (const guess of [{}, { full_name: `${one.full_name}x` }, { dob: one.full_name }]) {
      const body = { ...applicationOf(one), ...guess };
      const issued = await send({ path: '/api/v1/issue', token: bearer, body, headers: key });
      if (issued.status !== 200) continue;
      const { token, publicKey, jti } = toIssued(issued);
      expect((await verify(http, tenant, token, publicKey))['valid']).toBe(true);
      await verify(http, tenant, `${token}x`, publicKey);
      if (all !== undefined) {
        const { receiver } = all;
        const isNoticed = (): boolean => !unheardTypes(receiver, '/discreet').includes('credential.expiring');
        await eventually('the notice of its expiry', isNoticed, 60_000);
      }
      const reason = { reason: `${REASON} of ${one.full_name}` };
      await send({ path: `/api/v1/credentials/${jti}/suspend`, ...asTenant, body: reason });
      await send({ path: `/api/v1/credentials/${jti}/revoke`, ...asTenant, body: reason });
      expect((await send({ path: `/api/v1/credentials/${jti}`, ...asTenant })).json).toMatchObject(reason);
    }
    const found = await send({
      path: `/api/v1/identities?${new URLSearchParams(enquiry(one)).toString()}`,
      ...asTenant,
    });
    const [{ identity_id: id = '' } = {}] = found.json['identities'] as { identity_id?: string }[];
    expect((await send({ path: `/api/v1/identity/${id}`, ...asTenant })).json).toMatchObject({ email: one.email });
    await send({ method: 'DELETE', path: `/api/v1/identity/${id}`, ...asTenant });
    await send({ path: `/nowhere/${encodeURIComponent(one.email)}?phone=${encodeURIComponent(one.phone_number)}` });
    await send({ path: '/api/v1/check-eligibility', apiKey: one.email, body: enquiry(one) });
    await send({ path: account, token: one.email });
    const headers = { 'x-dev-secret': http.devSecret };
    await send({ path: '/dev/token', headers, body: { tenant_id: one.email, scope: one.full_name } });
  }
  await send({ path: '/api/v1/compliance/audit-log', ...asTenant, from: ADDRESS });
  await send({ method: 'GET', path: '/billing/pricing', from: ADDRESS });
  // She was deleted.
  await send({ path: '/api/v1/ingest', ...asTenant, body: { ...ANNA, kyc_status: 'APPROVED' } });
};

const secretOf = ({ apiKey }: Tenant): string => apiKey.split('_').at(-1) as string;

describe('what the stores and the logs keep of personal data', () => {
  let deployment: Deployment;
  let receiver: TestReceiver;
  let tenant: Tenant;
  /** The endpoint whose receiver answers 410. */
  let gone: string;
  /** What the service wrote before its restart. */
  let earlier: string;
  let needles: Needle[];

  beforeAll(async () => {
    receiver = await TestReceiver.start();
    receiver.behaviours.set('/indiscreet', indiscreet);
    receiver.behaviours.set('/gone', answering(410));
    // Nothing is announced before there is somebody to hear it: the day's checkpoint comes but once.
    const env = { LOG_LEVEL: 'trace', TIMING_CHECKPOINT_EVERY_MS: '1000', TIMING_AGE_EVERY_MS: '250' };
    deployment = await Deployment.start({ redis: true, env: { ...env, PROCESS_ROLES: 'api,projections' } });
    const { http, operator } = deployment;
    tenant = await operator.tenant({ credits: 1_000, name: CONTROL });
    for (const path of ['/discreet', '/indiscreet']) await hearAll(sendBy(http), tenant, receiver.url(path));
    gone = await hearAll(sendBy(http), tenant, receiver.url('/gone'));
    await deployment.instance(0).service.stop();
    earlier = deployment.instance(0).service.output();
    await deployment.restart(0, { PROCESS_ROLES: 'api,projections,jobs' });
    await misadventures(http, operator, tenant, { deployment, receiver });
    needles = needlesOf([...SECRETS, secretOf(tenant)]);
    // Failures are logged with what their cause said.
    deployment.eventStore.pause();
    await Promise.all(
      PEOPLE.map((one) =>
        deployment.http.send({ path: '/api/v1/check-eligibility', apiKey: tenant.apiKey, body: enquiry(one) }),
      ),
    );
    deployment.eventStore.resume();
    await sleep(2_000);
  }, 120_000);

  afterAll(async () => {
    await deployment.stop();
    await receiver.stop();
  });

  it('webhooks, in bodies and headers: nothing but the id by which their tenant knows a record', async () => {
    const unheard = (): string[] => unheardTypes(receiver, '/discreet');
    await eventually('every event type', () => unheard().length === 0, 60_000).catch(() => undefined);
    expect(unheard()).toEqual([]);
    expect(receiver.at('/indiscreet').length).toBeGreaterThan(0);
    const heard = Buffer.from(JSON.stringify(receiver.received));
    expect(heard.includes('X-Service-Signature'.toLowerCase())).toBe(true);
    expect(heard.includes(DETAILS.external_id)).toBe(true);
    const others = needlesOf([...SECRETS, secretOf(tenant)].filter((value) => value !== DETAILS.external_id));
    expect(found(others, heard, 'what receivers heard')).toEqual([]);
  });

  it('an endpoint that was disabled is not tested, and says so', async () => {
    const path = `/api/v1/webhooks/endpoints/${gone}/test`;
    const body = { event_type: 'identity.created' };
    const tested = await deployment.http.send({ path, apiKey: tenant.apiKey, body });
    expect([tested.status, tested.code]).toEqual([409, 'CONFLICT']);
    expect(tested.json['detail']).toContain('is_active');
  });

  it('the database of read models, keys and stored answers: nothing', async () => {
    const dump = await dumpPostgres(deployment.databaseUrl);
    expect(dump.includes(CONTROL)).toBe(true);
    expect(found(needles, dump, 'Postgres')).toEqual([]);
  });

  it('the event log, by its interface and in its tables: nothing', async () => {
    const parts: string[] = [];
    for await (const { stream, type, text } of deployment.log.everything()) parts.push(`${stream} ${type} ${text}\n`);
    const log = Buffer.from(parts.join(''));
    expect(log.includes(CONTROL)).toBe(true);
    expect(found(needles, log, 'the event log')).toEqual([]);
    const tables = await dumpPostgres(deployment.eventStore.databaseUrl);
    expect(tables.includes(CONTROL)).toBe(true);
    expect(found(needles, tables, "the event log's database")).toEqual([]);
  });

  it('Redis: nothing', async () => {
    if (deployment.redis === undefined) return;
    const dump = await dumpRedis(deployment.redis.url);
    expect(dump.length).toBeGreaterThan(0);
    expect(found(needles, dump, 'Redis')).toEqual([]);
  });

  it('the log lines of the service and of the event node, at their most talkative: nothing', () => {
    const { service } = deployment.instance(0);
    expect(service.output()).toContain('/api/v1/check-eligibility');
    expect(found(needles, Buffer.from(earlier + service.output()), 'the log of the service')).toEqual([]);
    expect(found(needles, Buffer.from(deployment.eventStore.output()), 'the log of the event node')).toEqual([]);
  });
});

describe('what the data folder of an embedded deployment keeps of personal data', () => {
  it('nothing in any file, write-ahead log and server logs included', async () => {
    const service = await startService({ env: { LOG_LEVEL: 'debug' } });
    const http = new Http(service.baseUrl, 256, service.devSecret());
    const operator = await Operator.admin(http);
    await misadventures(http, operator, await operator.tenant({ credits: 1_000, name: CONTROL }));
    await sleep(1_000);
    http.close();
    await service.stop();
    const files = filesUnder(service.dataDir);
    const short = needlesOf(SECRETS).filter(({ writing }) => /^(plain|base64 at \d|hexadecimal)$/.test(writing));
    expect(files.some(({ bytes }) => bytes.includes(CONTROL))).toBe(true);
    // Of a mail without a mail server, the file is what would have been sent: it must name whom it is for, and nobody else.
    const isMail = (path: string): boolean => path.startsWith(join(service.dataDir, 'mail'));
    const held = files.flatMap(({ path, bytes }) =>
      found(isMail(path) ? short.filter(({ value }) => value !== CONTACT) : short, bytes, path),
    );
    expect(held).toEqual([]);
    service.remove();
  }, 120_000);
});
