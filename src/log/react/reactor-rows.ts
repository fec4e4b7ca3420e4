import { type StoredEvent } from '../../kernel/events.js';
import { Superseded } from '../follow/follower.js';
import { type Leadership } from '../../platform/leadership/leadership.js';
import { type Queryable } from '../../platform/postgres/database.js';
import { type ReactorOptions } from '../../kernel/reaction.js';

export const leadershipOf = (reactor: string): string => `reactor.${reactor}`;

interface CheckpointRow {
  readonly version: number;
  readonly position: string | null;
}

const notBehind = (head: bigint | undefined, position: string | null): bigint | undefined => {
  if (position === null || head === undefined) return undefined;
  return BigInt(position) > head ? head : BigInt(position);
};

/** Reads and writes the rows of one reactor in Postgres, as its leader. Throws Unavailable if this process no longer leads. */
export class ReactorRows {
  constructor(
    private readonly leadership: Leadership,
    private readonly reactor: ReactorOptions,
  ) {}

  /**
   * Returns the position to continue from. `head` is the end of the log. A checkpoint beyond it means that the log was
   * restored. Every event of the restored log has been reacted to, so reading continues at its end. Throws Superseded
   * if a newer version runs.
   */
  async begin(head: bigint | undefined): Promise<bigint | undefined> {
    const { version, startsAt } = this.reactor;
    const [present] = await this.query<CheckpointRow>(
      'SELECT version, position FROM reactor_checkpoints WHERE reactor = $1',
    );
    if (present !== undefined && present.version > version) throw new Superseded(`version ${present.version} runs`);
    const anew = present === undefined || (present.version < version && startsAt === 'beginning');
    const first = startsAt === 'now' ? head : undefined;
    const position = anew ? first : notBehind(head, present.position);
    await this.query(
      `INSERT INTO reactor_checkpoints (reactor, version, position) VALUES ($1, $2, $3)
       ON CONFLICT (reactor) DO UPDATE SET version = $2, position = $3, updated_at = now()`,
      [version, position ?? null],
    );
    return position;
  }

  async save(position: bigint): Promise<void> {
    await this.query('UPDATE reactor_checkpoints SET position = $2, updated_at = now() WHERE reactor = $1', [position]);
  }

  async park({ id, type, stream, revision, position }: StoredEvent, attempts: number, error: string): Promise<void> {
    await this.query(
      `INSERT INTO parked_events (reactor, event_id, event_type, stream, revision, position, attempts, error)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
       ON CONFLICT (reactor, event_id) DO UPDATE
       SET attempts = parked_events.attempts + excluded.attempts, error = excluded.error, retry_requested = false`,
      [id, type, stream, revision, position, attempts, error],
    );
  }

  /** The oldest event that operators marked for a retry; undefined if there is none. */
  async wanted(): Promise<ParkedEvent | undefined> {
    const rows = await this.query<ParkedEvent>(
      `SELECT event_id AS id, stream, revision FROM parked_events
       WHERE reactor = $1 AND retry_requested ORDER BY position LIMIT 1`,
    );
    return rows[0];
  }

  async unpark(eventId: string): Promise<void> {
    await this.query('DELETE FROM parked_events WHERE reactor = $1 AND event_id = $2', [eventId]);
  }

  private query<Row extends object>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    const { name } = this.reactor;
    return this.leadership.query<Row>(leadershipOf(name), text, [name, ...values]);
  }
}

export interface ParkedEvent {
  readonly id: string;
  readonly stream: string;
  readonly revision: string;
}

export interface ParkedCount {
  readonly reactor: string;
  readonly parked: number;
  readonly wanted: number;
}

export const parkedCounts = (database: Queryable): Promise<ParkedCount[]> =>
  database.query<ParkedCount>(
    `SELECT reactor, count(*)::int AS parked, (count(*) FILTER (WHERE retry_requested))::int AS wanted
     FROM parked_events GROUP BY reactor`,
    [],
    'parked-events',
  );

/**
 * Every start runs this before anything is appended. A checkpoint beyond the end of the log means that the log was
 * restored from an older back-up. All of that log has been reacted to, so the checkpoint moves to its end. No later
 * event is skipped then. A leader may save a newer checkpoint meanwhile, which stays. Returns the reactors whose
 * checkpoints were moved.
 */
export const rewindReactorsAhead = async (
  database: Queryable,
  headOfLog: () => Promise<bigint | undefined>,
): Promise<readonly string[]> => {
  // Reads the checkpoints before the head. The log of a leader under way then has every event up to them.
  const saved = await database.query<{ reactor: string; position: string }>(
    'SELECT reactor, position FROM reactor_checkpoints WHERE position IS NOT NULL',
  );
  const head = await headOfLog();
  const ahead = saved.filter(({ position }) => BigInt(position) > (head ?? -1n));
  const rows = await database.query<{ reactor: string }>(
    `UPDATE reactor_checkpoints AS present SET position = $1, updated_at = now()
     FROM unnest($2::text[], $3::bigint[]) AS read (reactor, position)
     WHERE present.reactor = read.reactor AND present.position = read.position RETURNING present.reactor`,
    [head ?? null, ahead.map(({ reactor }) => reactor), ahead.map(({ position }) => position)],
  );
  return rows.map(({ reactor }) => reactor);
};
