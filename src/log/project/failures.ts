import pg from 'pg';
import { type StoredEvent } from '../../kernel/events.js';
import { type Queryable } from '../../platform/postgres/database.js';
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

/** An event that a projection goes on without. */
export interface SetAside {
  readonly projection: string;
  readonly version: string;
  readonly position: string;
  readonly stream: string;
  readonly type: string;
  readonly cause: string;
  /** Keyed hash of who decided. */
  readonly operator: string;
  readonly setAsideAt: Date;
}

/** Lets the projection go on without the event that stopped it at this position. Undefined if none did there. */
export const setAside = async (
  database: Queryable,
  projection: string,
  position: bigint,
  operator: string,
): Promise<SetAside | undefined> => {
  const [row] = await database.query<SetAside>(
    `WITH failed AS (DELETE FROM projections.failures WHERE projection = $1 AND position = $2 RETURNING *)
     INSERT INTO projections.set_aside (projection, version, position, stream, event_type, cause, operator)
     SELECT projection, version, position, stream, event_type, cause, $3 FROM failed
     RETURNING projection, version, position, stream, event_type AS type, cause, operator,
       set_aside_at AS "setAsideAt"`,
    [projection, position, operator],
  );
  return row;
};

/** Of the versions that live rows are of. */
export const readSetAside = (database: Queryable): Promise<SetAside[]> =>
  database.query<SetAside>(
    `SELECT aside.projection, aside.version, aside.position, stream, event_type AS type, cause, operator,
       set_aside_at AS "setAsideAt"
     FROM projections.set_aside aside
     JOIN projections.checkpoints live ON live.projection = aside.projection AND live.slot = 'live' AND live.version = aside.version
     ORDER BY aside.projection, aside.position`,
  );

/** Positions that this version of the projection goes on without. */
export const positionsSetAside = async (
  database: Queryable,
  { name, version }: Version,
): Promise<ReadonlySet<bigint>> => {
  const rows = await database.query<{ position: string }>(
    'SELECT position FROM projections.set_aside WHERE projection = $1 AND version = $2',
    [name, version],
  );
  return new Set(rows.map(({ position }) => BigInt(position)));
};

export const isStopped = async (database: Queryable, { name }: Pick<Version, 'name'>): Promise<boolean> => {
  const rows = await database.query('SELECT FROM projections.failures WHERE projection = $1', [name]);
  return rows.length > 0;
};
