import { randomUUID } from 'node:crypto';
import { Deployment, LONG_STORE_BUDGET_MS } from '../support/load/deployment.js';
import { type Answer, type Call } from '../support/load/http.js';
import { enquiry, person, type Person } from '../support/load/people.js';
import { balanceOf, ingestAll, type Tenant } from '../support/load/tenants.js';
import { eventually } from '../support/stack.js';

let deployment: Deployment;
let owner: Tenant;
let other: Tenant;
let people = 0;

const nextPerson = (): Person => person((people += 1));
const send = (tenant: Tenant, call: Call): Promise<Answer> => deployment.http.send({ ...call, apiKey: tenant.apiKey });
const ingest = async (tenant: Tenant, body: object, headers: Record<string, string> = {}): Promise<Answer> =>
  deployment.http.expect(202, { path: '/api/v1/ingest', body, headers, apiKey: tenant.apiKey });
const statusOf = (tenant: Tenant, id: unknown): Promise<Answer> =>
  send(tenant, { path: `/api/v1/ingest/${String(id)}` });

const ended = (tenant: Tenant, id: unknown): Promise<Answer> =>
  eventually(
    'the end of an ingestion',
    async () => {
      const answer = await statusOf(tenant, id);
      return answer.json['status'] === 'accepted' ? false : answer;
    },
    20_000,
  );

const ingested = async (tenant: Tenant, body: object): Promise<Answer> =>
  ended(tenant, (await ingest(tenant, body)).json['ingestion_id']);

const check = (tenant: Tenant, who: Person): Promise<Answer> =>
  deployment.http.expect(200, { path: '/api/v1/check-eligibility', body: enquiry(who), apiKey: tenant.apiKey });

beforeAll(async () => {
  deployment = await Deployment.start({ env: { ...LONG_STORE_BUDGET_MS, TIMING_AGE_EVERY_MS: '250' } });
  owner = await deployment.operator.tenant({ credits: 1_000 });
  other = await deployment.operator.tenant({ credits: 1_000 });
}, 90_000);

afterAll(() => deployment.stop(), 30_000);

describe('ingesting one record', () => {
  it('acknowledges with an id and the moment of receipt, and tells how far it has got', async () => {
    const before = Date.now();
    const answer = await ingest(owner, { ...nextPerson(), kyc_status: 'APPROVED', extra_data: { branch: 7 } });
    expect(answer.json).toEqual({
      status: 'received',
      ingestion_id: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string,
      message: expect.any(String) as string,
    });
    expect(Date.parse(String(answer.json['timestamp']))).toBeGreaterThanOrEqual(before);
    const status = await ended(owner, answer.json['ingestion_id']);
    expect(status.json).toEqual({
      ingestion_id: answer.json['ingestion_id'],
      batch_id: answer.json['ingestion_id'],
      status: 'completed',
      records_received: 1,
      records_processed: 1,
      errors: [],
      received_at: answer.json['timestamp'],
      completed_at: expect.any(String) as string,
      identity_id: expect.stringMatching(/^idn_[0-9a-f]{32}$/) as string,
    });
  });

  it('can be asked about from the first moment on, by its tenant only', async () => {
    const answer = await ingest(owner, { ...nextPerson(), kyc_status: 'APPROVED' });
    const id = answer.json['ingestion_id'];
    expect((await statusOf(owner, id)).status).toBe(200);
    expect((await statusOf(other, id)).status).toBe(404);
    expect((await statusOf(owner, randomUUID())).status).toBe(404);
    expect((await statusOf(owner, 'no-uuid')).status).toBe(404);
  });

  it('with the same Idempotency-Key is one ingestion', async () => {
    const body = { ...nextPerson(), kyc_status: 'APPROVED' };
    const headers = { 'idempotency-key': randomUUID() };
    const [first, second] = [await ingest(owner, body, headers), await ingest(owner, body, headers)];
    expect(second.text).toBe(first.text);
    expect(second.header('idempotency-replayed')).toBe('true');
  });

  it('leaves one audit entry, and none of the personal data in the log', async () => {
    const who = { ...nextPerson(), document_reference: 'passport-9918273', data_source_id: 'branch-office-77' };
    const tenant = await deployment.operator.tenant();
    await ingested(tenant, { ...who, kyc_status: 'APPROVED' });
    const entries = await deployment.log.stream(`audit-${tenant.tenantId}`);
    expect(entries.map(({ data }) => (data as { action: string }).action)).toEqual(['data_ingested']);
  });

  it('gives the same identity the same id, and another at another tenant', async () => {
    const body = { ...nextPerson(), kyc_status: 'APPROVED' };
    const ids = [await ingested(owner, body), await ingested(owner, body), await ingested(other, body)].map(
      ({ json }) => json['identity_id'],
    );
    expect(ids[0]).toBe(ids[1]);
    expect(ids[2]).not.toBe(ids[0]);
  });
});

