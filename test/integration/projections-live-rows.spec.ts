import { jest } from '@jest/globals';
import { Unavailable } from '../../src/kernel/unavailable.js';
import { Database, type Queryable } from '../../src/platform/postgres/database.js';
import { disownRowsAhead, readCheckpoint, schemaOf } from '../../src/log/project/checkpoints.js';
import { type Projection } from '../../src/log/project/projection.js';
import { disownReadModelsAhead, prepareReadModels, ProjectionRunner } from '../../src/log/project/runner.js';
import { ProjectionSession } from '../../src/platform/postgres/session.js';
import { PostgresReadModels, readModelSearchPath } from '../../src/log/project/read-models.js';
import { ReadModelWatch } from '../../src/log/project/read-model-states.js';
import {
  openWorld,
  log,
  store,
  database,
  session,
  pools,
  runners,
  run,
  until,
  statusOf,
  counting,
  newCategory,
  write,
  counted,
} from './projections-world.js';

openWorld();

describe('live rows', () => {
  it('of another version are found by no query, which throws Unavailable before the swap and after it', async () => {
    const category = newCategory();
    await write(category, [1]);
    const models = (projection: Projection) => {
      const searchPath = readModelSearchPath([projection]);
      const pool = new Database({ connectionString: database, searchPath, maxConnections: 1 });
      pools.push(pool);
      return new PostgresReadModels({ database: pool, store, projections: [projection] });
    };
    const [older, newer] = [counting(category, 'older'), counting(category, 'newer')];
    const read = (from: PostgresReadModels) =>
      from.query<{ events: string }>({ name: 'counts', text: 'SELECT events FROM counts', values: [] });
    const first = await run([older]);
    await until('counted', async () => (await counted()) === 1);
    const [before, after] = [models(older), models(newer)];
    expect(await read(before)).toEqual([{ events: '1' }]);
    await until('believed', async () => (await before.states()).get('counts') === 'current');
    await expect(read(after)).rejects.toMatchObject({ name: 'Unavailable', part: 'read_models' });
    await expect(after.assertCurrent('counts')).rejects.toThrow(Unavailable);
    await run([newer]);
    await until('the older one yields', () => ['superseded', 'standby'].includes(statusOf(first).state));
    expect(await read(after)).toEqual([{ events: '1' }]);
    await expect(read(before)).rejects.toMatchObject({ name: 'Unavailable', part: 'read_models' });
    await until('told apart', async () => (await before.states()).get('counts') === 'other_version');
    await until('believed', async () => (await after.states()).get('counts') === 'current');
  });

  it('are not believed after a failed look before they hold what the log then held', async () => {
    const category = newCategory();
    const projection = counting(category);
    await write(category, [1]);
    const runner = await run([projection]);
    await until('live', () => statusOf(runner).state === 'live');
    await runner.stop();
    let away = false;
    const flaky: Queryable = {
      query: (text, values, name) =>
        away ? Promise.reject(new Unavailable('postgres')) : session.query(text, values, name),
    };
    const watch = new ReadModelWatch({ database: flaky, projections: [projection], headOfLog: () => store.head() });
    const state = async () => (await watch.states()).get('counts');
    expect(await state()).toBe('current');
    await write(category, [2]);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(await state()).toBe('current');
    away = true;
    await new Promise((resolve) => setTimeout(resolve, 300));
    await expect(state()).rejects.toThrow(Unavailable);
    away = false;
    expect(await state()).toBe('catching_up');
    await run([projection]);
    await until('believed again', async () => (await state()) === 'current');
  });
});

describe('rows of a new projection', () => {
  it('are made by a rebuild where others follow the log already, and found by no query before', async () => {
    const category = newCategory();
    await write(category, [1, 2]);
    const other = { ...counting(category), name: 'other' };
    const runner = await run([other]);
    await until(
      'live',
      () => statusOf(runner, 'other').state === 'live' && statusOf(runner, 'other').position !== undefined,
    );
    const added = counting(category);
    await prepareReadModels(database, [other, added]);
    const pool = new Database({
      connectionString: database,
      searchPath: readModelSearchPath([added]),
      maxConnections: 1,
    });
    pools.push(pool);
    const models = new PostgresReadModels({ database: pool, store, projections: [added] });
    const read = () => models.query<{ events: string }>({ text: 'SELECT events FROM counts', values: [] });
    await expect(read()).rejects.toMatchObject({ name: 'Unavailable', part: 'read_models' });
    expect((await models.states()).get('counts')).toBe('other_version');
    const newer = await run([other, added]);
    await until('rebuilt', () => statusOf(newer).state === 'live');
    expect(await read()).toEqual([{ events: '2' }]);
  });
});

describe('rows that are ahead of a log restored from an older back-up', () => {
  const ahead = async (by: bigint): Promise<bigint> => {
    const position = ((await store.head()) ?? 0n) + by;
    await session.query(`UPDATE projections.checkpoints SET position = $1 WHERE projection = 'counts'`, [position]);
    await session.query(
      `INSERT INTO ${schemaOf({ name: 'counts', version: 'v1' }, 'live')}.counts (stream, events) VALUES ('of the lost log', 5)`,
    );
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

  it('are made anew also where a start looked at them just before', async () => {
    const category = newCategory();
    await write(category, [1, 2, 3]);
    await projected(category);
    await ahead(1_000n);
    let projecting: () => void = () => undefined;
    const led = new Promise<void>((resolve) => (projecting = resolve));
    const info = (_fields: object, message: string): void => void (message === 'projecting' && projecting());
    const runner = new ProjectionRunner({ projections: [counting(category)], store, database, log: { ...log, info } });
    runners.push(runner);
    const close = ProjectionSession.prototype.close;
    let closed = 0;
    // The first one made the schemas, the second looked whether rows are to be made: it holds them until this process leads.
    const held = jest.spyOn(ProjectionSession.prototype, 'close').mockImplementation(async function (
      this: ProjectionSession,
    ) {
      if ((closed += 1) > 1) await led;
      return close.call(this);
    });
    await runner.start();
    await led;
    held.mockRestore();
    await until('made anew', async () => (await counted()) === 3);
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
    const rows = await session.query(
      `SELECT 1 FROM ${schemaOf({ name: 'counts', version: 'v1' }, 'live')}.counts WHERE stream = 'of the lost log'`,
    );
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
