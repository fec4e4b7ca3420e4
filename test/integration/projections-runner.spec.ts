import { jest } from '@jest/globals';
import { projections } from '../../projections/index.js';
import { newTenantId, newUuid } from '../../src/kernel/ids.js';
import { Unavailable } from '../../src/kernel/unavailable.js';
import { type EventStoreNode, startEventStoreNode } from '../../src/platform/embedded/event-store/node.js';
import { GrpcEventStore } from '../../src/platform/eventstore/grpc-event-store.js';
import {
  disownRowsAhead,
  Fenced,
  leaderLock,
  moveCheckpoint,
  readCheckpoint,
  takeOver,
} from '../../src/platform/projections/checkpoints.js';
import { type ProjectionStatus } from '../../src/platform/projections/follower.js';
import { type Projection, type Statement } from '../../src/platform/projections/projection.js';
import { disownReadModelsAhead, ProjectionRunner } from '../../src/platform/projections/runner.js';
import { type ProjectionSession } from '../../src/platform/projections/session.js';
import { createDatabase } from '../support/stack.js';
import { Histories, openSession, rowsOf, type Written } from './projections-histories.js';

jest.setTimeout(90_000);

const BUDGET = { budgetMs: 10_000 };
const log = { info: () => undefined, warn: () => undefined, error: () => undefined };

let node: EventStoreNode;
let store: GrpcEventStore;
let database: string;
let session: ProjectionSession;
const runners: ProjectionRunner[] = [];

beforeAll(async () => {
  node = await startEventStoreNode({ databaseUrl: await createDatabase(), port: 0 });
  store = new GrpcEventStore({ connectionString: node.connectionString, budgetMs: 10_000 });
});

beforeEach(async () => {
  database = await createDatabase();
  session = await openSession(database, []);
});

afterEach(async () => {
  await Promise.all(runners.splice(0).map((runner) => runner.stop()));
  session.close();
});

afterAll(async () => {
  await store.close();
  await node.stop();
});

const run = async (list: readonly Projection[]): Promise<ProjectionRunner> => {
  const runner = new ProjectionRunner({ projections: list, store, database, log });
  runners.push(runner);
  await runner.start();
  return runner;
};

