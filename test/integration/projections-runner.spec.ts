import { projections } from '../../src/projections.js';
import { newTenantId } from '../../src/kernel/ids.js';
import { Unavailable } from '../../src/kernel/unavailable.js';
import { Fenced, moveCheckpoint, readCheckpoint, schemaOf, takeOver } from '../../src/log/project/checkpoints.js';
import { readFailures, readSetAside, setAside } from '../../src/log/project/failures.js';
import { type Projection } from '../../src/log/project/projection.js';
import { Rebuild } from '../../src/log/project/rebuild.js';
import { Histories, openSession, rowsOf } from './projections-histories.js';
import { sleep } from '../support/stack.js';
import {
  openWorld,
  database,
  session,
  store,
  run,
  until,
  statusOf,
  counting,
  newCategory,
  write,
  counted,
  appendAll,
} from './projections-world.js';

openWorld();

const LEADER = 'leader.projections';
const INSERT =
  'INSERT INTO counts (stream, events) VALUES ($1, 1) ON CONFLICT (stream) DO UPDATE SET events = counts.events + 1';

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
    await until('without lag', () => statusOf(runner).lagSeconds === 0);
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
    const [elected, writing] = [await openSession(database, [projection]), await openSession(database, [])];
    expect(await elected.tryLock(LEADER)).toBe(true);
    // In the middle of a batch, whose checkpoint nobody else can move.
    expect(await writing.tryLock('projections.writer')).toBe(true);
    await writing.query('BEGIN; UPDATE projections.checkpoints SET updated_at = now()');
    await session.query("INSERT INTO leaders (name, heard_at, rank) VALUES ('projections', now(), 1000000)");
    const runner = await run([projection]);
    await sleep(1_500);
    expect(statusOf(runner).state).toBe('standby');
    await session.query("UPDATE leaders SET heard_at = now() - interval '1 minute'");
    await until('leading', () => statusOf(runner).state === 'live');
    for (const each of [elected, writing]) await expect(each.query('SELECT 1')).rejects.toThrow(Unavailable);
  });

  it('neither lags on standby nor tells positions, whatever it knew when it led', async () => {
    const category = newCategory();
    const projection = counting(category);
    const runner = await run([projection]);
    await write(category, [1]);
    await until('it leads', () => statusOf(runner).state === 'live' && statusOf(runner).eventsPerSecond > 0);
    expect(runner.board.position('counts')).toBeDefined();
    const other = await openSession(database, []);
    const lock = other.query('SELECT pg_advisory_lock(hashtextextended($1, 0))', [LEADER]);
    await session.query(
      `SELECT pg_terminate_backend(pid) FROM pg_locks
        WHERE locktype = 'advisory' AND granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    );
    await lock;
    await until('it stands by', () => statusOf(runner).state === 'standby');
    expect(statusOf(runner)).toMatchObject({ lagSeconds: 0, position: undefined });
    expect(runner.board.position('counts')).toBeUndefined();
    await other.close();
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
      problem: `counts cannot apply Counted.v1 at position ${poison} of ${category}-one: cannot be applied`,
      failedAt: { position: poison, stream: `${category}-one`, type: 'Counted.v1' },
    });
    expect(await counted()).toBe(2);
    expect((await readCheckpoint(session, 'counts'))?.position).toBeLessThan(poison);
    const place = { projection: 'counts', version: 'v1', position: String(poison), stream: `${category}-one` };
    await until('noted', async () => (await readFailures(session)).length === 1);
    expect(await readFailures(session)).toMatchObject([{ ...place, type: 'Counted.v1', cause: 'Error' }]);

    const mended = counting(category, 'v2');
    await run([{ ...mended, project: (events) => events.map(({ stream }) => ({ text: INSERT, values: [stream] })) }]);
    await until('mended', async () => (await counted()) === 4);
    await until('forgotten', async () => (await readFailures(session)).length === 0);
  });

  it('goes on without an event that is set aside, in rows made anew too, until a version applies it', async () => {
    const category = newCategory();
    await write(category, [1, 2]);
    const poison = await write(category, ['poison']);
    await write(category, [4]);
    const projection = counting(category);
    const runner = await run([projection]);
    await until('noted', async () => (await readFailures(session)).length === 1);
    expect(await setAside(session, 'counts', poison - 1n, 'who')).toBeUndefined();
    expect(await setAside(session, 'counts', poison, 'who')).toMatchObject({ type: 'Counted.v1', operator: 'who' });
    await until('the events after it', async () => (await counted()) === 3);
    await until('live', () => statusOf(runner).state === 'live');
    await write(category, [5]);
    await until('what follows', async () => (await counted()) === 4);
    expect(await readSetAside(session)).toMatchObject([{ projection: 'counts', position: String(poison) }]);
    const own = await openSession(database, [projection]);
    await (await Rebuild.begin({ session: own, store, projection, signal: new AbortController().signal })).swap();
    await own.close();
    expect(await counted()).toBe(4);

    const mended = counting(category, 'v2');
    await run([{ ...mended, project: (events) => events.map(({ stream }) => ({ text: INSERT, values: [stream] })) }]);
    await until('all of them', async () => (await counted()) === 5);
    expect(await readSetAside(session)).toEqual([]);
  });

  it.each([
    ['no rows', (counted: Projection): Projection => counted],
    [
      'rows that Postgres refuses',
      (counted: Projection): Projection => ({
        ...counted,
        project: (events) =>
          events.map(({ data, stream }) => ({
            text: INSERT.replace('1)', '$2)'),
            values: [stream, (data as { value: unknown }).value],
          })),
      }),
    ],
  ])('names an event that a new version has %s for, and goes on once it is set aside', async (_, changed) => {
    const category = newCategory();
    await write(category, [1, 2]);
    const poison = await write(category, ['poison']);
    await write(category, [4]);
    const older = counting(category);
    await run([{ ...older, project: (events) => events.map(({ stream }) => ({ text: INSERT, values: [stream] })) }]);
    await until('all of them', async () => (await counted()) === 4);
    const newer = await run([changed(counting(category, 'v2'))]);
    await until('noted', async () => (await readFailures(session)).length === 1);
    expect(await readFailures(session)).toMatchObject([{ version: 'v2', position: String(poison) }]);
    expect(await counted()).toBe(4);
    await setAside(session, 'counts', poison, 'who');
    await until('live', () => statusOf(newer).state === 'live');
    expect((await readCheckpoint(session, 'counts'))?.version).toBe('v2');
  });

  it('goes on by itself once a rebuild has made the rows that it could not write', async () => {
    const category = newCategory();
    const projection = counting(category);
    const runner = await run([projection]);
    await write(category, [1]);
    await until('counted', async () => (await counted()) === 1);
    const { version = '' } = (await readCheckpoint(session, 'counts')) ?? {};
    await session.query(
      `ALTER TABLE ${schemaOf({ name: 'counts', version }, 'live')}.counts RENAME COLUMN events TO lost`,
    );
    await write(category, [2]);
    await until('failed', () => statusOf(runner).state === 'failed');
    const own = await openSession(database, [projection]);
    await (await Rebuild.begin({ session: own, store, projection, signal: new AbortController().signal })).swap();
    await own.close();
    await until('live', () => statusOf(runner).state === 'live');
    await write(category, [3]);
    await until('what follows', async () => (await counted()) === 3);
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
    const [earlier, later] = ['v1', 'v2'];
    const category = newCategory();
    await write(category, [1, 2, 3]);
    const older = await run([counting(category, earlier)]);
    await until('counted', async () => (await counted()) === 3);
    const doubling = counting(category, later);
    const newer = await run([
      { ...doubling, project: (events) => doubling.project(events.flatMap((event) => [event, event])) },
    ]);
    await until('counted twice', async () => (await counted()) === 6);
    await write(category, [4]);
    await until('the older one yields', () => ['superseded', 'standby'].includes(statusOf(older).state));
    await until('the newer one leads', () => statusOf(newer).state === 'live');
    await until('counted on', async () => (await counted()) === 8);
    const restarted = await run([counting(category, earlier)]);
    await newer.stop();
    await until('an older one that starts again yields too', () => statusOf(restarted).state === 'superseded');
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
    const ledger = projections.find(({ name }) => name === 'ledger');
    if (ledger === undefined) throw new Error('no ledger');
    const { balances: rows = [], credit_transactions: transactions = [] } = await rowsOf(session, ledger);
    for (const row of rows.map((text) => JSON.parse(text) as { tenant: string; balance: number })) {
      const own = transactions
        .map((text) => JSON.parse(text) as { tenant: string; amount: number })
        .filter(({ tenant }) => tenant === row.tenant);
      expect(own.reduce((sum, { amount }) => sum + amount, 0)).toBe(row.balance);
    }
  });
});
