import { Unavailable } from '../../kernel/unavailable.js';
import { type Queryable } from '../postgres/database.js';
import { ProjectionSession } from '../postgres/session.js';

/** Milliseconds between beats. The leader updates its row at each beat, and the other instances try for the lock. */
const BEAT_MS = 1_000;
/** A leader without a beat for this long is stopped or cut off. Another instance then ends its connection and leads. */
const LEASE_MS = 15_000;
/** Share of that time after which a leader without a beat gives up by itself, before another one can lead. */
const GIVES_UP_AFTER = 0.8;

/** Milliseconds in which a connection that is ended is gone. */
const EVICTION_MS = 2_000;

/** Work that only one instance does at a time. */
export interface Claim {
  /** Name of the lock; the same in every instance. */
  readonly name: string;
  /** An instance of higher rank takes the lead from one of lower rank (0). */
  readonly rank?: (session: Queryable) => Promise<bigint>;
  readonly gained?: () => void;
  /** Another instance may lead from this call on. */
  readonly lost?: () => void;
}

export interface LeadershipOptions {
  /** A connection string of Postgres. */
  readonly database: string;
  readonly beatMs?: number;
  readonly leaseMs?: number;
  /** Receives the error of a failed beat, unless Postgres is unavailable. */
  readonly onFault: (error: unknown) => void;
}

/**
 * Elects one instance as leader for work that only one may do. All locks of a process belong to one connection.
 * Statements over that connection come from the leader alone. A successor ends that connection when it takes over.
 */
export class Leadership {
  private readonly claims = new Map<string, Claim>();
  private readonly held = new Set<string>();
  private readonly beatMs: number;
  private readonly leaseMs: number;
  /** Start of the last beat that succeeded, in milliseconds of the monotonic clock. */
  private beatAt = -Infinity;
  private givingUp: NodeJS.Timeout | undefined;
  private session: ProjectionSession | undefined;
  private timer: NodeJS.Timeout | undefined;
  private beating: Promise<void> = Promise.resolve();
  private closed = false;

  constructor(private readonly options: LeadershipOptions) {
    this.beatMs = options.beatMs ?? BEAT_MS;
    this.leaseMs = options.leaseMs ?? LEASE_MS;
  }

  /** Tries for the lock until `close`. */
  claim(claim: Claim): void {
    this.claims.set(claim.name, claim);
    if (this.timer === undefined) this.schedule(0);
  }

  /** Also false once the last beat is so old that another instance may soon lead. */
  holds(name: string): boolean {
    return this.held.has(name) && this.remainingMs() > 0;
  }

  /** Leaves the work to other instances for good. */
  async resign(name: string): Promise<void> {
    this.claims.delete(name);
    const { session } = this;
    if (!this.held.delete(name) || session === undefined) return;
    try {
      await session.unlock(lockOf(name));
    } catch (error) {
      this.endIfAway(session, error);
      if (!(error instanceof Unavailable)) throw error;
    }
  }

  /** Runs a statement that only the leader may run. Throws Unavailable if this process does not lead (any more). */
  async query<Row extends object>(name: string, text: string, values: readonly unknown[]): Promise<Row[]> {
    const { session } = this;
    if (session === undefined || !this.holds(name)) throw new Unavailable('postgres');
    try {
      return await session.query<Row>(text, values);
    } catch (error) {
      this.endIfAway(session, error);
      throw error;
    }
  }

  /** Frees every lock at once. */
  async close(): Promise<void> {
    this.closed = true;
    clearTimeout(this.timer);
    await this.beating;
    this.loseAll();
  }

  private schedule(pauseMs: number): void {
    if (this.closed) return;
    this.timer = setTimeout(() => {
      this.beating = this.beat().finally(() => this.schedule(this.beatMs));
    }, pauseMs).unref();
  }

  private async beat(): Promise<void> {
    try {
      const session = (this.session ??= await this.open());
      await this.sayAlive(session);
      const missing = [...this.claims.keys()].filter((name) => !this.held.has(name));
      if (missing.length > 0) await this.ask(session, missing);
    } catch (error) {
      this.loseAll();
      if (!(error instanceof Unavailable)) this.options.onFault(error);
    }
  }

  /** Who ends the connection leads next, so the loss is known at once. */
  private async open(): Promise<ProjectionSession> {
    const session = await ProjectionSession.open(this.options.database, 'leadership');
    session.whenEnded(() => {
      if (session === this.session) this.loseAll();
    });
    return session;
  }

