import { AccessLog } from '../../src/audit/access-log.js';
import { newTenantId } from '../../src/kernel/ids.js';
import { type RequestFilter } from '../../src/kernel/request-log.js';
import { Metrics } from '../../src/observability/metrics.js';
import { type AnsweredRequest } from '../../src/http/request-trail.js';
import { Database } from '../../src/platform/postgres/database.js';
import { ManualClock } from '../support/manual-clock.js';
import { createServiceDatabase } from '../support/postgres.js';

const DAY = 86_400_000;
const EVER: RequestFilter = { start: new Date(0), end: new Date('2999-01-01') };
const tenantId = newTenantId();

let database: Database;
let clock: ManualClock;
let log: AccessLog;

beforeAll(async () => {
  database = new Database({ connectionString: await createServiceDatabase(), budgetMs: 10_000 });
  clock = new ManualClock();
  log = new AccessLog(database, clock, new Metrics());
});
afterAll(() => database.close());

const note = (requestId: string, changes: Partial<AnsweredRequest> = {}, instance = log): void =>
  instance.note({
    answeredAt: clock.now(),
    requestId,
    method: 'GET',
    route: '/api/v1/ingest/:id',
    status: 200,
    errorCode: null,
    durationMs: 1.5,
    credits: null,
    caller: 'tenant',
    tenantId,
    actorId: 'key-1',
    ...changes,
  });

const ids = async (filter: Partial<RequestFilter> = {}): Promise<string[]> =>
  (await log.page({ ...EVER, ...filter }, 100, undefined)).rows.map(({ requestId }) => requestId);

const tables = async (): Promise<string[]> => {
  const rows = await database.query<{ name: string }>(
    `SELECT relname AS name FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid WHERE inhparent = 'api_accesses'::regclass
     ORDER BY relname`,
  );
  return rows.map(({ name }) => name);
};

