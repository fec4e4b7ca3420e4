import { type Queryable } from '../postgres/database.js';
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

export interface TableComparison {
  readonly table: string;
  readonly liveRows: number;
  readonly rebuiltRows: number;
  readonly equal: boolean;
  /** Number of rows that differ. Undefined if the tables have different columns, because only counts can be compared then. */
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

const columnsOf = async (database: Queryable, schema: string, table: string): Promise<string> => {
  const rows = await database.query<{ columns: string | null }>(
    `SELECT string_agg(column_name || ' ' || udt_name, ',' ORDER BY ordinal_position) AS columns
     FROM information_schema.columns WHERE table_schema = $1 AND table_name = $2`,
    [schema, table],
  );
  return rows[0]?.columns ?? '';
};

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

const differencesIn = async (
  database: Queryable,
  live: string,
  rebuilt: string,
  table: string,
  { limit, first }: Shown,
): Promise<Pick<TableComparison, 'differing' | 'differences'>> => {
  const key = (await keyOf(database, rebuilt, table)).join(', ');
  const side = (schema: string): string =>
    `(SELECT jsonb_build_array(${key}) AS key, to_jsonb(t) AS row FROM ${schema}.${table} t)`;
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
  const incomparable = { equal: false, differing: undefined, differences: [] };
  if (liveColumns === '') return { table, liveRows: 0, rebuiltRows: right.rows, ...incomparable };
  const left = await digestOf(database, live, table);
  const counts = { table, liveRows: left.rows, rebuiltRows: right.rows };
  if (liveColumns !== rebuiltColumns) return { ...counts, ...incomparable };
  if (left.rows === right.rows && left.digest === right.digest)
    return { ...counts, equal: true, differing: 0, differences: [] };
  return { ...counts, equal: false, ...(await differencesIn(database, live, rebuilt, table, shown)) };
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
