import { type Database } from '../postgres/database.js';
import { KeyMaterialError } from './key-material.js';

const LOCK = 'keys.rotation';

/** Throws Unavailable once the session that holds the lock is lost, and the lock with it. */
export type StillAlone = () => Promise<void>;

/**
 * Runs `work` while no other rotation of this deployment's keys runs, on any machine. Throws KeyMaterialError where one does.
 */
export const rotatingAlone = <Result>(
  database: Database,
  work: (stillAlone: StillAlone) => Promise<Result>,
): Promise<Result> =>
  database.transaction(async (session) => {
    // It only holds the lock: between two statements it keeps no snapshot, so nothing waits for it, however long it takes.
    await session.query('SET LOCAL idle_in_transaction_session_timeout = 0');
    // The server finds out soon that the machine of a rotation is gone, and frees the lock.
    await session.query('SET LOCAL tcp_keepalives_idle = 5');
    await session.query('SET LOCAL tcp_keepalives_interval = 5');
    await session.query('SET LOCAL tcp_keepalives_count = 2');
    const rows = await session.query<{ held: boolean }>(
      'SELECT pg_try_advisory_xact_lock(hashtextextended($1, 0)) AS held',
      [LOCK],
    );
    if (rows[0]?.held !== true) {
      throw new KeyMaterialError(
        'another rotation of these keys is running, so this one has changed nothing: wait until that one has ended, then see `npm run keys -- status` and rotate again only where it tells of keys to be rotated',
      );
    }
    return work(async () => {
      await session.query('SELECT 1');
    });
  });
