import { readFileSync } from 'node:fs';
import { invariant } from '../../kernel/invariant.js';
import { type Cell } from '../../platform/postgres/copy-rows.js';
import { type Projection, type Statement } from './projection.js';

const NAME = /^[a-z][a-z0-9_]{0,39}$/;

interface Parts extends Omit<Projection, 'schema' | 'version'> {
  /** Raised, never lowered, with every change of the rows or their tables. The service then rebuilds the rows. */
  readonly version: number;
}

/** `module` is the projection's import.meta.url. schema.sql is in the same folder. */
export const defineProjection = (module: string, { version, ...parts }: Parts): Projection => {
  invariant(NAME.test(parts.name), 'a projection is named in lower case with underscores');
  invariant(Number.isInteger(version) && version > 0, 'versions of a projection are numbered from 1');
  return { ...parts, version: `v${version}`, schema: readFileSync(new URL('schema.sql', module), 'utf8') };
};

/** Rows as one JSON parameter, for `json_to_recordset($1::json)`: one statement for any number of rows. */
export const rowsParameter = (rows: Iterable<unknown>): string => JSON.stringify([...rows]);

/** Inserts new rows; `types` maps columns to types. It does not look up rows, and no row may exist already. */
export const puttingRows = (
  table: string,
  types: Readonly<Record<string, string>>,
): ((rows: readonly (readonly Cell[])[]) => Statement) => {
  const columns = Object.keys(types);
  const names = columns.join(', ');
  const arrays = Object.values(types).map((type, index) => `$${index + 1}::${type}[]`);
  const text = `INSERT INTO ${table} (${names}) SELECT ${names} FROM unnest(${arrays.join(', ')}) AS r(${names})`;
  return (rows) => ({
    text,
    get values() {
      return columns.map((_, place) => rows.map((row) => row[place]));
    },
    copy: { table, columns, rows: () => rows },
  });
};