describe('checking eligibility', () => {
  it('finds who was ingested, whatever the case of the e-mail, and charges one credit', async () => {
    const who = nextPerson();
    const answer = await ingest(owner, { ...who, kyc_status: 'APPROVED', tier: 'Tier2' });
    await ended(owner, answer.json['ingestion_id']);
    const before = await balanceOf(deployment.http, other);
    const found = await check(other, { ...who, email: ` ${who.email.toUpperCase()} ` });
    expect(found.json).toEqual({ found: true, tier: 'Tier2', last_verified_at: answer.json['timestamp'] });
    expect(found.header('x-credits-charged')).toBe('1');
    expect(await balanceOf(deployment.http, other)).toBe(before - 1);
  });

  it('does not find who is unknown, and charges for it', async () => {
    const before = await balanceOf(deployment.http, other);
    expect((await check(other, nextPerson())).json).toEqual({ found: false });
    expect(await balanceOf(deployment.http, other)).toBe(before - 1);
  });

  it.each(['REJECTED', 'PENDING_REVIEW', 'EXPIRED'])('does not find who is %s', async (kyc_status) => {
    const who = nextPerson();
    await ingested(owner, { ...who, kyc_status });
    expect((await check(other, who)).json).toEqual({ found: false });
  });

  it('does not find whose verification has expired', async () => {
    const expiring = (milliseconds: number): object => ({
      kyc_status: 'APPROVED',
      kyc_expires_at: new Date(Date.now() + milliseconds).toISOString(),
    });
    const [past, future] = [nextPerson(), nextPerson()];
    await ingested(owner, { ...past, ...expiring(-1_000) });
    await ingested(owner, { ...future, ...expiring(3_600_000) });
    expect((await check(other, past)).json).toEqual({ found: false });
    expect((await check(other, future)).json['found']).toBe(true);
  });

  it('tells the highest tier and the latest verification over all tenants, and nothing of which', async () => {
    const who = nextPerson();
    await ingested(owner, { ...who, kyc_status: 'APPROVED', tier: 'Tier3' });
    await ingested(other, { ...who, kyc_status: 'REJECTED', tier: 'Tier3' });
    const third = await deployment.operator.tenant({ credits: 10 });
    const late = await ingest(third, { ...who, kyc_status: 'APPROVED' });
    await ended(third, late.json['ingestion_id']);
    const answers = await Promise.all([owner, other, third].map((tenant) => check(tenant, who)));
    const expected = { found: true, tier: 'Tier3', last_verified_at: late.json['timestamp'] };
    expect(answers.map(({ json }) => json)).toEqual([expected, expected, expected]);
  });

  it('replaces the whole record by a later ingestion: what is left out is cleared', async () => {
    const who = nextPerson();
    await ingested(owner, { ...who, kyc_status: 'APPROVED', tier: 'Tier3', kyc_expires_at: '2020-01-01T00:00:00Z' });
    expect((await check(other, who)).json).toEqual({ found: false });
    await ingested(owner, { ...who, kyc_status: 'APPROVED' });
    expect((await check(other, who)).json).toMatchObject({ found: true, tier: 'Tier1' });
  });
});

