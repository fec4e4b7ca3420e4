import { InvariantViolation } from '../../kernel/invariant.js';
import { type Queryable } from '../../platform/postgres/database.js';
import { readCheckpoint, schemaOf } from './checkpoints.js';
import { type Projection } from './projection.js';

/** A row's columns with their values. */
export type Row = Readonly<Record<string, unknown>>;

export interface RowDifference {
  /** Primary key, as a JSON array. */
  readonly key: string;
  /** State of the live row: missing, present without an event for it, or with other values. */
  readonly kind: 'missing' | 'unexpected' | 'different';
  /** Columns that differ, if both sides have the row. */
  readonly columns: readonly string[];
  /** Null if there is none. */
  readonly live: Row | null;
  readonly rebuilt: Row | null;
}

/** Columns that only one side has, by name and type. */
export interface ForeignColumns {
  readonly live: readonly string[];
  readonly rebuilt: readonly string[];
}

export interface TableComparison {
  readonly table: string;
  readonly liveRows: number;
  readonly rebuiltRows: number;
  readonly equal: boolean;
  /** Of tables with different columns: rows are compared by the others. */
  readonly foreign?: ForeignColumns;
  /** Number of rows that differ. Undefined if there is no live table or the keys have other columns: then only counts show. */
  readonly differing: number | undefined;
  /** The first of them, in the order of the log where the table has a position. */
  readonly differences: readonly RowDifference[];
}

/** Which differences of a table are reported one by one. */
export interface Shown {
  readonly limit: number;
  /** Key of a row, as a JSON array, that comes first if it differs. */
  readonly first?: string;
}

export const SHOWN: Shown = { limit: 20 };

/** Rows that one statement reads of each side: the time for them is far below the budget of a statement, however large the table. */
const ROWS_AT_ONCE = 50_000;

/** Names with types. Empty if there is no such table. */
const columnsOf = async (database: Queryable, schema: string, table: string): Promise<readonly string[]> => {
  const rows = await database.query<{ column: string }>(
    `SELECT column_name || ' ' || udt_name AS column FROM information_schema.columns
     WHERE table_schema = $1 AND table_name = $2 ORDER BY ordinal_position`,
    [schema, table],
  );
  return rows.map(({ column }) => column);
};

const nameIn = (column: string): string => column.split(' ')[0] ?? '';

/** Columns of the primary key, in its order. */
export const keyOf = async (database: Queryable, schema: string, table: string): Promise<readonly string[]> => {
  const rows = await database.query<{ column: string }>(
    `SELECT a.attname AS column FROM pg_index i
     JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = ANY(i.indkey)
     WHERE i.indrelid = format('%I.%I', $1::text, $2::text)::regclass AND i.indisprimary
     ORDER BY array_position(i.indkey::int2[], a.attnum)`,
    [schema, table],
  );
  return rows.map(({ column }) => column);
};

/** Rows above the first key and up to the last one, as text. Undefined: from the first row, or to the last. */
interface KeyRange {
  readonly above: readonly string[] | undefined;
  readonly upTo: readonly string[] | undefined;
}

interface Keyed {
  readonly table: string;
  /** Columns of the primary key. */
  readonly key: readonly string[];
  readonly rowsAtOnce: number;
}

/** The end of each range in turn: no schema has more rows in one than are read at once. */
async function* rangesOf(
  database: Queryable,
  schemas: readonly string[],
  { table, key, rowsAtOnce }: Keyed,
): AsyncGenerator<KeyRange> {
  const columns = key.join(', ');
  let above: readonly string[] | undefined;
  for (;;) {
    const { condition, values } = within(key, { above, upTo: undefined });
    const ends = schemas.map(
      (schema) =>
        `(SELECT ${columns} FROM ${schema}.${table} WHERE ${condition} ORDER BY ${columns} OFFSET ${rowsAtOnce - 1} LIMIT 1)`,
    );
    const [end] = await database.query<{ key: readonly string[] }>(
      `SELECT ARRAY[${key.map((column) => `${column}::text`).join(', ')}] AS key
       FROM (${ends.join(' UNION ALL ')}) AS ends ORDER BY ${columns} LIMIT 1`,
      values,
    );
    if (end === undefined) break;
    yield { above, upTo: end.key };
    above = end.key;
  }
  yield { above, upTo: undefined };
}

