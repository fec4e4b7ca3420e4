import { Database, type Queryable } from '../../src/platform/postgres/database.js';
import { compareTable, type TableComparison } from '../../src/log/project/compare.js';
import { createServiceDatabase } from '../support/stack.js';

interface Row {
  readonly tenant: string;
  readonly number: number;
  readonly position: number | null;
  readonly text: string;
}

let database: Database;

beforeAll(async () => {
  database = new Database({ connectionString: await createServiceDatabase() });
  for (const slot of ['live', 'rebuilt'])
    await database.query(
      `CREATE SCHEMA ${slot} CREATE TABLE things
         (number integer, position bigint, text text, tenant text, PRIMARY KEY (tenant, number))`,
    );
});

afterAll(() => database.close());

const fill = async (slot: string, rows: readonly Row[]): Promise<void> => {
  await database.query(`DELETE FROM ${slot}.things`);
  await database.query(
    `INSERT INTO ${slot}.things (tenant, number, position, text)
     SELECT * FROM json_to_recordset($1) AS r(tenant text, number integer, position bigint, text text)`,
    [JSON.stringify(rows)],
  );
};

const compare = (
  on: Queryable,
  rowsAtOnce: number,
  shown: Parameters<typeof compareTable>[2] = { limit: 3 },
): Promise<TableComparison> =>
  compareTable(on, { live: 'live', rebuilt: 'rebuilt', table: 'things' }, shown, rowsAtOnce);

const below = (end: number): number => Math.floor(Math.random() * end);

const randomRows = (): Row[] => {
  const keys = new Set(
    Array.from({ length: below(40) }, () => `${['a', 'B', 'ä', 'z'][below(4)] ?? ''} ${below(15) - 7}`),
  );
  return [...keys].map((key) => {
    const [tenant = '', number = ''] = key.split(' ');
    return { tenant, number: Number(number), position: below(3) === 0 ? null : below(1_000), text: String(below(2)) };
  });
};

/** Each may go, change or come. */
const changed = (rows: readonly Row[]): Row[] =>
  rows.flatMap((row) => {
    const fate = below(8);
    if (fate === 0) return [];
    return fate === 1 ? [{ ...row, text: 'other' }] : [row];
  });

describe('rows compared range by range', () => {
  it('differ exactly as in one range, whatever the ranges', async () => {
    for (let round = 0; round < 40; round += 1) {
      const rows = randomRows();
      await fill('live', rows);
      await fill('rebuilt', round % 4 === 0 ? rows : changed(rows));
      const whole = await compare(database, 1_000);
      for (const rowsAtOnce of [1, 2, 5]) {
        const inRanges = await compare(database, rowsAtOnce);
        expect({ ...inRanges, differences: inRanges.differences.length }).toEqual({
          ...whole,
          differences: whole.differences.length,
        });
        const placed = ({ differences }: TableComparison): unknown[] =>
          differences.map(({ live, rebuilt }) => (live ?? rebuilt)?.['position'] ?? null);
        expect(placed(inRanges)).toEqual(placed(whole));
      }
    }
  });

  it('show the row that is asked for first, in whatever range it is', async () => {
    const rows = Array.from({ length: 30 }, (_, number) => ({ tenant: 'a', number, position: number, text: 'x' }));
    await fill('live', rows);
    await fill('rebuilt', []);
    const { differences, differing } = await compare(database, 4, { limit: 2, first: '["a",29]' });
    expect([differing, differences.map(({ key }) => key)]).toEqual([30, ['["a", 29]', '["a", 0]']]);
  });

  it('are not equal where their text differs, though no value does', async () => {
    await database.query('CREATE SCHEMA one CREATE TABLE kept (id integer PRIMARY KEY, value json)');
    await database.query('CREATE SCHEMA two CREATE TABLE kept (id integer PRIMARY KEY, value json)');
    await database.query(`INSERT INTO one.kept VALUES (1, '{"a":1}')`);
    await database.query(`INSERT INTO two.kept VALUES (1, '{"a": 1}')`);
    const compared = await compareTable(database, { live: 'one', rebuilt: 'two', table: 'kept' }, { limit: 3 });
    expect(compared.equal).toBe(false);
  });

  it('are read a bounded number at a time, of each side', async () => {
    const rows = Array.from({ length: 100 }, (_, number) => ({ tenant: 'a', number, position: number, text: 'x' }));
    await fill('live', rows);
    await fill('rebuilt', [...rows.slice(50), { tenant: 'b', number: 1, position: 1, text: 'x' }]);
    const most: number[] = [];
    const counting: Queryable = {
      query: async (text, values, name) => {
        const found = await database.query<never>(text, values, name);
        const [row] = found as { readonly rows?: string }[];
        if (row?.rows !== undefined) most.push(Number(row.rows));
        return found;
      },
    };
    expect(await compare(counting, 7)).toMatchObject({ equal: false, liveRows: 100, rebuiltRows: 51, differing: 51 });
    expect(Math.max(...most)).toBe(7);
  });
});