describe('ingesting a batch', () => {
  it('takes the valid records and tells of the others, at once and in its status', async () => {
    const [one, two] = [nextPerson(), nextPerson()];
    const records = [
      { ...one, kyc_status: 'APPROVED' },
      { ...two, kyc_status: 'APPROVED', email: 'nothing' },
      { ...two, kyc_status: 'APPROVED' },
    ];
    const answer = await send(owner, { path: '/api/v1/ingest/batch', body: { records } });
    expect([answer.status, answer.json]).toEqual([
      202,
      {
        batch_id: expect.any(String) as string,
        status: 'accepted',
        records_received: 3,
        errors: [{ record_index: 1, code: 'INVALID_EMAIL', detail: expect.any(String) as string }],
      },
    ]);
    const status = await ended(owner, answer.json['batch_id']);
    expect(status.json).toMatchObject({
      status: 'completed',
      records_received: 3,
      records_processed: 2,
      errors: [{ record_index: 1, code: 'INVALID_EMAIL' }],
    });
    expect((await check(other, one)).json['found']).toBe(true);
    expect((await check(other, two)).json['found']).toBe(true);
  });

  it('refuses one without a valid record, an empty one, one too long, and what is no list', async () => {
    const refusal = async (records: unknown): Promise<unknown[]> => {
      const answer = await send(owner, { path: '/api/v1/ingest/batch', body: { records } });
      return [answer.status, answer.code];
    };
    expect(await refusal([{ email: 'x' }, 5])).toEqual([422, 'INVALID_FIELD']);
    expect(await refusal([])).toEqual([422, 'INVALID_FIELD']);
    expect(await refusal(Array.from({ length: 1_001 }, () => ({})))).toEqual([422, 'INVALID_FIELD']);
    expect(await refusal('records')).toEqual([422, 'INVALID_FIELD']);
    expect(await refusal(undefined)).toEqual([400, 'MISSING_FIELD']);
  });

  it('takes a thousand records', async () => {
    const records = Array.from({ length: 1_000 }, () => ({ ...nextPerson(), kyc_status: 'APPROVED' }));
    const answer = await deployment.http.expect(202, {
      path: '/api/v1/ingest/batch',
      body: { records },
      apiKey: owner.apiKey,
    });
    const status = await ended(owner, answer.json['batch_id']);
    expect(status.json).toMatchObject({ status: 'completed', records_processed: 1_000, errors: [] });
  }, 60_000);
});

describe('after kill -9 in the middle of ingestions', () => {
  it('every accepted ingestion completes, and each identity is written once', async () => {
    const tenant = await deployment.operator.tenant({ credits: 10 });
    const crowd = Array.from({ length: 150 }, nextPerson);
    const accepted: unknown[] = [];
    const sending = crowd.map(async (who) => {
      const answer = await send(tenant, { path: '/api/v1/ingest', body: { ...who, kyc_status: 'APPROVED' } });
      if (answer.status === 202) accepted.push(answer.json['ingestion_id']);
    });
    const settled = Promise.allSettled(sending);
    await eventually('the first acceptances', () => accepted.length > 30, 20_000);
    await deployment.instance(0).service.kill9();
    await settled;
    await deployment.restart(0);
    for (const id of accepted) expect((await ended(tenant, id)).json['status']).toBe('completed');
    await ingestAll(deployment.http, tenant, crowd.slice(0, 1));
  }, 120_000);
});

