import { type StoredEvent } from '../../kernel/events.js';
import { type Leadership } from '../leadership/leadership.js';
import { type Queryable } from '../postgres/database.js';
import { type ReactorOptions } from './reactor.js';

export const leadershipOf = (reactor: string): string => `reactor.${reactor}`;

interface CheckpointRow {
  readonly version: number;
  readonly position: string | null;
}

/** Another version, newer than this one, has taken the reactor over. */
export class Superseded extends Error {
  override readonly name = 'Superseded';
}

const notBehind = (head: bigint | undefined, position: string | null): bigint | undefined => {
  if (position === null || head === undefined) return undefined;
  return BigInt(position) > head ? head : BigInt(position);
};

/** What stands in Postgres of one reactor, as its leader reads and writes it. Throws Unavailable where this process leads no more. */
export class ReactorRows {
  constructor(
    private readonly leadership: Leadership,
    private readonly reactor: ReactorOptions,
  ) {}

  /**
   * Where to go on. `head` is the end of the log: a checkpoint behind it tells of a log that was restored, whose every event was
   * reacted to.
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

  /** Of what operators want tried again, the oldest; undefined where there is none. */
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
 * Part of every start, before anything is appended: a checkpoint behind the end of the log tells that the log was restored from an
 * older back-up. All of it was reacted to, and nothing of what comes is passed over. Answers whose checkpoints were moved.
 */
export const rewindReactorsAhead = async (
  database: Queryable,
  head: bigint | undefined,
): Promise<readonly string[]> => {
  const rows = await database.query<{ reactor: string }>(
    `UPDATE reactor_checkpoints SET position = $1, updated_at = now() WHERE position > coalesce($1, -1) RETURNING reactor`,
    [head ?? null],
  );
  return rows.map(({ reactor }) => reactor);
};
