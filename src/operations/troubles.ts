import { type Queryable } from '../platform/postgres/database.js';

/** The newest of each kind that are shown. */
const SHOWN = 100;

/** The kind of an error. Its message may hold a value, so it stays in the table. */
export const kindOf = (error: string): string => /^[A-Z][A-Za-z]{2,40}(?=:)/.exec(error)?.[0] ?? 'withheld';

interface Failed {
  readonly error: string;
}

type WithKind<Row extends Failed> = Omit<Row, 'error'> & { readonly kind: string };

const kinds = <Row extends Failed>(rows: readonly Row[]): WithKind<Row>[] =>
  rows.map(({ error, ...row }) => ({ ...row, kind: kindOf(error) }));

/** An account whose rows differ from its streams. Positions are those of the log. */
interface DriftingAccount {
  readonly tenant_id: string;
  readonly checked_at: Date;
  readonly position: string;
  /** The last position at which all rows were right. */
  readonly sound_position: string | null;
  readonly differing: number;
  readonly first_position: string | null;
  /** The first wrong rows: table, key, column, expected and actual number. */
  readonly findings: readonly object[];
}

export interface Drift {
  readonly accounts: { readonly checked: number; readonly oldest: Date | null };
  readonly differing: readonly DriftingAccount[];
}

/** What the drift watch found last. */
export const readDrift = async (database: Queryable): Promise<Drift> => {
  const [accounts] = await database.query<Drift['accounts']>(
    'SELECT count(*)::int AS checked, min(turn_at) AS oldest FROM drift_checks',
  );
  const differing = await database.query<DriftingAccount>(
    `SELECT tenant_id, checked_at, position, sound_position, differing, first_position, findings FROM drift_checks
     WHERE differing > 0 ORDER BY first_position LIMIT $1`,
    [SHOWN],
  );
  return { accounts: accounts ?? { checked: 0, oldest: null }, differing };
};

/** An event that a reactor could not process. */
interface ParkedRow extends Failed {
  readonly reactor: string;
  readonly event_id: string;
  readonly event_type: string;
  readonly stream: string;
  readonly revision: string;
  readonly position: string;
  readonly attempts: number;
  readonly parked_at: Date;
  readonly retry_requested: boolean;
}

export type ParkedEvent = WithKind<ParkedRow>;

/** The newest first. */
export const readParked = async (database: Queryable): Promise<readonly ParkedEvent[]> =>
  kinds(
    await database.query<ParkedRow>(
      `SELECT reactor, event_id, event_type, stream, revision, position, attempts, error, parked_at, retry_requested
       FROM parked_events ORDER BY parked_at DESC LIMIT $1`,
      [SHOWN],
    ),
  );

interface DeadRow extends Failed {
  readonly queue: string;
  readonly job_id: string;
  readonly times: number;
  readonly died_at: Date;
}

export type DeadJob = WithKind<DeadRow>;

/** Jobs whose last try failed, the newest first. */
export const readDeadJobs = async (database: Queryable): Promise<readonly DeadJob[]> =>
  kinds(
    await database.query<DeadRow>(
      'SELECT queue, job_id, times, error, died_at FROM dead_jobs ORDER BY died_at DESC LIMIT $1',
      [SHOWN],
    ),
  );

/** Asks for another try of one parked event, or of all that the reactor parked. Its leader sees it within seconds. Resolves with their number. */
export const retryParked = async (
  database: Queryable,
  { reactor, eventId }: { readonly reactor: string | undefined; readonly eventId: string | undefined },
): Promise<number> => {
  const rows = await database.query(
    `UPDATE parked_events SET retry_requested = true
     WHERE ($1::text IS NULL OR reactor = $1) AND ($2::uuid IS NULL OR event_id = $2) RETURNING 1`,
    [reactor ?? null, eventId ?? null],
  );
  return rows.length;
};
