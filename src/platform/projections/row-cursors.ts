import { Inject, Injectable } from '@nestjs/common';
import { Gauge } from 'prom-client';
import { type Clock } from '../../kernel/clock.js';
import { Unavailable } from '../../kernel/unavailable.js';
import { HealthChecks } from '../http/health.js';
import { describeError, LOGGER, type Logger } from '../http/logging.js';
import { Metrics } from '../http/metrics.js';
import { Periodic } from '../periodic/periodic.js';
import { Database, type Queryable } from '../postgres/database.js';
import { CLOCK } from '../tokens.js';

const PAGE = 100;
/** Tries of one row, over a minute, before it is parked. */
const MOST_TRIES = 8;
const FIRST_PAUSE_MS = 500;
const LOOKED_AT_EVERY = 5_000;

/** A row that stands for one event. pg gives the log position as text. */
export interface FollowedRow {
  readonly position: string;
}

export interface Following<Row extends FollowedRow> {
  /** Key of the cursor. It never changes. */
  readonly name: string;
  /** Rows of later positions, in order. */
  readonly find: (after: string, limit: number) => Promise<readonly Row[]>;
  /** The event that the row stands for. */
  readonly eventOf: (row: Row) => string;
  /** Must be idempotent: a row comes again after a crash or a restore, and a parked one after later rows. */
  readonly handle: (row: Row) => Promise<void>;
}

/** A row whose effect failed, and is tried again. */
interface Failing {
  readonly position: string;
  readonly tries: number;
  readonly error: unknown;
  /** Monotonic milliseconds. */
  readonly nextAt: number;
}

/**
 * Does once, in order, what follows from rows of a read model. For events that are rare among many others: a reactor would
 * decode them all. The caller runs it periodically and alone.
 */
@Injectable()
export class RowCursors {
  private readonly failing = new Map<string, Failing>();
  private readonly names = new Set<string>();
  private parked: ReadonlyMap<string, number> = new Map();

  constructor(
    private readonly database: Database,
    private readonly health: HealthChecks,
    @Inject(CLOCK) private readonly clock: Pick<Clock, 'monotonic'>,
    @Inject(LOGGER) private readonly logger: Pick<Logger, 'error'>,
    metrics: Metrics,
  ) {
    const cursors = this.names;
    const parkedOf = (name: string): number => this.parked.get(name) ?? 0;
    new Gauge({
      name: 'row_cursor_parked',
      help: 'Rows whose effect failed for good and waits for an operator',
      labelNames: ['cursor'] as const,
      registers: [metrics.registry],
      collect() {
        for (const cursor of cursors) this.set({ cursor }, parkedOf(cursor));
      },
    });
  }

  /**
   * Handles every row up to now, and those that an operator wants tried again. An error ends it at that row, which comes first
   * the next time; one that fails for good is parked. What is away is waited for.
   */
  async follow<Row extends FollowedRow>(following: Following<Row>, stopping?: AbortSignal): Promise<void> {
    const { name, find } = following;
    this.register(name);
    const failing = this.failing.get(name);
    if (failing !== undefined && this.clock.monotonic() < failing.nextAt) throw failing.error;
    const { after, wanted } = await this.read(name);
    for (const position of wanted) await this.handleAgain(following, position);
    let reached = after;
    for (;;) {
      const rows = await find(reached, PAGE);
      for (const row of rows) {
        if (stopping?.aborted === true) return;
        await this.handle(following, row);
        reached = row.position;
        await this.advance(name, reached);
      }
      if (rows.length < PAGE) return;
    }
  }

  /** Counts what waits for an operator. */
  @Periodic({ every: LOOKED_AT_EVERY, role: 'jobs' })
  async lookAtParked(): Promise<void> {
    const rows = await this.database.query<{ readonly name: string; readonly parked: number }>(
      'SELECT cursor_name AS name, count(*)::int AS parked FROM parked_rows GROUP BY cursor_name',
    );
    this.parked = new Map(rows.map(({ name, parked }) => [name, parked]));
  }