const until = async (what: string, condition: () => boolean | Promise<boolean>): Promise<void> => {
  const limit = Date.now() + 20_000;
  while (!(await condition())) {
    if (Date.now() > limit) throw new Error(`not within 20 s: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
};

const statusOf = (runner: ProjectionRunner, name = 'counts'): ProjectionStatus => {
  const status = runner.status().find(({ projection }) => projection === name);
  if (status === undefined) throw new Error(`no projection ${name}`);
  return status;
};

/** Counts the events of a category of its own, and falls over the value 'poison'. */
const counting = (category: string, version = 'v1'): Projection => ({
  name: 'counts',
  tables: ['counts'],
  schema: 'CREATE TABLE counts (stream text PRIMARY KEY, events bigint NOT NULL, batches bigint NOT NULL DEFAULT 0)',
  hash: version,
  streamPrefixes: [`${category}-`],
  project: (events) =>
    events.map((event): Statement => {
      if ((event.data as { value: unknown }).value === 'poison') throw new Error('cannot be applied');
      return {
        text: `INSERT INTO counts (stream, events) VALUES ($1, 1)
               ON CONFLICT (stream) DO UPDATE SET events = counts.events + 1`,
        values: [event.stream],
      };
    }),
});

const newCategory = (): string => `cat${newUuid().slice(0, 8)}`;

const write = async (category: string, values: readonly unknown[]): Promise<bigint> => {
  const events = values.map((value) => ({
    id: newUuid(),
    type: 'Counted.v1',
    data: { value },
    metadata: {
      $correlationId: newUuid(),
      actor: { type: 'system', id: 's' } as const,
      time: '2026-01-01T00:00:00.000Z',
      schemaVersion: 1,
    },
  }));
  return (await store.append(`${category}-one`, events, 'any', BUDGET)).position;
};

const counted = async (): Promise<number> => {
  const rows = await session.query<{ events: string }>('SELECT sum(events) AS events FROM projection_counts.counts');
  return Number(rows[0]?.events ?? 0);
};

const appendAll = async (written: readonly Written[]): Promise<bigint> => {
  let last = 0n;
  for (const [stream, event] of written) last = (await store.append(stream, [event], 'any', BUDGET)).position;
  return last;
};

describe('a projection', () => {
  it('is brought up to date and kept so', async () => {
    const category = newCategory();
    await write(category, [1, 2, 3]);
    const runner = await run([counting(category)]);
    await until('three events counted', async () => (await counted()) === 3);
    const position = await write(category, [4, 5]);
    await until('five events counted', async () => (await counted()) === 5);
    expect((await readCheckpoint(session, 'counts'))?.position).toBeGreaterThanOrEqual(position);
    await until('live', () => statusOf(runner).state === 'live');
    expect(statusOf(runner).lagSeconds).toBe(0);
  });

  it('reaches the end of the log although nothing in it is meant for it', async () => {
    const category = newCategory();
    await run([counting(category)]);
    await write(category, [1]);
    const head = await write(newCategory(), [1, 2, 3]);
    await until('the head is reached', async () => ((await readCheckpoint(session, 'counts'))?.position ?? 0n) >= head);
  });

  it('has one leader, and another one when it goes', async () => {
    const category = newCategory();
    const first = await run([counting(category)]);
    await until('the first leads', () => statusOf(first).state === 'live');
    const second = await run([counting(category)]);
    await until('the second stands by', () => statusOf(second).state === 'standby');
    await write(category, [1, 2]);
    await until('counted', async () => (await counted()) === 2);
    await first.stop();
    await until('the second leads', () => statusOf(second).state === 'live');
    await write(category, [3]);
    await until('counted on', async () => (await counted()) === 3);
  });

  it('does not wait for a leader that holds on to the lock but is not heard of', async () => {
    const projection = counting(newCategory());
    const stopped = await openSession(database, [projection]);
    expect(await stopped.tryLock(leaderLock('counts'))).toBe(true);
    const runner = await run([projection]);
    await until('standing by', () => statusOf(runner).state === 'standby');
    await session.query("UPDATE projections.checkpoints SET updated_at = now() - interval '1 minute'");
    await until('leading', () => statusOf(runner).state === 'live');
    await expect(stopped.query('SELECT 1')).rejects.toThrow(Unavailable);
  });

  it('neither lags on standby nor tells positions, whatever it knew when it led', async () => {
    const category = newCategory();
    const projection = counting(category);
    const runner = await run([projection]);
    await write(category, [1]);
    await until('it leads', () => statusOf(runner).state === 'live' && statusOf(runner).eventsPerSecond > 0);
    expect(runner.board.position('counts')).toBeDefined();
    const other = await openSession(database, []);
    const lock = other.query('SELECT pg_advisory_lock(hashtextextended($1, 0))', [leaderLock('counts')]);
    await session.query(
      `SELECT pg_terminate_backend(pid) FROM pg_locks
        WHERE locktype = 'advisory' AND granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    );
    await lock;
    await until('it stands by', () => statusOf(runner).state === 'standby');
    expect(statusOf(runner)).toMatchObject({ lagSeconds: 0, position: undefined });
    expect(runner.board.position('counts')).toBeUndefined();
    other.close();
  });

  it('counts every event once, however often its leader is torn from it', async () => {
    const category = newCategory();
    await run([counting(category)]);
    await run([counting(category)]);
    for (let round = 0; round < 8; round += 1) {
      await write(
        category,
        Array.from({ length: 40 }, () => round),
      );
      await session.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'projections' AND pid <> pg_backend_pid()
           AND datname = current_database()`,
      );
    }
    await until('all are counted', async () => (await counted()) >= 320);
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(await counted()).toBe(320);
  });

  it('stops at an event that it cannot apply, says where, and applies nothing behind it', async () => {
    const category = newCategory();
    await write(category, [1, 2]);
    const poison = await write(category, ['poison']);
    await write(category, [4]);
    const runner = await run([counting(category)]);
    await until('failed', () => statusOf(runner).state === 'failed');
    expect(statusOf(runner)).toMatchObject({
      problem: 'cannot be applied',
      failedAt: { position: poison, stream: `${category}-one`, type: 'Counted.v1' },
    });
    expect(await counted()).toBe(2);
    expect((await readCheckpoint(session, 'counts'))?.position).toBeLessThan(poison);
  });

  it('lets no earlier leader write once another one has taken over', async () => {
    const projection = counting(newCategory());
    await openSession(database, [projection]).then((opened) => opened.close());
    const earlier = await takeOver(session, projection);
    const later = await takeOver(session, projection);
    await expect(moveCheckpoint(session, projection, 'live', earlier?.epoch ?? '', 5n)).rejects.toThrow(Fenced);
    await moveCheckpoint(session, projection, 'live', later?.epoch ?? '', 5n);
    await expect(moveCheckpoint(session, projection, 'live', later?.epoch ?? '', 4n)).rejects.toThrow(Fenced);
  });

  it('is rebuilt and swapped by a newer version, which the older one yields to', async () => {
    const category = newCategory();
    await write(category, [1, 2, 3]);
    const older = await run([counting(category, 'older')]);
    await until('counted', async () => (await counted()) === 3);
    const doubling = counting(category, 'newer');
    const newer = await run([
      { ...doubling, project: (events) => doubling.project(events.flatMap((event) => [event, event])) },
    ]);
    await until('counted twice', async () => (await counted()) === 6);
    await write(category, [4]);
    await until('the older one yields', () => statusOf(older).state === 'superseded');
    await until('the newer one leads', () => statusOf(newer).state === 'live');
    await until('counted on', async () => (await counted()) === 8);
    const restarted = await run([counting(category, 'older')]);
    await newer.stop();
    await until('an older one that comes back yields too', () => statusOf(restarted).state === 'superseded');
  });
});

describe('rows that are ahead of a log restored from an older back-up', () => {
  const ahead = async (by: bigint): Promise<bigint> => {
    const position = ((await store.head()) ?? 0n) + by;
    await session.query(`UPDATE projections.checkpoints SET position = $1 WHERE projection = 'counts'`, [position]);
    await session.query(`INSERT INTO projection_counts.counts (stream, events) VALUES ('of the lost log', 5)`);
    return position;
  };
  const projected = async (category: string): Promise<void> => {
    const runner = await run([counting(category)]);
    await until('live', () => statusOf(runner).state === 'live');
    await runner.stop();
  };

  it('are made anew by a start, and nothing that follows is skipped', async () => {
    const category = newCategory();
    await write(category, [1, 2, 3]);
    await projected(category);
    const position = await ahead(1_000n);
    const runner = await run([counting(category)]);
    await until('made anew', async () => (await counted()) === 3);
    await write(category, [4]);
    await until('counted on', async () => (await counted()) === 4);
    await until('live', () => statusOf(runner).state === 'live');
    expect(statusOf(runner).position).toBeLessThan(position);
  });

  it('are known for what they are also once the log has grown past them', async () => {
    const category = newCategory();
    await write(category, [1]);
    await projected(category);
    const position = await ahead(1n);
    const warnings: string[] = [];
    const warn = (_fields: object, message: string) => warnings.push(message);
    await disownReadModelsAhead({ projections: [counting(category)], store, database, log: { ...log, warn } });
    expect(warnings).toEqual([expect.stringContaining('ahead of the event log')]);
    expect((await readCheckpoint(session, 'counts'))?.position).toBeUndefined();
    while ((await write(category, [2])) < position);
    const events = (await write(category, [3])) >= position;
    expect(events).toBe(true);
    const runner = await run([counting(category)]);
    await until('made anew', () => statusOf(runner).state === 'live');
    const rows = await session.query(`SELECT 1 FROM projection_counts.counts WHERE stream = 'of the lost log'`);
    expect(rows).toEqual([]);
  });

  it('are told from rows that other instances move on while an instance starts', async () => {
    const category = newCategory();
    await write(category, [1]);
    const runner = await run([counting(category)]);
    await until('live', () => statusOf(runner).state === 'live');
    const headThatIsOvertaken = async (): Promise<bigint | undefined> => {
      const head = await store.head();
      const position = await write(category, [2]);
      const passed = async () => ((await readCheckpoint(session, 'counts'))?.position ?? 0n) >= position;
      await until('projected past the head', passed);
      return head;
    };
    expect(await disownRowsAhead(session, 'counts', headThatIsOvertaken)).toBeUndefined();
  });
});

describe('all projections', () => {
  it('have the rows that their events say, in step with the log', async () => {
    const history = new Histories((below) => Math.floor(Math.random() * below), [newTenantId(), newTenantId()]);
    history.credits(60);
    history.audit(30);
    history.identities(40);
    history.ingestions(8);
    const runner = await run(projections);
    const last = await appendAll(history.written);
    await until('caught up', () => runner.status().every(({ position }) => position !== undefined && position >= last));
    const balances = projections.find(({ name }) => name === 'balances');
    if (balances === undefined) throw new Error('no balances');
    const { balances: rows = [], credit_transactions: transactions = [] } = await rowsOf(session, balances);
    for (const row of rows.map((text) => JSON.parse(text) as { tenant_id: string; balance: number })) {
      const own = transactions
        .map((text) => JSON.parse(text) as { tenant_id: string; amount: number })
        .filter(({ tenant_id }) => tenant_id === row.tenant_id);
      expect(own.reduce((sum, { amount }) => sum + amount, 0)).toBe(row.balance);
    }
  });
});
