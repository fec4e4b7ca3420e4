import { Unavailable } from '../../kernel/unavailable.js';
import { type Database } from './database.js';

const MAX_STEP_MS = 600_000;

export interface RefusedStep {
  readonly step: string;
  readonly error: unknown;
}

/** Makes the server delete old log segments and not reuse them. Applied only to a server that no one else configures. */
const REMOVE_OLD_WAL = ['ALTER SYSTEM SET wal_recycle = off', 'SELECT pg_reload_conf()'];

/**
 * Removes deleted data from the disk. It vacuums the pages of these tables and their indexes. It then ends the segments
 * of the write-ahead log that still hold the data. `ownServer`: the server belongs to this service alone. Returns the
 * steps that the server's rights do not allow. Throws Unavailable.
 */
export const forgetFreedPages = async (
  database: Database,
  tables: readonly string[],
  { ownServer }: { readonly ownServer: boolean },
): Promise<RefusedStep[]> => {
  const steps = [
    ...tables.map((table) => `VACUUM (INDEX_CLEANUP ON) ${table}`),
    ...(ownServer ? REMOVE_OLD_WAL : []),
    'SELECT pg_switch_wal()',
    'CHECKPOINT',
  ];
  const refused: RefusedStep[] = [];
  for (const step of steps) {
    try {
      await database.maintain(step, MAX_STEP_MS);
    } catch (error) {
      if (error instanceof Unavailable) throw error;
      refused.push({ step, error });
    }
  }
  return refused;
};
