import pg from 'pg';
import { type StoredEvent } from '../../kernel/events.js';
import { type Queryable } from '../postgres/database.js';
import { type Version } from './checkpoints.js';

/** Why a projection has stopped. */
export interface ProjectionFailure {
  readonly projection: string;
  readonly version: string;
  /** The event that cannot be applied. Null if none is known. */
  readonly position: string | null;
  readonly stream: string | null;
  readonly type: string | null;
  /** SQLSTATE or the error's name. */
  readonly cause: string;
  readonly failedAt: Date;
}

const causeOf = (error: unknown): string => {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  if (cause instanceof pg.DatabaseError) return `SQLSTATE ${cause.code ?? 'unknown'}`;
  return cause instanceof Error ? cause.name : typeof cause;
};

/** For operators on any machine, until the projection goes on. */
export const recordFailure = async (
  database: Queryable,
  { name, version }: Version,
  event: StoredEvent | undefined,
  error: unknown,
): Promise<void> => {
  await database.query(
    `INSERT INTO projections.failures (projection, version, position, stream, event_type, cause)
     VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT (projection) DO UPDATE SET version = excluded.version, position = excluded.position,
       stream = excluded.stream, event_type = excluded.event_type, cause = excluded.cause, failed_at = now()`,
    [name, version, event?.position ?? null, event?.stream ?? null, event?.type ?? null, causeOf(error)],
  );
};

export const forgetFailure = async (database: Queryable, { name }: Version): Promise<void> => {
  await database.query('DELETE FROM projections.failures WHERE projection = $1', [name]);
};

export const readFailures = (database: Queryable): Promise<ProjectionFailure[]> =>
  database.query<ProjectionFailure>(
    `SELECT projection, version, position, stream, event_type AS type, cause, failed_at AS "failedAt"
     FROM projections.failures ORDER BY projection`,
  );
