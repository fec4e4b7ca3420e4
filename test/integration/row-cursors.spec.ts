import { reactorsCommand } from '../../src/cli/reactors.js';
import { newUuid } from '../../src/kernel/ids.js';
import { Unavailable } from '../../src/kernel/unavailable.js';
import { HealthChecks } from '../../src/platform/http/health.js';
import { Metrics } from '../../src/platform/http/metrics.js';
import { Database } from '../../src/platform/postgres/database.js';
import { type Following, RowCursors } from '../../src/platform/projections/row-cursors.js';
import { ManualClock } from '../support/manual-clock.js';
import { createServiceDatabase } from '../support/stack.js';
import { unrecorded } from '../support/unrecorded.js';

interface Row {
  readonly position: string;
  readonly eventId: string;
}

const rows: readonly Row[] = ['10', '20', '30'].map((position) => ({ position, eventId: newUuid() }));
const [first, second, third] = rows as [Row, Row, Row];
const TRIES = 8;

let database: Database;

beforeAll(async () => {
  database = new Database({ connectionString: await createServiceDatabase(), budgetMs: 10_000 });
}, 60_000);

afterAll(() => database.close());

afterEach(() => database.query('TRUNCATE row_cursors, parked_rows'));

/** One process, whose effect of a row fails as it is told. */
const instance = () => {
  const [clock, metrics, health] = [new ManualClock(0), new Metrics(), new HealthChecks()];
  const errors: object[] = [];
  const cursors = new RowCursors(
    database,
    health,
    clock,
    { error: (line: object) => errors.push(line) } as never,
    metrics,
  );
  const handled: string[] = [];
  const faults = new Map<string, Error>();
  const following: Following<Row> = {
    name: 'orders',
    find: (after, limit) =>
      Promise.resolve(rows.filter(({ position }) => BigInt(position) > BigInt(after)).slice(0, limit)),
    eventOf: ({ eventId }) => eventId,
    handle: ({ position }) => {
      const fault = faults.get(position);
      if (fault !== undefined) return Promise.reject(fault);
      handled.push(position);
      return Promise.resolve();
    },
  };
  const round = async (): Promise<'done' | 'failed'> => {
    clock.advance(60_000);
    try {
      await cursors.follow(following);
      return 'done';
    } catch {
      return 'failed';
    }
  };
  const follow = () => cursors.follow(following);
  const parkedMetric = async (): Promise<string | undefined> => {
    await cursors.lookAtParked();
    return /^row_cursor_parked\{cursor="orders"\} (\d+)$/m.exec(await metrics.registry.metrics())?.[1];
  };
  return { clock, errors, handled, faults, health, round, follow, parkedMetric };
};

const reactors = async (...words: string[]): Promise<string> => {
  const lines: string[] = [];
  const print = (line: string): unknown => lines.push(line);
  const store = { head: () => Promise.resolve(30n) } as never;
  await reactorsCommand(words, { print, open: (work) => work({ database, store, print, ...unrecorded }) });
  return lines.join('\n');
};

const tryEight = async ({ round }: ReturnType<typeof instance>): Promise<void> => {
  for (let tries = 1; tries < TRIES; tries += 1) expect(await round()).toBe('failed');
};

describe('a row whose effect fails', () => {
  it('holds up those behind it, and comes first the next time', async () => {
    const one = instance();
    one.faults.set(second.position, new Error('broken'));
    expect([await one.round(), one.handled]).toEqual(['failed', ['10']]);
    one.faults.clear();
    expect([await one.round(), one.handled]).toEqual(['done', ['10', '20', '30']]);
  });

  it('is not tried again before its pause is over', async () => {
    const one = instance();
    one.faults.set(first.position, new Error('broken'));
    await expect(one.follow()).rejects.toThrow('broken');
    one.faults.clear();
    await expect(one.follow()).rejects.toThrow('broken');
    one.clock.advance(500);
    await one.follow();
    expect(one.handled).toEqual(['10', '20', '30']);
  });

  it('is waited for without end where a store is away', async () => {
    const one = instance();
    one.faults.set(first.position, new Unavailable('event_store'));
    for (let tries = 0; tries < 3 * TRIES; tries += 1) expect(await one.round()).toBe('failed');
    one.faults.clear();
    expect([await one.round(), one.handled]).toEqual(['done', ['10', '20', '30']]);
  });

  it('is parked after eight tries, and later rows go on; operators see it, and have it tried again', async () => {
    const one = instance();
    one.faults.set(second.position, new Error('broken'));
    await tryEight(one);
    expect(await one.parkedMetric()).toBe('0');
    expect([await one.round(), one.handled]).toEqual(['done', ['10', '30']]);
    expect(await one.parkedMetric()).toBe('1');
    expect(one.errors).toMatchObject([{ cursor: 'orders', event: second.eventId }]);
    expect((await one.health.ready()).status).toBe('degraded');
    expect(await reactors('status')).toContain(second.eventId);

    await reactors('retry', 'orders', second.eventId);
    expect(await one.round()).toBe('done');
    expect(await one.parkedMetric()).toBe('1');
    one.faults.clear();
    expect(await one.round()).toBe('done');
    expect(one.handled).toEqual(['10', '30']);

    await reactors('retry', 'orders');
    expect(await one.round()).toBe('done');
    expect([one.handled, await one.parkedMetric()]).toEqual([['10', '30', '20'], '0']);
    expect(await reactors('retry', 'orders')).toContain('Nothing of that is parked');
  });

  it('is tried eight times for itself, however often another failed before', async () => {
    const one = instance();
    one.faults.set(first.position, new Error('broken'));
    await tryEight(one);
    one.faults.delete(first.position);
    one.faults.set(third.position, new Error('broken'));
    await tryEight(one);
    expect(await one.parkedMetric()).toBe('0');
  });
});