describe('the life of an identity', () => {
  const idOf = async (tenant: Tenant, who: Person): Promise<string> =>
    String((await ingested(tenant, { ...who, kyc_status: 'APPROVED' })).json['identity_id']);

  it('is read by its tenant, decrypted, and by nobody else', async () => {
    const who = { ...nextPerson(), document_reference: 'passport 7', extra_data: { branch: { number: 7 } } };
    const id = await idOf(owner, who);
    const answer = await send(owner, { path: `/api/v1/identity/${id}` });
    expect(answer.json).toEqual({
      identity_id: id,
      status: 'active',
      ...who,
      kyc_status: 'APPROVED',
      tier: 'Tier1',
      kyc_expires_at: null,
      last_verified_at: expect.any(String) as string,
      updated_at: expect.any(String) as string,
    });
    expect((await send(other, { path: `/api/v1/identity/${id}` })).status).toBe(404);
    expect((await send(owner, { path: '/api/v1/identity/idn_nothing' })).status).toBe(404);
  });

  it('is looked up by e-mail and phone together', async () => {
    const who = nextPerson();
    const id = await idOf(owner, who);
    const path = `/api/v1/identities?${new URLSearchParams(enquiry(who)).toString()}`;
    expect((await send(owner, { path })).json).toEqual({ identities: [{ identity_id: id, status: 'active' }] });
    expect((await send(other, { path })).json).toEqual({ identities: [] });
    expect((await send(owner, { path: '/api/v1/identities?email=a@example.org' })).code).toBe('MISSING_FIELD');
  });

  it('leaves an audit entry for each access', async () => {
    const tenant = await deployment.operator.tenant();
    const id = await idOf(tenant, nextPerson());
    await send(tenant, { path: `/api/v1/identity/${id}` });
    await send(tenant, { method: 'DELETE', path: `/api/v1/identity/${id}` });
    await send(tenant, { method: 'POST', path: `/api/v1/identity/${id}/restore` });
    const actions = (await deployment.log.audit(tenant.tenantId)).map(({ data }) => data.action);
    expect(actions).toEqual(['data_ingested', 'identity_read', 'identity_deleted', 'identity_restored']);
  });

  it('ends for every answer with its deletion, at once, until its restoration', async () => {
    const who = nextPerson();
    const id = await idOf(owner, who);
    const path = `/api/v1/identity/${id}`;
    const deleted = await send(owner, { method: 'DELETE', path });
    expect([deleted.status, deleted.json]).toEqual([
      202,
      {
        identity_id: id,
        status: 'soft_deleted',
        deleted_at: expect.any(String) as string,
        purge_at: expect.any(String) as string,
      },
    ]);
    const { deleted_at, purge_at } = deleted.json as Record<string, string>;
    expect(Date.parse(purge_at ?? '') - Date.parse(deleted_at ?? '')).toBe(30 * 24 * 3_600_000);
    expect((await check(other, who)).json).toEqual({ found: false });
    expect((await send(owner, { method: 'DELETE', path })).text).toBe(deleted.text);
    const late = await ingested(owner, { ...who, kyc_status: 'APPROVED' });
    expect(late.json).toMatchObject({ status: 'failed', errors: [{ record_index: 0, code: 'IDENTITY_DELETED' }] });
    const restored = await send(owner, { method: 'POST', path: `${path}/restore` });
    expect([restored.status, restored.json]).toEqual([200, { identity_id: id, status: 'active' }]);
    expect((await check(other, who)).json['found']).toBe(true);
    const again = await send(owner, { method: 'POST', path: `${path}/restore` });
    expect([again.status, again.code]).toEqual([409, 'CONFLICT']);
    const retried = await send(owner, {
      method: 'POST',
      path: `/api/v1/ingest/${String(late.json['ingestion_id'])}/retry`,
    });
    expect(retried.status).toBe(202);
    expect((await ended(owner, late.json['ingestion_id'])).json['status']).toBe('completed');
  });

  it('is not touched by another tenant', async () => {
    const id = await idOf(owner, nextPerson());
    for (const [method, path] of [
      ['DELETE', `/api/v1/identity/${id}`],
      ['POST', `/api/v1/identity/${id}/restore`],
      ['GET', `/api/v1/identity/${id}/erasure-certificate`],
    ] as const) {
      expect((await send(other, { method, path })).status).toBe(404);
    }
  });

  it('is retried only where it failed', async () => {
    const done = await ingested(owner, { ...nextPerson(), kyc_status: 'APPROVED' });
    const path = `/api/v1/ingest/${String(done.json['ingestion_id'])}/retry`;
    expect((await send(owner, { method: 'POST', path })).status).toBe(409);
    expect((await send(other, { method: 'POST', path })).status).toBe(404);
  });

  it('becomes EXPIRED in the log soon after its time', async () => {
    const tenant = await deployment.operator.tenant();
    const expiresAt = new Date(Date.now() - 1_000).toISOString();
    const status = await ingested(tenant, { ...nextPerson(), kyc_status: 'APPROVED', kyc_expires_at: expiresAt });
    const id = String(status.json['identity_id']);
    await eventually(
      'the event of the expiry',
      async () => {
        const events = await deployment.log.stream(`identity-${tenant.tenantId}_${id.slice(4)}`);
        return events.some(({ type }) => type === 'IdentityExpired.v1');
      },
      20_000,
    );
    expect((await send(tenant, { path: `/api/v1/identity/${id}` })).json['kyc_status']).toBe('EXPIRED');
  });

  it('is told of by the retention policy', async () => {
    const tenant = await deployment.operator.tenant();
    const before = await send(tenant, { path: '/api/v1/compliance/retention' });
    expect(before.json).toMatchObject({
      policy: { audit_logs: '7 years', identity_data: '5 years after last activity' },
      last_purge: null,
      next_purge: null,
    });
    const id = await idOf(tenant, nextPerson());
    const deleted = await send(tenant, { method: 'DELETE', path: `/api/v1/identity/${id}` });
    await eventually('the next purge', async () => {
      const answer = await send(tenant, { path: '/api/v1/compliance/retention' });
      return answer.json['next_purge'] === deleted.json['purge_at'];
    });
  });
});