  private register(name: string): void {
    if (this.names.has(name)) return;
    this.names.add(name);
    this.health.register(`rows_${name}`, false, () => ((this.parked.get(name) ?? 0) > 0 ? 'degraded' : 'up'));
  }

  private async handle<Row extends FollowedRow>(following: Following<Row>, row: Row): Promise<void> {
    const { name, handle } = following;
    try {
      await handle(row);
      this.failing.delete(name);
    } catch (error) {
      if (error instanceof Unavailable) throw error;
      const before = this.failing.get(name);
      const tries = before?.position === row.position ? before.tries + 1 : 1;
      const nextAt = this.clock.monotonic() + FIRST_PAUSE_MS * 2 ** (tries - 1);
      this.failing.set(name, { position: row.position, tries, error, nextAt });
      if (tries < MOST_TRIES) throw error;
      await this.park(following, row, tries, error);
      this.failing.delete(name);
    }
  }

  /** A parked row, once. A row that its read model has no more is not waited for. */
  private async handleAgain<Row extends FollowedRow>(following: Following<Row>, position: string): Promise<void> {
    const { name, find, handle } = following;
    const [row] = await find(String(BigInt(position) - 1n), 1);
    try {
      if (row?.position === position) await handle(row);
    } catch (error) {
      if (error instanceof Unavailable || row === undefined) throw error;
      return this.park(following, row, 1, error);
    }
    await this.database.query('DELETE FROM parked_rows WHERE cursor_name = $1 AND position = $2', [name, position]);
    return undefined;
  }

  private async park<Row extends FollowedRow>(
    { name, eventOf }: Following<Row>,
    row: Row,
    tries: number,
    cause: unknown,
  ): Promise<void> {
    const [eventId, described] = [eventOf(row), describeError(cause)];
    const error = [described.type, described.message].filter(Boolean).join(': ');
    await this.database.query(
      `INSERT INTO parked_rows (cursor_name, event_id, position, attempts, error) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (cursor_name, event_id) DO UPDATE
       SET attempts = parked_rows.attempts + excluded.attempts, error = excluded.error, retry_requested = false`,
      [name, eventId, row.position, tries, error],
    );
    this.logger.error(
      { cursor: name, event: eventId, error: described },
      'an effect of a row failed for good; npm run reactors -- retry has it tried again',
    );
  }

  private async read(name: string): Promise<{ readonly after: string; readonly wanted: readonly string[] }> {
    const [row] = await this.database.query<{
      readonly after: string | null;
      readonly wanted: readonly string[] | null;
    }>(
      `SELECT (SELECT position FROM row_cursors WHERE name = $1) AS after,
         (SELECT array_agg(position::text ORDER BY position) FROM parked_rows
          WHERE cursor_name = $1 AND retry_requested) AS wanted`,
      [name],
    );
    return { after: row?.after ?? '-1', wanted: row?.wanted ?? [] };
  }

  private async advance(name: string, position: string): Promise<void> {
    await this.database.query(
      `INSERT INTO row_cursors (name, position) VALUES ($1, $2)
       ON CONFLICT (name) DO UPDATE SET position = greatest(row_cursors.position, excluded.position)`,
      [name, position],
    );
  }
}

/**
 * Every start runs this before anything is appended, as for reactors (rewindReactorsAhead): a cursor beyond the end of the log
 * means that the log was restored, and it would skip new rows. Returns the cursors that were moved to the log's end.
 */
export const rewindCursorsAhead = async (
  database: Queryable,
  headOfLog: () => Promise<bigint | undefined>,
): Promise<readonly string[]> => {
  const saved = await database.query<{ name: string; position: string }>('SELECT name, position FROM row_cursors');
  const head = (await headOfLog()) ?? -1n;
  const ahead = saved.filter(({ position }) => BigInt(position) > head);
  const rows = await database.query<{ name: string }>(
    `UPDATE row_cursors AS present SET position = $1
     FROM unnest($2::text[], $3::bigint[]) AS read (name, position)
     WHERE present.name = read.name AND present.position = read.position RETURNING present.name`,
    [head, ahead.map(({ name }) => name), ahead.map(({ position }) => position)],
  );
  return rows.map(({ name }) => name);
};