/** Of the rows of a range, behind `taken` other parameters. */
const within = (
  key: readonly string[],
  { above, upTo }: KeyRange,
  taken = 0,
): { readonly condition: string; readonly values: readonly string[] } => {
  const values = [...(above ?? []), ...(upTo ?? [])];
  const parameters = (from: number): string => key.map((_, index) => `$${taken + from + index + 1}`).join(', ');
  const columns = `(${key.join(', ')})`;
  const conditions = [
    ...(above === undefined ? [] : [`${columns} > (${parameters(0)})`]),
    ...(upTo === undefined ? [] : [`${columns} <= (${parameters(above?.length ?? 0)})`]),
  ];
  return { condition: conditions.length === 0 ? 'true' : conditions.join(' AND '), values };
};

interface Digest {
  readonly rows: number;
  readonly digest: string;
}

/** Independent of the rows' order. */
const digestIn = async (
  database: Queryable,
  schema: string,
  { table, key }: Keyed,
  range: KeyRange,
): Promise<Digest> => {
  const { condition, values } = within(key, range);
  const rows = await database.query<{ rows: string; digest: string }>(
    `SELECT count(*) AS rows, coalesce(sum(hashtextextended(t::text, 0)::numeric), 0) AS digest
     FROM ${schema}.${table} t WHERE ${condition}`,
    values,
  );
  return { rows: Number(rows[0]?.rows ?? 0), digest: rows[0]?.digest ?? '' };
};

const countOf = async (database: Queryable, schema: string, keyed: Keyed): Promise<number> => {
  let count = 0;
  for await (const range of rangesOf(database, [schema], keyed))
    count += (await digestIn(database, schema, keyed, range)).rows;
  return count;
};

interface DifferingRow {
  readonly key: string;
  readonly live: Row | null;
  readonly rebuilt: Row | null;
  readonly total: string;
  /** Whether it is the row that is asked for. */
  readonly wanted: boolean;
}

const toDifference = ({ key, live, rebuilt }: DifferingRow): RowDifference => {
  const sides = { key, live, rebuilt };
  if (live === null) return { ...sides, kind: 'missing', columns: [] };
  if (rebuilt === null) return { ...sides, kind: 'unexpected', columns: [] };
  const differs = (column: string): boolean => JSON.stringify(live[column]) !== JSON.stringify(rebuilt[column]);
  return { ...sides, kind: 'different', columns: Object.keys(live).filter(differs) };
};

interface Sides extends Keyed {
  readonly live: string;
  readonly rebuilt: string;
  /** Names of the columns that both have. */
  readonly shared: readonly string[];
  /** Whether they have other columns too. */
  readonly isForeign: boolean;
}

type Found = Pick<TableComparison, 'differing' | 'differences' | 'equal' | 'liveRows' | 'rebuiltRows'>;

const differencesIn = async (
  database: Queryable,
  { live, rebuilt, table, shared, key }: Sides,
  range: KeyRange,
  { limit, first }: Shown,
): Promise<readonly DifferingRow[]> => {
  const { condition, values } = within(key, range, 2);
  const side = (schema: string): string =>
    `(SELECT jsonb_build_array(${key.join(', ')}) AS key, to_jsonb(t) AS row
      FROM (SELECT ${shared.join(', ')} FROM ${schema}.${table} WHERE ${condition}) AS t)`;
  return database.query<DifferingRow>(
    `SELECT coalesce(l.key, r.key)::text AS key, l.row AS live, r.row AS rebuilt, count(*) OVER () AS total,
       coalesce(l.key, r.key) IS NOT DISTINCT FROM $2::jsonb AS wanted
     FROM ${side(live)} l FULL JOIN ${side(rebuilt)} r ON l.key = r.key
     WHERE l.row IS DISTINCT FROM r.row
     ORDER BY wanted DESC,
       (coalesce(l.row, r.row) ->> 'position')::bigint NULLS LAST, coalesce(l.key, r.key) LIMIT $1`,
    [limit, first ?? null, ...values],
  );
};

/** Positions of the log are whole numbers in text or as numbers. */
const positionOf = ({ live, rebuilt }: DifferingRow): bigint | undefined => {
  const position = (live ?? rebuilt)?.['position'];
  return typeof position === 'string' || typeof position === 'number' ? BigInt(position) : undefined;
};

