import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Database } from '../postgres/database.js';

/** Creates what is missing of the tables of data keys and check values; safe to run on every start. */
export const migrate = async (database: Database): Promise<void> => {
  await database.createMissing(await readFile(join(import.meta.dirname, 'schema.sql'), 'utf8'));
};
