import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { type DomainEvent } from '../../kernel/decider.js';
import { type StoredEvent } from '../../kernel/events.js';
import { invariant } from '../../kernel/invariant.js';
import { type Cell } from './copy.js';
import { type Projection, type Statement } from './projection.js';

const NAME = /^[a-z][a-z0-9_]{0,39}$/;

const CODE = /\.(ts|js)$/;
const NOT_PROJECTING = /\.(spec|queries|d)\.(ts|js)$/;

/** Of schema.sql and of all code in the folder but queries and specs. */
const hashOf = (folder: URL): string => {
  const hash = createHash('sha256');
  const names = readdirSync(folder).filter(
    (name) => name === 'schema.sql' || (CODE.test(name) && !NOT_PROJECTING.test(name)),
  );
  for (const name of names.sort()) hash.update(readFileSync(new URL(name, folder))).update('\0');
  return hash.digest('hex');
};

/** `module` is the projection's import.meta.url: schema.sql stands beside it, and its folder's text counts as the code. */
export const defineProjection = (module: string, parts: Omit<Projection, 'schema' | 'hash'>): Projection => {
  invariant(NAME.test(parts.name), 'a projection is named in lower case with underscores');
  const folder = new URL('./', module);
  return { ...parts, schema: readFileSync(new URL('schema.sql', folder), 'utf8'), hash: hashOf(folder) };
};

/** Rows as one JSON parameter, for `json_to_recordset($1::json)`: one statement whatever their number. */
export const rowsParameter = (rows: Iterable<unknown>): string => JSON.stringify([...rows]);

/** Puts new rows, an array for each column, given as names with types. Nothing is looked up, and no row may be there already. */
export const puttingRows = (
  table: string,
  types: Readonly<Record<string, string>>,
): ((values: readonly (readonly Cell[])[]) => Statement) => {
  const columns = Object.keys(types);
  const names = columns.join(', ');
  const arrays = Object.values(types).map((type, index) => `$${index + 1}::${type}[]`);
  const text = `INSERT INTO ${table} (${names}) SELECT ${names} FROM unnest(${arrays.join(', ')}) AS r(${names})`;
  return (values) => ({ text, values, copy: { table, columns } });
};

/** Stored events as a union that can be told apart by `type`. */
export type Recorded<Event extends DomainEvent> = Event extends DomainEvent ? StoredEvent<Event> : never;
