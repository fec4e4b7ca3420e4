import { puttingRows } from '../../src/log/project/define-projection.js';
import { disownRowsAhead, prepareSchemas, readCheckpoint, schemaOf } from '../../src/log/project/checkpoints.js';
import { type Projection, type Statement } from '../../src/log/project/projection.js';
import { Rebuild, type RebuildStage } from '../../src/log/project/rebuild.js';
import { ProjectionSession } from '../../src/platform/postgres/session.js';
import {
  counted,
  counting,
  database,
  newCategory,
  openWorld,
  run,
  session,
  statusOf,
  store,
  until,
  write,
} from './projections-world.js';
import { eventually } from '../support/stack.js';

openWorld();

const { signal } = new AbortController();

const projected = async (projection: Projection): Promise<void> => {
  const runner = await run([projection]);
  await until('live', () => statusOf(runner, projection.name).state === 'live');
  await runner.stop();
};

const valueOf = (event: { readonly data: unknown }): string => (event.data as { value: string }).value;

const put = puttingRows('texts', { id: 'uuid', said: 'text', length: 'bigint', nothing: 'text' });

const putting = (category: string): Projection => ({
  ...counting(category),
  name: 'texts',
  tables: ['texts'],
  schema: 'CREATE TABLE texts (id uuid PRIMARY KEY, said text, length bigint, nothing text)',
  project: (events) => {
    const eventTexts = events.map(valueOf);
    return [put(events.map(({ id }, index) => [id, eventTexts[index] ?? '', -(eventTexts[index] ?? '').length, null]))];
  },
});