describe('the access log', () => {
  it('is written in batches, read newest first, page after page, and narrowed', async () => {
    note('a');
    note('b', { tenantId: null, status: 403, errorCode: 'INVALID_API_KEY', actorId: 'anonymous' });
    note('c', { route: '/api/v1/ingest' });
    expect(await ids()).toEqual([]);
    await log.flush();
    expect(await ids()).toEqual(['c', 'b', 'a']);
    expect(await ids({ tenantId })).toEqual(['c', 'a']);
    expect(await ids({ lowestStatus: 403, highestStatus: 403 })).toEqual(['b']);
    expect(await ids({ route: '/api/v1/ingest' })).toEqual(['c']);
    expect(await ids({ requestId: 'a' })).toEqual(['a']);
    expect(await ids({ end: clock.now() })).toEqual([]);
    const { rows, next } = await log.page(EVER, 1, undefined);
    expect(rows).toMatchObject([next ?? {}]);
    const others = await log.page(EVER, 2, Number(next?.id));
    expect(others.rows.map(({ requestId }) => requestId)).toEqual(['b', 'a']);
    expect(others.next).toBeNull();
  });

  it('looks through a bounded number of requests for a rare one, page after page', async () => {
    const rare = newTenantId();
    note('rare', { status: 418, tenantId: rare });
    for (let other = 0; other < 20_001; other += 1) note(`other ${other}`);
    await log.flush();
    const first = await log.page({ ...EVER, lowestStatus: 418 }, 10, undefined);
    expect(first.rows).toEqual([]);
    const second = await log.page({ ...EVER, lowestStatus: 418 }, 10, Number(first.next?.id));
    expect(second.rows.map(({ requestId }) => requestId)).toEqual(['rare']);
    expect(second.next).toBeNull();
    // Within a day a time is looked for like the rest, behind rows that were written late, too.
    const own = newTenantId();
    const before = new Date(clock.now().getTime() - 3_600_000);
    for (let other = 0; other < 20_001; other += 1) note(`other ${other}`, { tenantId: own, answeredAt: before });
    note('rare', { tenantId: own });
    const minutesAgo = new Date(clock.now().getTime() - 300_000);
    for (let other = 0; other < 100; other += 1) note(`other ${other}`, { tenantId: own, answeredAt: minutesAgo });
    await log.flush();
    const recent = { ...EVER, tenantId: own, start: new Date(clock.now().getTime() - 1_000) };
    const { rows, next } = await log.page(recent, 10, undefined);
    expect([rows.map(({ requestId }) => requestId), next]).toEqual([['rare'], null]);
    await database.query(`DELETE FROM api_accesses WHERE request_id LIKE 'other %' OR request_id = 'rare'`);
  });

  it('is narrowed by who asked, by code and by status, and counted by outcome for one account', async () => {
    const own = newTenantId();
    const [key, member, token] = ['HyBJKgiB', 'mbr_01hzzzzzzzzzzzzzzzzzzzzzzz', 'a'.repeat(32)];
    const at = (minutes: number): Date => new Date(clock.now().getTime() - minutes * 60_000);
    const refused = { status: 404, errorCode: 'NOT_FOUND' } as const;
    note('by key', { tenantId: own, actorId: key, answeredAt: at(1) });
    note('by another key', { tenantId: own, actorId: 'HyBJKgiC', answeredAt: at(2), ...refused });
    note('by member', { tenantId: own, actorId: member, answeredAt: at(3), ...refused });
    note('by token', { tenantId: own, actorId: token, answeredAt: at(4), status: 503, errorCode: 'UNAVAILABLE' });
    note('of others', { tenantId: newTenantId(), actorId: key, answeredAt: at(1) });
    await log.flush();
    const found = async (filter: Partial<RequestFilter>): Promise<string[]> =>
      (await ids({ tenantId: own, ...filter })).sort();
    expect(await found({ actorType: 'api_key' })).toEqual(['by another key', 'by key']);
    expect(await found({ actorType: 'member' })).toEqual(['by member']);
    expect(await found({ actorType: 'token' })).toEqual(['by token']);
    expect(await found({ actorId: key })).toEqual(['by key']);
    expect(await found({ errorCode: 'NOT_FOUND' })).toEqual(['by another key', 'by member']);
    expect(await found({ lowestStatus: 400, highestStatus: 499 })).toEqual(['by another key', 'by member']);
    expect(await found({ start: at(2) })).toEqual(['by another key', 'by key']);
    const day = new Date(`${clock.now().toISOString().slice(0, 10)}T00:00:00Z`);
    const since = new Date(day.getTime() - DAY);
    const counted = async (actorType?: RequestFilter['actorType']) =>
      (await log.counts({ tenantId: own, since, by: 'day', actorType })).counts;
    expect(await counted()).toEqual([
      { since, at: day, status: 200, errorCode: null, requests: 1 },
      { since, at: day, status: 404, errorCode: 'NOT_FOUND', requests: 2 },
      { since, at: day, status: 503, errorCode: 'UNAVAILABLE', requests: 1 },
    ]);
    expect((await counted('member')).map(({ status, requests }) => [status, requests])).toEqual([[404, 1]]);
    const begun = { tenantId: own, since: at(2), by: 'hour' } as const;
    const { counts } = await log.counts(begun);
    expect(counts.reduce((sum, { requests }) => sum + requests, 0)).toBe(2);
    await database.query('DELETE FROM api_accesses WHERE request_id LIKE $1', ['% %']);
  });

  it('is counted from its newest requests, and says since when', async () => {
    const many = newTenantId();
    const [first, second] = [clock.now(), new Date(clock.now().getTime() + 1)];
    note('oldest', { tenantId: many, answeredAt: first, status: 404 });
    for (let request = 0; request < 20_000; request += 1)
      note(`newer ${request}`, { tenantId: many, answeredAt: second });
    await log.flush();
    const { since, counts } = await log.counts({ tenantId: many, since: new Date(first.getTime() - DAY), by: 'hour' });
    expect(since).toEqual(second);
    expect(counts.map(({ status, requests }) => [status, requests])).toEqual([[200, 20_000]]);
    await database.query(`DELETE FROM api_accesses WHERE request_id LIKE 'newer %' OR request_id = 'oldest'`);
  });

  it('has a table a day, made by whichever instance comes first, dropped after 90 days', async () => {
    clock.advance(DAY);
    const other = new AccessLog(database, clock, new Metrics());
    note('d');
    note('e', {}, other);
    await Promise.all([log.flush(), other.flush()]);
    expect(await tables()).toEqual(['api_accesses_20260301', 'api_accesses_20260302']);
    clock.advance(89 * DAY);
    await log.dropOldDays();
    expect(await tables()).toHaveLength(2);
    clock.advance(DAY);
    await log.dropOldDays();
    expect(await tables()).toEqual(['api_accesses_20260302']);
    expect((await ids()).sort()).toEqual(['d', 'e']);
  });

  it('keeps what could not be written for the next round', async () => {
    await database.query('ALTER TABLE api_accesses RENAME TO away');
    note('kept');
    await expect(log.flush()).rejects.toThrow();
    await database.query('ALTER TABLE away RENAME TO api_accesses');
    await log.flush();
    expect(await ids()).toContain('kept');
  });

  it('writes each request once, in pieces of whole lines, whatever is noted meanwhile', async () => {
    const many = 15_000;
    for (let request = 0; request < many; request += 1) note(`first ${request}`, { route: '/ü' });
    const rounds = [log.flush(), log.flush()];
    await new Promise(setImmediate);
    for (let request = 0; request < many; request += 1) note(`later ${request}`);
    await Promise.all(rounds);
    await log.flush();
    const [written] = await database.query<{ requests: number; names: number }>(
      `SELECT count(*)::int AS requests, count(DISTINCT request_id)::int AS names FROM api_accesses
       WHERE request_id LIKE 'first %' OR request_id LIKE 'later %'`,
    );
    expect(written).toEqual({ requests: 2 * many, names: 2 * many });
  });

  it('counts what it has no more room for', async () => {
    const metrics = new Metrics();
    const full = new AccessLog(database, clock, metrics);
    const long = 'x'.repeat(1_000);
    for (let request = 0; request < 6_000; request += 1)
      note(`${request} ${long}`, { route: long, actorId: long }, full);
    expect(await metrics.registry.metrics()).toMatch(/access_log_lost_total\{reason="buffer_full"\} [1-9]/);
  });

  it('has refused strangers alike beyond a hundred a minute as one row with their number', async () => {
    const stranger = { caller: 'anonymous', tenantId: null, actorId: 'anonymous', status: 401 } as const;
    const route = '/billing/flooded';
    const instance = new AccessLog(database, clock, new Metrics());
    for (let call = 0; call < 350; call += 1) note(`flood-${call}`, { ...stranger, route }, instance);
    await instance.flush();
    const found = async () => (await log.page({ ...EVER, route }, 1_000, undefined)).rows;
    expect((await found()).map(({ requests }) => requests)).toEqual(Array.from({ length: 100 }, () => 1));
    clock.advance(60_000);
    await instance.flush();
    expect((await found())[0]).toMatchObject({ requests: 250, requestId: 'flood-349' });
    expect(await found()).toHaveLength(101);
  });
});
