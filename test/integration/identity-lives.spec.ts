import pg from 'pg';
import { ingestionStream } from '../../src/identity/domain/ingestion.events.js';
import { eventMetadata } from '../../src/kernel/events.js';
import { newUuid } from '../../src/kernel/ids.js';
import { GrpcEventStore } from '../../src/platform/eventstore/grpc-event-store.js';
import { Deployment, LONG_STORE_BUDGET_MS, SCALED_ERASURE } from '../support/load/deployment.js';
import { type Answer, type Call } from '../support/load/http.js';
import { enquiry, person, type Person } from '../support/load/people.js';
import { type Tenant } from '../support/load/tenants.js';
import { eventually, type Service, startService } from '../support/stack.js';

/** Answers requests, and leaves all that comes later to an instance that a test starts and stops. */
let deployment: Deployment;
let tenant: Tenant;
let worker: Service | undefined;
let people = 0;

const nextPerson = (): Person => person((people += 1));
const call = (request: Call): Promise<Answer> => deployment.http.send({ ...request, apiKey: tenant.apiKey });
const statusOf = async (request: Call): Promise<readonly [number, string | undefined]> => {
  const { status, code } = await call(request);
  return [status, code];
};

const startWorking = async (): Promise<void> => {
  worker = await startService({ env: { ...deployment.env, PROCESS_ROLES: 'api,projections,jobs' } });
};

const stopWorking = async (): Promise<void> => {
  await worker?.stop();
  worker?.remove();
  worker = undefined;
};

const sql = async (text: string, values: readonly unknown[]): Promise<number> => {
  const client = new pg.Client({ connectionString: deployment.databaseUrl });
  await client.connect();
  try {
    return (await client.query(text, [...values])).rowCount ?? 0;
  } finally {
    await client.end();
  }
};

const accept = async (who: Person): Promise<string> => {
  const body = { ...who, kyc_status: 'APPROVED', tier: 'Tier2' };
  const answer = await deployment.http.expect(202, { path: '/api/v1/ingest', body, apiKey: tenant.apiKey });
  return String(answer.json['ingestion_id']);
};

const ended = (ingestionId: string): Promise<Answer> =>
  eventually(
    'the end of an ingestion',
    async () => {
      const answer = await call({ path: `/api/v1/ingest/${ingestionId}` });
      return answer.json['status'] === 'accepted' ? false : answer;
    },
    20_000,
  );

const isFound = async (who: Person): Promise<unknown> =>
  (await call({ path: '/api/v1/check-eligibility', body: enquiry(who) })).json['found'];

const typesOf = async (stream: string): Promise<string[]> =>
  (await deployment.log.stream(stream)).map(({ type }) => type);
const identityTypes = (identityId: string): Promise<string[]> =>
  typesOf(`identity-${tenant.tenantId}_${identityId.slice('idn_'.length)}`);

beforeAll(async () => {
  deployment = await Deployment.start({
    env: { ...LONG_STORE_BUDGET_MS, ...SCALED_ERASURE, PROCESS_ROLES: 'api,projections' },
  });
  tenant = await deployment.operator.tenant({ credits: 100 });
}, 90_000);

afterEach(() => stopWorking(), 30_000);
afterAll(() => deployment.stop(), 30_000);

const NOT_FOUND = [404, 'NOT_FOUND'] as const;

