import { AccessLog } from '../../src/audit/access-log.js';
import { type JobQueue } from '../../src/kernel/jobs.js';
import { HealthChecks } from '../../src/observability/health.js';
import { Metrics } from '../../src/observability/metrics.js';
import { type Breaches } from '../../src/operations/breaches.js';
import { keepMinute, readKept } from '../../src/operations/now/minutes.js';
import { Now, type PartNow } from '../../src/operations/now/now.js';
import { type ProjectionJobs } from '../../src/operations/projection-jobs.js';
import { type EventStore } from '../../src/platform/eventstore/event-store.js';
import { Database } from '../../src/platform/postgres/database.js';
import { Unavailable } from '../../src/kernel/unavailable.js';
import { ManualClock } from '../support/manual-clock.js';
import { createServiceDatabase } from '../support/postgres.js';

const MINUTE = 60_000;

let database: Database;
let clock: ManualClock;
let head: () => Promise<bigint>;
let log: AccessLog;
let now: Now;

beforeAll(async () => {
  database = new Database({ connectionString: await createServiceDatabase(), budgetMs: 10_000 });
});
afterAll(() => database.close());

beforeEach(async () => {
  await database.query('TRUNCATE watched_parts, api_accesses');
  clock = new ManualClock();
  head = () => Promise.resolve(7n);
  log = new AccessLog(database, clock, new Metrics());
  now = newNow();
});

const newNow = (): Now =>
  new Now(
    database,
    { head: () => head() } as unknown as EventStore,
    { depths: () => Promise.resolve(new Map()), health: () => Promise.resolve('up') } as unknown as JobQueue,
    log,
    { hoursLeft: () => Promise.resolve(undefined) } as unknown as Breaches,
    { projections: [{ name: 'ledger', version: '1' }] } as unknown as ProjectionJobs,
    new HealthChecks(),
    clock,
  );

const part = async (name: string): Promise<PartNow> => {
  const found = (await newNow().parts()).find((each) => each.name === name);
  if (found === undefined) throw new Error(`no part ${name}`);
  return found;
};

const up = (value: number) => ({ name: 'jobs', status: 'up', sentence: '', value }) as const;

it('keep the values of 60 minutes, with gaps where none was noted', async () => {
  for (let minute = 0; minute < 70; minute += 1) {
    await keepMinute(database, [up(minute)], clock.now());
    clock.advance(MINUTE);
  }
  const kept = async () => (await readKept(database, clock.now())).get('jobs')?.minutes;
  expect(await kept()).toEqual(Array.from({ length: 59 }, (_, index) => 11 + index));
  clock.advance(2 * MINUTE);
  expect((await kept())?.slice(-4)).toEqual([68, 69, null, null]);
  await keepMinute(database, [up(99)], clock.now());
  expect((await kept())?.slice(-4)).toEqual([69, null, null, 99]);
  clock.advance(61 * MINUTE);
  expect(await kept()).toBeUndefined();
});

it('say since when they are as they are', async () => {
  const began = clock.now();
  await now.note();
  clock.advance(5 * MINUTE);
  await now.note();
  expect(await part('event_store')).toMatchObject({ status: 'up', since: began, action: null });
  head = () => Promise.reject(new Unavailable('event_store'));
  expect(await part('event_store')).toMatchObject({ status: 'down', since: clock.now(), value: null });
  expect((await part('event_store')).action).toContain('disk');
  const failed = clock.now();
  await newNow().note();
  clock.advance(MINUTE);
  expect(await part('event_store')).toMatchObject({ status: 'down', since: failed });
  expect(await part('postgres')).toMatchObject({ status: 'up', since: began });
});

it('say so of a store that does not answer, and stand first', async () => {
  head = () => new Promise(() => undefined);
  const [first, ...others] = await newNow().parts();
  expect(first).toMatchObject({ status: 'down', sentence: 'No answer within 2 s' });
  expect(others.find(({ name }) => name === 'postgres')?.status).toBe('up');
});

it('are read although Postgres is gone', async () => {
  const gone = new Database({ connectionString: 'postgres://none@127.0.0.1:1/none', budgetMs: 500 });
  const kept = database;
  database = gone;
  try {
    expect(await part('postgres')).toMatchObject({ status: 'down', lastHour: Array.from({ length: 60 }, () => null) });
    expect((await part('event_store')).status).toBe('up');
  } finally {
    database = kept;
    await gone.close();
  }
});

it('count requests that failed, and name the slowest route', async () => {
  const answered = (route: string, status: number, durationMs: number): void =>
    log.note({
      ...{ answeredAt: clock.now(), requestId: 'r', method: 'GET', errorCode: null, credits: null },
      ...{ caller: 'tenant', tenantId: null, actorId: 'key-1', route, status, durationMs },
    });
  for (let index = 0; index < 98; index += 1) answered('/quick', 200, 1);
  answered('/slow', 200, 3_000);
  answered('/slow', 503, 10);
  answered('/slow', 503, 10);
  answered('/quick', 429, 1);
  await log.flush();
  expect(await part('requests')).toMatchObject({ status: 'degraded', value: 2 });
  expect((await part('requests')).sentence).toBe('102 requests in 5 minutes, 2 answered 5xx, most of GET /slow');
  expect(await part('slowest_route')).toMatchObject({
    status: 'degraded',
    sentence: 'GET /slow answers 95 of 100 within 3000 ms',
  });
  expect(await part('rate_limited')).toMatchObject({ status: 'up', value: 1 });
  clock.advance(6 * MINUTE);
  expect(await part('requests')).toMatchObject({ status: 'up', value: 0 });
});
