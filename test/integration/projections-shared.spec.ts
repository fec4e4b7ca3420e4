import fc from 'fast-check';
import { projections } from '../../src/projections.js';
import { readCheckpoint, schemaOf } from '../../src/log/project/checkpoints.js';
import { type Projection } from '../../src/log/project/projection.js';
import { Rebuild } from '../../src/log/project/rebuild.js';
import { type ProjectionRunner } from '../../src/log/project/runner.js';
import { type ProjectionSession } from '../../src/platform/postgres/session.js';
import { soak, soakSeed } from '../support/soak.js';
import { histories, openSession } from './projections-histories.js';
import {
  appendAll,
  counting,
  database,
  newCategory,
  openWorld,
  run,
  runners,
  session,
  statusOf,
  store,
  until,
  write,
} from './projections-world.js';

openWorld();

/** They all have a table of the same name, each in its own schema. */
const named = (name: string, category: string): Projection => ({ ...counting(category), name });

/** Does not mind what others fall over. */
const hardy = (name: string, category: string): Projection => ({
  ...named(name, category),
  project: (events) =>
    events.map(({ stream }) => ({
      text: `INSERT INTO counts (stream, events) VALUES ($1, 1) ON CONFLICT (stream) DO UPDATE SET events = counts.events + 1`,
      values: [stream],
    })),
});

/** Postgres refuses its rows of the value 'poison', and ends the connection over the value 'mine' as long as it is armed. */
const refused = (name: string, category: string): Projection => ({
  ...hardy(name, category),
  project: (events) => [
    ...hardy(name, category).project(events),
    ...events
      .map(({ data }) => (data as { value: unknown }).value)
      .flatMap((value) => {
        if (value === 'poison') return [{ text: 'SELECT 1 / 0', values: [] }];
        const mine = 'SELECT pg_terminate_backend(pg_backend_pid()) FROM public.armed';
        return value === 'mine' ? [{ text: mine, values: [] }] : [];
      }),
  ],
});

const countedBy = async (name: string, from: ProjectionSession = session): Promise<number> => {
  const live = schemaOf({ name, version: 'v1' }, 'live');
  const rows = await from.query<{ events: string | null }>(`SELECT sum(events) AS events FROM ${live}.counts`);
  return Number(rows[0]?.events ?? 0);
};

const live = (runner: ProjectionRunner): Promise<void> =>
  until('all live', () => runner.status().every(({ state }) => state === 'live'));

const positionOf = async (name: string): Promise<bigint> => (await readCheckpoint(session, name))?.position ?? -1n;