/** The row that is asked for, then in the order of the log. Rows alike in that stay in their order. */
const inOrder = (one: DifferingRow, other: DifferingRow): number => {
  if (one.wanted !== other.wanted) return one.wanted ? -1 : 1;
  const [a, b] = [positionOf(one), positionOf(other)];
  if (a === b) return 0;
  if (a === undefined || b === undefined) return a === undefined ? 1 : -1;
  return a < b ? -1 : 1;
};

/** Range by range of the primary key, and row by row where the digests of a range differ. */
const compareRows = async (database: Queryable, sides: Sides, shown: Shown): Promise<Found> => {
  let [liveRows, rebuiltRows, differing] = [0, 0, 0];
  let equal = !sides.isForeign;
  let differences: readonly DifferingRow[] = [];
  for await (const range of rangesOf(database, [sides.live, sides.rebuilt], sides)) {
    const left = await digestIn(database, sides.live, sides, range);
    const right = await digestIn(database, sides.rebuilt, sides, range);
    liveRows += left.rows;
    rebuiltRows += right.rows;
    const isAlike = left.rows === right.rows && left.digest === right.digest;
    if (isAlike && !sides.isForeign) continue;
    equal &&= isAlike;
    const found = await differencesIn(database, sides, range, shown);
    differing += Number(found[0]?.total ?? 0);
    differences = [...differences, ...found].sort(inOrder).slice(0, shown.limit);
  }
  return { liveRows, rebuiltRows, equal, differing, differences: differences.map(toDifference) };
};

/** Undefined if both have the same columns in the same order. */
const foreignTo = (live: readonly string[], rebuilt: readonly string[]): ForeignColumns | undefined =>
  live.join() === rebuilt.join()
    ? undefined
    : {
        live: live.filter((column) => !rebuilt.includes(column)),
        rebuilt: rebuilt.filter((column) => !live.includes(column)),
      };

/** Slots of one table. `rowsAtOnce`: of each side, in one statement. */
export const compareTable = async (
  database: Queryable,
  { live, rebuilt, table }: { readonly live: string; readonly rebuilt: string; readonly table: string },
  shown: Shown,
  rowsAtOnce = ROWS_AT_ONCE,
): Promise<TableComparison> => {
  const liveColumns = await columnsOf(database, live, table);
  const rebuiltColumns = await columnsOf(database, rebuilt, table);
  const key = await keyOf(database, rebuilt, table);
  if (key.length === 0) throw new InvariantViolation(`the table ${table} has no primary key`);
  const counted = { differing: undefined, differences: [], equal: false };
  if (liveColumns.length === 0)
    return {
      table,
      liveRows: 0,
      rebuiltRows: await countOf(database, rebuilt, { table, key, rowsAtOnce }),
      ...counted,
    };
  const foreign = foreignTo(liveColumns, rebuiltColumns);
  const liveKey = await keyOf(database, live, table);
  const shared = rebuiltColumns.filter((column) => liveColumns.includes(column)).map(nameIn);
  const sides = { live, rebuilt, table, shared, key, rowsAtOnce, isForeign: foreign !== undefined };
  if (liveKey.join() !== key.join() || key.some((column) => !shared.includes(column))) {
    const liveRows = await countOf(database, live, { table, key: liveKey, rowsAtOnce });
    const rebuiltRows = await countOf(database, rebuilt, sides);
    return { table, liveRows, rebuiltRows, ...(foreign && { foreign }), ...counted };
  }
  const found = await compareRows(database, sides, shown);
  return { table, ...found, ...(foreign && { foreign }) };
};

/** Compares live rows with the shadow's. Both must be at the same position. */
export const compareSlots = async (
  database: Queryable,
  projection: Projection,
  shown: Shown,
): Promise<TableComparison[]> => {
  const { name, version } = projection;
  const live = schemaOf({ name, version: (await readCheckpoint(database, name))?.version ?? version }, 'live');
  const rebuilt = schemaOf(projection, 'shadow');
  const comparisons: TableComparison[] = [];
  for (const table of projection.tables)
    comparisons.push(await compareTable(database, { live, rebuilt, table }, shown));
  return comparisons;
};
