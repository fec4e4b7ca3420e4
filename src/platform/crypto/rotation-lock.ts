import { type Database } from '../postgres/database.js';
import { KeyMaterialError } from '../../kernel/key-material.js';

const LOCK = 'keys.rotation';

/** Throws Unavailable once the session that holds the lock is lost, since the lock is then lost too. */
export type StillAlone = () => Promise<void>;

/**
 * Runs `work` while no other rotation of this deployment's keys runs, on any machine. Throws KeyMaterialError if one runs
 * already.
 */
export const rotatingAlone = <Result>(
  database: Database,
  work: (stillAlone: StillAlone) => Promise<Result>,
): Promise<Result> =>
  database.transaction(async (session) => {
    // The session only holds the lock. Between two statements it keeps no snapshot, so it blocks nothing, however long it
    // lasts.
    await session.query('SET LOCAL idle_in_transaction_session_timeout = 0');
    // If the machine of a rotation is gone, the server notices soon and frees the lock.
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