const tearConnections = (): Promise<unknown> =>
  session.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'projections' AND pid <> pg_backend_pid()
       AND datname = current_database()`,
  );

describe('projections that are level with the log', () => {
  it('are written by one transaction a batch, over one connection', async () => {
    const category = newCategory();
    const names = ['one', 'two', 'three'];
    await live(await run(names.map((name) => named(name, category))));
    const last = await write(category, [1, 2, 3]);
    for (const name of names) await until(name, async () => (await positionOf(name)) >= last);
    const rows = names.map(
      (name) => `SELECT xmin::text AS writer FROM ${schemaOf({ name, version: 'v1' }, 'live')}.counts`,
    );
    expect(await session.query(rows.join(' UNION '))).toHaveLength(1);
    const locks = await session.query<{ pid: number; locks: string }>(
      `SELECT pid, count(*) AS locks FROM pg_locks WHERE locktype = 'advisory' AND granted
         AND database = (SELECT oid FROM pg_database WHERE datname = current_database()) GROUP BY pid`,
    );
    expect(locks.map(({ locks: count }) => count)).toEqual(['1', '1']);
  });

  it('never write two events that end a batch in one transaction, before they are level and after it', async () => {
    const category = newCategory();
    const valueOf = (data: unknown): unknown => (data as { readonly value: unknown }).value;
    const batches: unknown[][] = [];
    const ending: Projection = {
      ...named('ending', category),
      endsBatch: ({ data }) => valueOf(data) === 'end',
      project: (events) => {
        batches.push(events.map(({ data }) => valueOf(data)));
        return named('ending', category).project(events);
      },
    };
    await write(category, [1, 'end', 'end', 2]);
    await live(await run([ending, named('other', category)]));
    const last = await write(category, [3, 'end', 'end', 4]);
    for (const name of ['ending', 'other']) await until(name, async () => (await positionOf(name)) >= last);
    expect(batches.flat()).toEqual([1, 'end', 'end', 2, 3, 'end', 'end', 4]);
    expect(batches.filter((batch) => batch.slice(0, -1).includes('end'))).toEqual([]);
    expect(await countedBy('other')).toBe(8);
  });

  it.each([
    ['cannot tell what to write', named],
    ['tells what Postgres refuses', refused],
  ])('go on without one that %s, which stops at the event', async (_, faulty) => {
    const category = newCategory();
    const runner = await run([hardy('one', category), faulty('faulty', category), hardy('two', category)]);
    await live(runner);
    const before = await write(category, [1, 2]);
    const poison = await write(category, [3, 'poison', 4]);
    await until('it stops', () => statusOf(runner, 'faulty').state === 'failed');
    const after = await write(category, [5]);
    for (const name of ['one', 'two']) await until(name, async () => (await positionOf(name)) >= after);
    expect([await countedBy('one'), await countedBy('faulty'), await countedBy('two')]).toEqual([6, 3, 6]);
    const stopped = await positionOf('faulty');
    expect(stopped >= before && stopped < poison).toBe(true);
    expect(statusOf(runner, 'faulty').failedAt).toMatchObject({ stream: `${category}-one`, type: 'Counted.v1' });
    expect(runner.status().map(({ state }) => state)).toEqual(['live', 'failed', 'live']);
  });

  it('are not held up by a swap of one of them', async () => {
    const category = newCategory();
    await live(await run([named('one', category), named('swapped', category)]));
    const swap = await openSession(database, []);
    const position = await swap.transaction('projections', async () => {
      await readCheckpoint(swap, 'swapped', 'live', 'FOR UPDATE');
      const last = await write(category, [1, 2, 3]);
      await until('the other goes on', async () => (await positionOf('one')) >= last);
      expect(await countedBy('swapped')).toBe(0);
      return last;
    });
    await swap.close();
    await until('it follows', async () => (await positionOf('swapped')) >= position);
    expect([await countedBy('one'), await countedBy('swapped')]).toEqual([3, 3]);
  });

  it('have all rows of a batch or none, while connections end in the middle of it', async () => {
    const category = newCategory();
    await session.query('CREATE TABLE public.armed AS SELECT 1');
    const names = ['one', 'mined', 'two'];
    const list = [hardy('one', category), refused('mined', category), hardy('two', category)];
    await Promise.all([run(list), run(list)]);
    const positions: bigint[] = [];
    const inStep = async (): Promise<void> => {
      const snapshot = await openSession(database, []);
      await snapshot.transaction(
        'projections',
        async () => {
          for (const name of names) {
            const at = (await readCheckpoint(snapshot, name))?.position ?? -1n;
            const due = positions.filter((position) => position <= at).length;
            expect([name, await countedBy(name, snapshot)]).toEqual([name, due]);
          }
        },
        'REPEATABLE READ',
      );
      await snapshot.close();
    };
    for (let round = 0; round < 12; round += 1) {
      positions.push(await write(category, [round % 4 === 1 ? 'mine' : round]));
      if (round % 3 === 2) await tearConnections();
      await inStep();
    }
    const [last = 0n] = positions.slice(-1);
    for (const name of ['one', 'two']) await until(name, async () => (await positionOf(name)) >= last);
    await inStep();
    expect(await positionOf('mined')).toBeLessThan(last);
    await session.query('DROP TABLE public.armed; CREATE TABLE public.armed (nothing int)');
    await until('the last one', async () => (await positionOf('mined')) >= last);
    await inStep();
  });
});

describe('a projection that recovers', () => {
  it('catches up by itself while the others go on, and joins them with every event once', async () => {
    const category = newCategory();
    await session.query('CREATE TABLE public.armed AS SELECT 1');
    const runner = await run([hardy('one', category), refused('behind', category), hardy('two', category)]);
    await live(runner);
    await write(category, ['mine']);
    await until('it goes apart', () => statusOf(runner, 'behind').state === 'waiting');
    for (let round = 0; round < 6; round += 1) await write(category, [round]);
    const last = await write(category, [6]);
    for (const name of ['one', 'two']) await until(name, async () => (await positionOf(name)) >= last);
    expect(await countedBy('behind')).toBe(0);
    await session.query('DROP TABLE public.armed; CREATE TABLE public.armed (nothing int)');
    let [end, written] = [last, 8];
    for (; statusOf(runner, 'behind').state !== 'live'; written += 1) end = await write(category, [written]);
    for (const name of ['one', 'behind', 'two']) await until(name, async () => (await positionOf(name)) >= end);
    expect([await countedBy('one'), await countedBy('behind'), await countedBy('two')]).toEqual(
      Array.from({ length: 3 }, () => written),
    );
  });
});

describe('projections whose leader begins', () => {
  it('are kept up to date while the rows of another one are still to be made, and while one is far behind', async () => {
    const category = newCategory();
    const names = ['one', 'two', 'behind', 'outdated'];
    await live(await run(names.map((name) => hardy(name, category))));
    const first = await write(category, [1, 2, 3]);
    for (const name of names) await until(name, async () => (await positionOf(name)) >= first);
    await Promise.all(runners.splice(0).map((runner) => runner.stop()));
    await session.query(`UPDATE projections.checkpoints SET position = NULL WHERE projection = 'behind'`);
    await session.query(`TRUNCATE ${schemaOf({ name: 'behind', version: 'v1' }, 'live')}.counts`);
    // As another rebuild does.
    const rebuilding = await openSession(database, []);
    expect(await rebuilding.tryLock('projection.outdated.rebuild')).toBe(true);
    const newer = { ...hardy('outdated', category), version: 'v2' };
    const runner = await run([...names.slice(0, 3).map((name) => hardy(name, category)), newer]);
    const second = await write(category, [4]);
    for (const name of ['one', 'two']) await until(name, async () => (await positionOf(name)) >= second);
    await until('the one behind', async () => (await positionOf('behind')) >= second);
    expect([await countedBy('one'), await countedBy('behind')]).toEqual([4, 4]);
    expect((await readCheckpoint(session, 'outdated'))?.version).toBe('v1');
    await rebuilding.close();
    await until('the newer rows', async () => (await readCheckpoint(session, 'outdated'))?.version === 'v2');
    await live(runner);
  });
});

describe('all projections, led by two instances in turn', () => {
  it('have the rows of a rebuild after any history, whatever connections break and whoever leads', async () => {
    const { signal } = new AbortController();
    const differences = async (projection: Projection): Promise<readonly string[]> => {
      const own = await openSession(database, projections);
      const rebuild = await Rebuild.begin({ session: own, store, projection, signal });
      const { tables } = await rebuild.compareWithLive();
      await rebuild.discard();
      await own.close();
      return tables.filter(({ equal }) => !equal).map(({ table }) => table);
    };
    let leader = await run(projections);
    let follower = await run(projections);
    const breaks = fc.array(fc.constantFrom('nothing', 'connections', 'leader'), { minLength: 4, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(histories, breaks, async ({ written }, ends) => {
        const size = Math.ceil(written.length / ends.length);
        let last = 0n;
        for (const [index, end] of ends.entries()) {
          last = await appendAll(written.slice(index * size, (index + 1) * size));
          if (end === 'connections') await tearConnections();
          if (end !== 'leader') continue;
          await leader.stop();
          [leader, follower] = [follower, await run(projections)];
        }
        const caughtUp = async ({ name }: Projection) => (await positionOf(name)) >= last;
        for (const each of projections) await until(each.name, () => caughtUp(each));
        for (const each of projections) expect([each.name, ...(await differences(each))]).toEqual([each.name]);
      }),
      { ...soakSeed, numRuns: soak(2, 15) },
    );
    await follower.stop();
  });
});
