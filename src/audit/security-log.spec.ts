import { aggregatesOf } from '../../test/support/aggregates.js';
import { ManualClock } from '../../test/support/manual-clock.js';
import { type Fate, SimulatedEventStore } from '../../test/support/simulated-event-store.js';
import { newTenantId } from '../kernel/ids.js';
import { Unavailable } from '../kernel/unavailable.js';
import { type AnsweredRequest } from '../http/request-trail.js';
import { SECURITY_STREAM } from './domain/security.events.js';
import { SecurityLog } from './security-log.js';

const EVER = { start: new Date(0), end: new Date('2999-01-01') };
const tenantId = newTenantId();

let clock: ManualClock;
let fates: Fate[];
let store: SimulatedEventStore;
let log: SecurityLog;

beforeEach(() => {
  clock = new ManualClock();
  fates = [];
  store = new SimulatedEventStore({ fate: () => fates.shift() ?? 'acknowledged', now: () => clock.now() });
  log = new SecurityLog(store, aggregatesOf(store, clock), {
    timing: { storeBudget: 1_000 } as ConstructorParameters<typeof SecurityLog>[2]['timing'],
  });
});

const note = (changes: Partial<AnsweredRequest> = {}): void =>
  log.note({
    answeredAt: clock.now(),
    requestId: 'r',
    method: 'GET',
    route: '/api/v1/ingest/:id',
    status: 403,
    errorCode: 'FORBIDDEN',
    durationMs: 1,
    credits: null,
    caller: 'tenant',
    tenantId,
    actorId: 'key-1',
    ...changes,
  });

const written = () => (store.streams.get(SECURITY_STREAM) ?? []).map(({ type, data }) => ({ type, data }));

describe('the security log', () => {
  it('tells calls alike once, with their number and times', async () => {
    note({ requestId: 'first' });
    clock.advance(1_500);
    note();
    note({ actorId: 'key-2' });
    await log.flush();
    expect(written()).toMatchObject([
      { type: 'AccessRefused.v1', data: { action: 'GET /api/v1/ingest/:id', count: 2, requestId: 'first' } },
      { type: 'AccessRefused.v1', data: { count: 1 } },
    ]);
    const [first] = written();
    expect(first?.data).toMatchObject({ firstAt: '2026-03-01T12:00:00.000Z', lastAt: '2026-03-01T12:00:01.500Z' });
  });

  it.each<[string, Partial<AnsweredRequest>, string | undefined]>([
    ['a refused key', { status: 403, errorCode: 'INVALID_API_KEY', tenantId: null }, 'AccessRefused.v1'],
    ['a refused token', { status: 401, errorCode: 'INVALID_TOKEN' }, 'AccessRefused.v1'],
    ['a refused read of a log', { route: '/admin/security-log', status: 403 }, 'AccessRefused.v1'],
    ['a read of the audit log', { route: '/api/v1/compliance/audit-log', status: 200, errorCode: null }, 'LogRead.v1'],
    [
      'a search of the audit log',
      { method: 'POST', route: '/api/v1/compliance/audit-log/search', status: 200, errorCode: null },
      'LogRead.v1',
    ],
    ['a replay of the log', { route: '/admin/audit/replay', status: 200, errorCode: null }, 'LogRead.v1'],
    ['a read of itself', { route: '/admin/security-log', status: 200, errorCode: null }, 'LogRead.v1'],
    ['a call that succeeded', { status: 200, errorCode: null }, undefined],
    ['a call that met a limit', { status: 429, errorCode: 'RATE_LIMITED' }, undefined],
    ['a call for what is not there', { status: 404, errorCode: 'NOT_FOUND' }, undefined],
  ])('knows %s', async (_, changes, type) => {
    note(changes);
    await log.flush();
    expect(written().map((event) => event.type)).toEqual(type === undefined ? [] : [type]);
  });

  it('stays small under a flood of different calls, and counts them all', async () => {
    for (let call = 0; call < 5_000; call += 1) note({ actorId: `key-${call}` });
    await log.flush();
    const counts = written().map(({ data }) => (data as { count: number }).count);
    expect(counts).toHaveLength(1_001);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(5_000);
  });

  it('tells an event once, whether its request or its acknowledgement was lost, and none is lost', async () => {
    for (const fate of ['request_lost', 'acknowledgement_lost'] as const) {
      fates = Array.from({ length: 2 }, () => fate);
      note({ requestId: fate });
      while ((await log.flush().catch((error: unknown) => error)) instanceof Unavailable) note({ requestId: 'later' });
      await log.flush();
    }
    const { records } = await log.page(EVER, 100);
    const requests = records.map(({ data }) => data.requestId).filter((id) => id !== 'later');
    expect(requests).toEqual(['acknowledgement_lost', 'request_lost']);
  });

  it('is read newest first, narrowed by kind and account', async () => {
    note({ requestId: 'a' });
    note({ requestId: 'b', tenantId: null, actorId: 'anonymous' });
    note({ requestId: 'c', route: '/admin/audit-log', status: 200, errorCode: null });
    await log.flush();
    const ids = async (filter: object) =>
      (await log.page({ ...EVER, ...filter }, 10)).records.map(({ data }) => data.requestId);
    expect(await ids({})).toEqual(['c', 'b', 'a']);
    expect(await ids({ type: 'LogRead.v1' })).toEqual(['c']);
    expect(await ids({ tenantId })).toEqual(['c', 'a']);
  });
});
