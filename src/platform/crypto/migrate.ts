import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Queryable } from '../postgres/database.js';

/** Creates what is missing of the tables of data keys and check values; safe to run on every start. */
export const migrate = async (database: Queryable): Promise<void> => {
  await database.query(await readFile(join(import.meta.dirname, 'schema.sql'), 'utf8'));
};
