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
  /** Number of rows that differ. Undefined if there is no live table or the keys have other columns: then only counts tell. */
  readonly differing: number | undefined;
  /** The first of them, in the order of the log where the table has a position. */
  readonly differences: readonly RowDifference[];
}

/** Which differences of a table are told one by one. */
export interface Shown {
  readonly limit: number;
  /** Key of a row, as a JSON array, that is told first if it differs. */
  readonly first?: string;
}

export const SHOWN: Shown = { limit: 20 };

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

/** Columns of the primary key. */
export const keyOf = async (database: Queryable, schema: string, table: string): Promise<readonly string[]> => {
  const rows = await database.query<{ column: string }>(
    `SELECT a.attname AS column FROM pg_index i
     JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = ANY(i.indkey)
     WHERE i.indrelid = format('%I.%I', $1::text, $2::text)::regclass AND i.indisprimary ORDER BY a.attnum`,
    [schema, table],
  );
  return rows.map(({ column }) => column);
};

interface Digest {
  readonly rows: number;
  readonly digest: string;
}

/** Independent of the rows' order. */
const digestOf = async (database: Queryable, schema: string, table: string): Promise<Digest> => {
  const rows = await database.query<{ rows: string; digest: string }>(
    `SELECT count(*) AS rows, coalesce(sum(hashtextextended(t::text, 0)::numeric), 0) AS digest FROM ${schema}.${table} t`,
  );
  return { rows: Number(rows[0]?.rows ?? 0), digest: rows[0]?.digest ?? '' };
};

interface DifferingRow {
  readonly key: string;
  readonly live: Row | null;
  readonly rebuilt: Row | null;
  readonly total: string;
}

const toDifference = ({ key, live, rebuilt }: DifferingRow): RowDifference => {
  const sides = { key, live, rebuilt };
  if (live === null) return { ...sides, kind: 'missing', columns: [] };
  if (rebuilt === null) return { ...sides, kind: 'unexpected', columns: [] };
  const differs = (column: string): boolean => JSON.stringify(live[column]) !== JSON.stringify(rebuilt[column]);
  return { ...sides, kind: 'different', columns: Object.keys(live).filter(differs) };
};

interface Sides {
  readonly live: string;
  readonly rebuilt: string;
  readonly table: string;
  /** Names of the columns that both have. */
  readonly shared: readonly string[];
}

const differencesIn = async (
  database: Queryable,
  { live, rebuilt, table, shared }: Sides,
  { limit, first }: Shown,
): Promise<Pick<TableComparison, 'differing' | 'differences'>> => {
  const [liveKey, rebuiltKey] = [await keyOf(database, live, table), await keyOf(database, rebuilt, table)];
  const key = rebuiltKey.join(', ');
  if (liveKey.join(', ') !== key || rebuiltKey.some((column) => !shared.includes(column)))
    return { differing: undefined, differences: [] };
  const side = (schema: string): string =>
    `(SELECT jsonb_build_array(${key}) AS key, to_jsonb(t) AS row
      FROM (SELECT ${shared.join(', ')} FROM ${schema}.${table}) AS t)`;
  const rows = await database.query<DifferingRow>(
    `SELECT coalesce(l.key, r.key)::text AS key, l.row AS live, r.row AS rebuilt, count(*) OVER () AS total
     FROM ${side(live)} l FULL JOIN ${side(rebuilt)} r ON l.key = r.key
     WHERE l.row IS DISTINCT FROM r.row
     ORDER BY coalesce(l.key, r.key) = $2::jsonb DESC,
       (coalesce(l.row, r.row) ->> 'position')::bigint NULLS LAST, coalesce(l.key, r.key) LIMIT $1`,
    [limit, first ?? null],
  );
  return { differing: Number(rows[0]?.total ?? 0), differences: rows.map(toDifference) };
};

/** Undefined if both have the same columns in the same order. */
const foreignTo = (live: readonly string[], rebuilt: readonly string[]): ForeignColumns | undefined =>
  live.join() === rebuilt.join()
    ? undefined
    : {
        live: live.filter((column) => !rebuilt.includes(column)),
        rebuilt: rebuilt.filter((column) => !live.includes(column)),
      };

const compareTable = async (
  database: Queryable,
  live: string,
  rebuilt: string,
  table: string,
  shown: Shown,
): Promise<TableComparison> => {
  const [liveColumns, rebuiltColumns] = [
    await columnsOf(database, live, table),
    await columnsOf(database, rebuilt, table),
  ];
  const right = await digestOf(database, rebuilt, table);
  if (liveColumns.length === 0)
    return { table, liveRows: 0, rebuiltRows: right.rows, equal: false, differing: undefined, differences: [] };
  const left = await digestOf(database, live, table);
  const counts = { table, liveRows: left.rows, rebuiltRows: right.rows };
  const foreign = foreignTo(liveColumns, rebuiltColumns);
  if (foreign === undefined && left.rows === right.rows && left.digest === right.digest)
    return { ...counts, equal: true, differing: 0, differences: [] };
  const shared = rebuiltColumns.filter((column) => liveColumns.includes(column)).map(nameIn);
  const found = await differencesIn(database, { live, rebuilt, table, shared }, shown);
  return { ...counts, equal: false, ...(foreign && { foreign }), ...found };
};

/** Compares live rows with the shadow's by digest, and row by row if the digests differ. Both must be at the same position. */
export const compareSlots = async (
  database: Queryable,
  projection: Projection,
  shown: Shown,
): Promise<TableComparison[]> => {
  const { name, version } = projection;
  const live = schemaOf({ name, version: (await readCheckpoint(database, name))?.version ?? version }, 'live');
  const rebuilt = schemaOf(projection, 'shadow');
  const comparisons: TableComparison[] = [];
  for (const table of projection.tables) comparisons.push(await compareTable(database, live, rebuilt, table, shown));
  return comparisons;
};