describe('a rebuild', () => {
  it('puts by COPY the rows that the live projection inserts', async () => {
    const category = newCategory();
    const projection = putting(category);
    const awkward = ['', '\\', '\\N', '\\.', 'a\tb', 'a\nb', 'a\r\nb', '"{}",', "'", 'é 💶', '\u2028', '\v\f\b'];
    await write(category, [...awkward, awkward.join('')]);
    await projected(projection);
    const rebuild = await Rebuild.begin({ session, store, projection, signal });
    const { tables } = await rebuild.compareWithLive();
    expect(tables).toEqual([
      { table: 'texts', liveRows: 13, rebuiltRows: 13, equal: true, differing: 0, differences: [] },
    ]);
  });

  it('leaves the live rows as they are where it ends in the middle, and begins anew', async () => {
    const category = newCategory();
    const projection = putting(category);
    await write(category, ['a', 'b']);
    await projected(projection);
    const other = await ProjectionSession.open(database);
    const cut = await Rebuild.begin({ session: other, store, projection, signal });
    await Rebuild.readTogether([cut]);
    await other.close();
    await until('unlocked', () => session.tryLock('projection.texts.rebuild'));
    await write(category, ['c']);
    await projected(projection);
    const rebuild = await Rebuild.begin({ session, store, projection, signal });
    const { tables } = await rebuild.compareWithLive();
    expect(tables).toEqual([
      { table: 'texts', liveRows: 3, rebuiltRows: 3, equal: true, differing: 0, differences: [] },
    ]);
    await rebuild.swap();
    expect(await readCheckpoint(session, 'texts', 'shadow')).toBeUndefined();
    const left = await session.query(`SELECT nspname FROM pg_namespace WHERE nspname LIKE 'projection_texts%'`);
    expect(left).toEqual([{ nspname: schemaOf(projection, 'live') }]);
  });

  const INDEXES = `
    SELECT indexname FROM pg_indexes WHERE schemaname = current_schema() AND tablename = 'seen' ORDER BY 1`;

  /** Notes how many indexes there are whenever a statement runs. */
  const noting = (category: string): Projection => ({
    ...counting(category),
    name: 'seen',
    tables: ['seen'],
    schema: `CREATE TABLE seen (id uuid PRIMARY KEY, what text NOT NULL UNIQUE, indexes bigint);
      CREATE INDEX seen_by_what ON seen (indexes, what DESC) WHERE indexes > 0;
      CREATE UNIQUE INDEX seen_once ON seen (lower(what));`,
    project: (events) =>
      events.map((event): Statement => {
        const text = `INSERT INTO seen SELECT $1, $2, count(*) FROM (${INDEXES}) i`;
        const values = [event.id, valueOf(event)];
        return valueOf(event) === 'search' ? { text, values, searches: true } : { text, values };
      }),
  });

  const seen = (projection: Projection) =>
    session.query<{ what: string; indexes: string }>(
      `SELECT what, indexes FROM ${schemaOf(projection, 'live')}.seen ORDER BY what`,
    );
  const indexesOf = (projection: Projection) =>
    session.transaction(schemaOf(projection, 'live'), () => session.query<{ indexname: string }>(INDEXES));

  it('makes the indexes that are not unique once the rows stand, and all of them', async () => {
    const category = newCategory();
    const projection = noting(category);
    await write(category, ['a', 'b']);
    await projected(projection);
    const before = await indexesOf(projection);
    expect((await seen(projection)).map(({ indexes }) => indexes)).toEqual(['4', '4']);
    const rebuild = await Rebuild.begin({ session, store, projection, signal });
    await rebuild.swap();
    expect((await seen(projection)).map(({ indexes }) => indexes)).toEqual(['3', '3']);
    expect(await indexesOf(projection)).toEqual(before);
  });

  it('tells of each index that it makes, which of how many, and of the comparison', async () => {
    const category = newCategory();
    const base = noting(category);
    const projection = { ...base, schema: `${base.schema} CREATE INDEX seen_by_number ON seen (indexes);` };
    await write(category, ['a']);
    await projected(projection);
    const stages: RebuildStage[] = [];
    const onStage = (stage: RebuildStage): void => void stages.push(stage);
    const rebuild = await Rebuild.begin({ session, store, projection, signal, onStage });
    await rebuild.compareWithLive();
    await rebuild.swap();
    expect(stages).toEqual([
      { doing: 'making indexes', number: 1, of: 2 },
      { doing: 'making indexes', number: 2, of: 2 },
      { doing: 'comparing' },
    ]);
  });

  it('makes them before the first statement that searches by them', async () => {
    const category = newCategory();
    const projection = noting(category);
    await projected(projection);
    await write(category, ['search']);
    const rebuild = await Rebuild.begin({ session, store, projection, signal });
    await rebuild.swap();
    expect(await seen(projection)).toEqual([{ what: 'search', indexes: '4' }]);
  });

  it('compares with what took the place of live rows that were disowned while it compared', async () => {
    const category = newCategory();
    const projection = counting(category);
    const position = await write(category, [1, 2, 3]);
    await projected(projection);
    const other = await ProjectionSession.open(database);
    let compared = 0;
    const disowning = Object.assign(Object.create(session) as ProjectionSession, {
      query: async (...[text, ...rest]: Parameters<ProjectionSession['query']>) => {
        if (text.includes('information_schema.columns')) compared += 1;
        if (compared === 1) {
          compared += 1;
          expect(await disownRowsAhead(other, 'counts', () => Promise.resolve(position - 1n))).toBeDefined();
        }
        return session.query(text, ...rest);
      },
    });
    const rebuild = await Rebuild.begin({ session: disowning, store, projection, signal });
    expect(await rebuild.compareWithLive()).toMatchObject({ comparedAt: undefined });
    expect((await readCheckpoint(session, 'counts'))?.version).not.toBe(projection.version);
    await rebuild.swap();
    await other.close();
    expect(await counted()).toBe(3);
  });

  it('reads the log once for several, and gives each what is meant for it', async () => {
    const [one, two] = [newCategory(), newCategory()];
    const [first, second] = [
      { ...counting(one), name: 'first' },
      { ...counting(two), name: 'second' },
    ];
    await session.transaction('projections', () => prepareSchemas(session, [first, second]));
    await write(one, [1, 2]);
    await write(two, [1, 2, 3]);
    let reads = 0;
    const log = Object.assign(Object.create(store) as typeof store, {
      subscribeToAllInPages: (options: Parameters<typeof store.subscribeToAllInPages>[0]) => {
        reads += 1;
        return store.subscribeToAllInPages(options);
      },
    });
    const begin = (projection: Projection) => Rebuild.begin({ session, store: log, projection, signal });
    const rebuilds = [await begin(first), await begin(second)] as const;
    await Rebuild.readTogether(rebuilds);
    expect(reads).toBe(1);
    for (const { name } of [first, second]) {
      const { events } = (
        await session.query<{ events: string }>(`SELECT sum(events) AS events FROM projection_${name}_shadow.counts`)
      )[0] ?? { events: '' };
      expect([name, events]).toEqual(name === 'first' ? ['first', '2'] : ['second', '3']);
    }
    for (const rebuild of rebuilds) await rebuild.swap();
    expect((await readCheckpoint(session, 'second'))?.position).toBeDefined();
  });

  it('reads for several only as far as the live rows of each have come, which may be behind', async () => {
    const [one, two] = [newCategory(), newCategory()];
    const behind = { ...counting(one), name: 'first' };
    const current = { ...counting(two), name: 'second' };
    await write(one, [1]);
    await write(two, [1]);
    const slow = await run([behind, current]);
    const reached = await write(one, [2]);
    await eventually('the live rows', async () => (await readCheckpoint(session, 'first'))?.position === reached);
    await slow.stop();
    await write(one, [3]);
    await write(two, [2]);
    const fast = await run([current]);
    await write(two, [3]);
    await eventually('the other live rows', async () => (await liveEventsOf(current)) === 3);
    await fast.stop();
    await write(two, [4]);

    const begin = (projection: Projection) => Rebuild.begin({ session, store, projection, signal });
    const rebuilds = [await begin(behind), await begin(current)] as const;
    await Rebuild.readTogether(rebuilds);
    for (const [index, rows] of [2, 3].entries()) {
      const { tables } = (await rebuilds[index]?.compareWithLive()) ?? { tables: [] };
      expect(tables).toMatchObject([{ equal: true }]);
      expect(await liveEventsOf([behind, current][index] as Projection)).toBe(rows);
    }
  });

  const liveEventsOf = async (projection: Projection): Promise<number> => {
    const table = `${schemaOf(projection, 'live')}.counts`;
    const rows = await session.query<{ events: string }>(`SELECT coalesce(sum(events), 0) AS events FROM ${table}`);
    return Number(rows[0]?.events);
  };
});