describe('an identity that was deleted', () => {
  it('is past every request from purge_at on, before its erasure is decided and after, until a new life begins', async () => {
    const who = nextPerson();
    await startWorking();
    const identityId = String((await ended(await accept(who))).json['identity_id']);
    await stopWorking();
    const path = `/api/v1/identity/${identityId}`;
    const expectGone = async (): Promise<void> => {
      expect(await statusOf({ method: 'DELETE', path })).toEqual(NOT_FOUND);
      expect(await statusOf({ method: 'POST', path: `${path}/restore` })).toEqual(NOT_FOUND);
      expect(await statusOf({ path })).toEqual(NOT_FOUND);
      expect(await isFound(who)).toBe(false);
    };
    expect((await call({ method: 'DELETE', path })).status).toBe(202);
    await eventually('the end of the grace period', async () => (await call({ path })).status === 404);
    await expectGone();
    expect(await identityTypes(identityId)).not.toContain('IdentityErasureDecided.v1');
    expect(await statusOf({ path: `${path}/erasure-certificate` })).toEqual(NOT_FOUND);

    await startWorking();
    const certificate = await eventually(
      'the certificate',
      async () => {
        const answer = await call({ path: `${path}/erasure-certificate` });
        return answer.status === 200 ? answer.text : false;
      },
      20_000,
    );
    await expectGone();

    expect((await ended(await accept(who))).json).toMatchObject({ status: 'completed', identity_id: identityId });
    expect((await call({ path })).json).toMatchObject({ ...who, status: 'active', tier: 'Tier2' });
    expect(await isFound(who)).toBe(true);
    expect((await call({ path: `${path}/erasure-certificate` })).text).toBe(certificate);
    expect(await statusOf({ method: 'POST', path: `${path}/restore` })).toEqual([409, 'CONFLICT']);
    expect((await call({ method: 'DELETE', path })).status).toBe(202);
  }, 90_000);
});

describe('a record that cannot be processed', () => {
  const appendFourthTry = async (stream: string, ingestionId: string): Promise<void> => {
    const store = new GrpcEventStore({
      connectionString: deployment.eventStore.connectionString,
      budgetMs: 10_000,
    });
    const failedAt = new Date(0).toISOString();
    const data = { ingestionId, attempt: 4, code: 'KEY_UNAVAILABLE', failedAt, nextAttemptAt: failedAt };
    const metadata = eventMetadata({ requestId: newUuid(), actor: { type: 'system', id: 'test' } }, new Date());
    await store.append(stream, [{ id: newUuid(), type: 'IngestionAttemptFailed.v1', data, metadata }], 3n);
    await store.close();
  };

  it('fails its ingestion after five tries, and is there after a retry once what was in the way is gone', async () => {
    const who = nextPerson();
    const ingestionId = await accept(who);
    const stream = ingestionStream(tenant.tenantId, ingestionId);
    const [accepted] = await deployment.log.stream(stream);
    const { records } = accepted?.data as { records: { identityId: string }[] };
    const subject = records[0]?.identityId;
    // Done twice it leaves the key as it was.
    const spoilKey = (): Promise<number> =>
      sql('UPDATE data_keys SET wrapped = set_byte(wrapped, 0, 255 - get_byte(wrapped, 0)) WHERE subject = $1', [
        subject,
      ]);
    expect(await spoilKey()).toBe(1);
    await startWorking();
    // Three tries run as they come due. The fourth is appended, so that the fifth need not be waited for.
    await eventually('the third try', async () => (await typesOf(stream)).length === 4, 30_000);
    await appendFourthTry(stream, ingestionId);
    const failed = await ended(ingestionId);
    expect(failed.json).toMatchObject({
      status: 'failed',
      records_processed: 0,
      errors: [{ record_index: 0, code: 'KEY_UNAVAILABLE' }],
    });
    expect(await typesOf(stream)).toEqual([
      'IngestionAccepted.v1',
      ...Array<string>(4).fill('IngestionAttemptFailed.v1'),
      'IngestionFailed.v1',
    ]);
    expect(await isFound(who)).toBe(false);

    expect(await spoilKey()).toBe(1);
    expect((await call({ method: 'POST', path: `/api/v1/ingest/${ingestionId}/retry` })).status).toBe(202);
    expect((await ended(ingestionId)).json).toMatchObject({
      status: 'completed',
      records_processed: 1,
      identity_id: subject,
    });
    expect(await isFound(who)).toBe(true);
  }, 90_000);
});
