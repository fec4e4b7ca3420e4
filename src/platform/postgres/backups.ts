import { type Queryable } from './database.js';

/** Days that a back-up may exist: an erasure promises no more (docs/contract.md, Retention and erasure). */
export const BACKUP_DAYS = 90;

/** A copy of log and Postgres that exists, as far as it was registered. */
export interface Backup {
  readonly name: string;
  readonly takenAt: Date;
  /** When it must be gone. */
  readonly goneBy: Date;
}

const GONE_BY = `taken_at + interval '${BACKUP_DAYS} days'`;

/** Those that exist, the oldest first. */
export const existingBackups = (database: Queryable): Promise<readonly Backup[]> =>
  database.query(
    `SELECT name, taken_at AS "takenAt", ${GONE_BY} AS "goneBy" FROM backups WHERE gone_at IS NULL ORDER BY taken_at, name`,
  );

/** Returns false where a back-up of this name exists, taken at another time. One that is gone gives its name away. */
export const registerBackup = async (database: Queryable, name: string, takenAt: Date): Promise<boolean> => {
  const rows = await database.query(
    `INSERT INTO backups (name, taken_at) VALUES ($1, $2)
     ON CONFLICT (name) DO UPDATE SET taken_at = excluded.taken_at, gone_at = NULL
     WHERE backups.gone_at IS NOT NULL OR backups.taken_at = excluded.taken_at RETURNING 1`,
    [name, takenAt],
  );
  return rows.length > 0;
};

/** Returns whether it was registered as existing. */
export const noteBackupGone = async (database: Queryable, name: string, now: Date): Promise<boolean> => {
  const rows = await database.query('UPDATE backups SET gone_at = $2 WHERE name = $1 AND gone_at IS NULL RETURNING 1', [
    name,
    now,
  ]);
  return rows.length > 0;
};

/** Those that exist beyond their time. What was erased meanwhile can be read in them. */
export const overdueBackups = async (database: Queryable, now: Date): Promise<readonly Backup[]> =>
  (await existingBackups(database)).filter(({ goneBy }) => goneBy < now);