  private async ask(session: ProjectionSession, names: readonly string[]): Promise<void> {
    const ranked = await Promise.all(names.map(async (name) => ({ name, rank: await this.rankOf(session, name) })));
    const won = new Set(await this.win(session, ranked));
    const missing = ranked.filter(({ name }) => !won.has(name));
    // At once, before another of lower rank finds the lock free.
    if (missing.length > 0 && (await this.evict(session, missing)))
      for (const name of await this.win(session, missing)) won.add(name);
    for (const name of won) {
      this.held.add(name);
      this.claims.get(name)?.gained?.();
    }
  }

  private async rankOf(session: ProjectionSession, name: string): Promise<bigint> {
    return (await this.claims.get(name)?.rank?.(session)) ?? 0n;
  }

  /**
   * Takes the locks that are free and writes their first beat in one statement, so that a new leader never counts as silent.
   * Returns their names.
   */
  private async win(session: ProjectionSession, wanted: readonly Wanted[]): Promise<readonly string[]> {
    const rows = await session.query<{ name: string }>(
      `WITH tried AS MATERIALIZED (
         SELECT name, rank, pg_try_advisory_lock(hashtextextended('${LOCK}' || name, 0)) AS held
         FROM unnest($1::text[], $2::bigint[]) AS wanted (name, rank)),
         heard AS (INSERT INTO leaders (name, heard_at, rank) SELECT name, now(), rank FROM tried WHERE held
                   ON CONFLICT (name) DO UPDATE SET heard_at = excluded.heard_at, rank = excluded.rank)
       SELECT name FROM tried WHERE held`,
      columnsOf(wanted),
      'win-leadership',
    );
    return rows.map(({ name }) => name);
  }

  private async sayAlive(session: ProjectionSession): Promise<void> {
    const began = performance.now();
    const held = [...this.held];
    const ranks = await Promise.all(held.map((name) => this.rankOf(session, name)));
    await session.query(
      `INSERT INTO leaders (name, heard_at, rank) SELECT name, now(), rank FROM unnest($1::text[], $2::bigint[]) AS own (name, rank)
       ON CONFLICT (name) DO UPDATE SET heard_at = excluded.heard_at, rank = excluded.rank`,
      [held, ranks],
      'leader-lives',
    );
    this.beatAt = began;
    clearTimeout(this.givingUp);
    this.givingUp = setTimeout(() => this.loseAll(), this.remainingMs()).unref();
  }

  private remainingMs(): number {
    return this.beatAt + this.leaseMs * GIVES_UP_AFTER - performance.now();
  }

  /** A stopped process keeps its connection, and so its locks. Returns whether one was ended. */
  private async evict(session: ProjectionSession, wanted: readonly Wanted[]): Promise<boolean> {
    const ended = await session.query(
      `SELECT pg_terminate_backend(pid, ${EVICTION_MS}) FROM (
         SELECT DISTINCT l.pid FROM unnest($1::text[], $2::bigint[]) AS wanted (name, rank)
         JOIN leaders ON leaders.name = wanted.name
           AND (leaders.heard_at < now() - $3 * interval '1 millisecond' OR leaders.rank < wanted.rank)
         JOIN pg_locks l ON l.locktype = 'advisory' AND l.granted AND l.objsubid = 1
           AND ((l.classid::bigint << 32) | l.objid::bigint) = hashtextextended('${LOCK}' || wanted.name, 0)
         JOIN pg_database d ON d.oid = l.database AND d.datname = current_database()) AS silent`,
      [...columnsOf(wanted), this.leaseMs],
      'evict-leader',
    );
    return ended.length > 0;
  }

  /** The locks end with the connection. */
  private endIfAway(session: ProjectionSession, error: unknown): void {
    if (error instanceof Unavailable && session === this.session) this.loseAll();
  }

  private loseAll(): void {
    clearTimeout(this.givingUp);
    void this.session?.close();
    this.session = undefined;
    const lost = [...this.held];
    this.held.clear();
    for (const name of lost) this.claims.get(name)?.lost?.();
  }
}

const LOCK = 'leader.';
const lockOf = (name: string): string => `${LOCK}${name}`;

interface Wanted {
  readonly name: string;
  readonly rank: bigint;
}

const columnsOf = (wanted: readonly Wanted[]): [names: string[], ranks: bigint[]] => [
  wanted.map(({ name }) => name),
  wanted.map(({ rank }) => rank),
];
