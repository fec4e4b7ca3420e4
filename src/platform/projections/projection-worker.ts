import { type Clock } from '../../kernel/clock.js';
import { type StoredEvent } from '../../kernel/events.js';
import { Unavailable } from '../../kernel/unavailable.js';
import { type EventStore } from '../eventstore/event-store.js';
import { applyEach, CannotApply, isPassing } from './cannot-apply.js';
import { type CheckpointNotifier } from './checkpoint-notifier.js';
import {
  abandon,
  type Checkpoint,
  disownRowsAhead,
  evictSilentLeader,
  Fenced,
  heartbeat,
  isNewest,
  leaderLock,
  readCheckpoint,
  schemaOf,
  takeOver,
} from './checkpoints.js';
import { forgetFailure, isStopped, positionsSetAside, recordFailure } from './failures.js';
import { type Batch, later } from './subscription-buffer.js';
import { IdleThrottle } from './idle-throttle.js';
import { ThrottledBuffer } from './throttled-buffer.js';
import { type Projection } from './projection.js';
import { RateMeter } from './rate-meter.js';
import { Rebuild, RebuildUnderWay } from './rebuild.js';
import { ProjectionSession } from './session.js';
import { Expelled, type SharedSubscription } from './shared-subscription.js';
import { Pause } from './pause.js';
import { type Target, writeBatch } from './write-batch.js';

/**
 * `standby`: another instance leads. `waiting`: a store is unavailable. `superseded`: a newer version has taken over.
 * `failed`: an event cannot be applied. No later event is applied until a version that can apply it starts.
 */
export type FollowerState =
  'starting' | 'standby' | 'catching_up' | 'live' | 'rebuilding' | 'waiting' | 'superseded' | 'failed' | 'stopped';

export interface ProjectionStatus {
  readonly projection: string;
  readonly state: FollowerState;
  /** Commit position of the rows, as far as this instance knows; undefined while it does not lead. */
  readonly position: bigint | undefined;
  readonly eventsPerSecond: number;
  /** Age of the newest event in the rows, while there is more to read. 0 if there is no more, and on standby. */
  readonly lagSeconds: number;
  /** The event that cannot be applied. */
  readonly failedAt?: { readonly position: bigint; readonly stream: string; readonly type: string };
  readonly problem?: string;
}

/** The part of a pino logger that is used. */
export interface ProjectionLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export interface FollowerOptions {
  readonly projection: Projection;
  readonly store: EventStore;
  /** A connection string of Postgres. */
  readonly database: string;
  readonly clock: Clock;
  readonly log: ProjectionLog;
  readonly board: CheckpointNotifier;
  /** The subscription that all projections of this process share. */
  readonly shared: SharedSubscription;
}

/** Logged once, by the part that detects it. */
export const ROWS_AHEAD =
  'the rows are ahead of the event log, which was restored from an older back-up: they are made anew from it';

const STANDBY_MS = 1_000;
/** Milliseconds between looks for what lets a stopped projection go on. */
const CLEARED_LOOK_MS = 2_000;
const CLEARED_LOOKS = 30;
/**
 * With another instance on standby, a batch that takes longer than this is undone and begins again for ever. Purges
 * come in pieces, and a batch holds only one, so no batch takes that long.
 */
const SILENT_LEADER_MS = 15_000;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 2_000;

/**
 * Keeps one projection's rows up to date, as the only leader among all instances. It reads alone until it has caught up
 * with the log. Then it joins the shared subscription.
 */
export class ProjectionWorker {
  private readonly stopping = new AbortController();
  private readonly pause = new Pause(this.stopping.signal);
  private readonly rate: RateMeter;
  private state: FollowerState = 'starting';
  private position: bigint | undefined;
  private newest: Date | undefined;
  private problem: Error | undefined;
  /** The failure stands in a table, whose row goes when the projection may go on. */
  private noted = false;
  private running: Promise<void> | undefined;

  constructor(private readonly options: FollowerOptions) {
    this.rate = new RateMeter(options.clock);
  }

  status(): ProjectionStatus {
    const failed = this.problem instanceof CannotApply ? this.problem.event : undefined;
    const behind = this.state !== 'live' || this.options.shared.waiting > 0;
    const age = this.newest === undefined ? 0 : this.options.clock.now().getTime() - this.newest.getTime();
    return {
      projection: this.options.projection.name,
      state: this.state,
      position: this.position,
      eventsPerSecond: this.rate.perSecond(),
      lagSeconds: behind ? Math.max(0, age / 1_000) : 0,
      ...(failed && { failedAt: { position: failed.position, stream: failed.stream, type: failed.type } }),
      ...(this.problem && { problem: this.problem.message }),
    };
  }

  start(): void {
    this.running = this.run();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  private stopped(): boolean {
    return this.stopping.signal.aborted;
  }

  private async run(): Promise<void> {
    let failures = 0;
    while (!this.stopped()) {
      try {
        if ((await this.attempt()) === 'done') return;
        failures = 0;
      } catch (error) {
        if (this.stopped() || error instanceof Fenced) continue;
        if (error instanceof Expelled) {
          this.options.log.warn({ projection: this.options.projection.name, problem: error }, 'reading by itself');
          await this.pause.for(FIRST_PAUSE_MS);
          continue;
        }
        if (!(error instanceof Unavailable)) {
          this.fail(error);
          if (!this.noted) return;
          await this.untilCleared();
          continue;
        }
        if (this.state === 'live' || this.state === 'catching_up') failures = 0;
        this.wait(error);
        await this.pause.for(Math.min(FIRST_PAUSE_MS * 2 ** failures, LONGEST_PAUSE_MS));
        failures += 1;
      }
    }
    this.state = 'stopped';
  }

  /** A rebuild has made the rows, an operator has set the event aside, or it is time to see whether its cause is mended. */
  private async untilCleared(): Promise<void> {
    const { database } = this.options;
    for (let looks = 0, stopped = true; stopped && looks < CLEARED_LOOKS && !this.stopped(); looks += 1) {
      await this.pause.for(CLEARED_LOOK_MS);
      stopped = await this.isStopped(database).catch(() => true);
    }
    this.noted = false;
  }

  private async isStopped(database: string): Promise<boolean> {
    const session = await ProjectionSession.open(database);
    try {
      return await isStopped(session, this.options.projection);
    } finally {
      await session.close();
    }
  }

  private async attempt(): Promise<'again' | 'done'> {
    const { projection, database, board } = this.options;
    board.forget(projection.name);
    const session = await ProjectionSession.open(database);
    try {
      for (;;) {
        const present = await readCheckpoint(session, projection.name);
        if (present?.version !== projection.version) return await this.replaceOrYield(session);
        if (await session.tryLock(leaderLock(projection.name))) break;
        this.state = 'standby';
        this.position = undefined;
        this.newest = undefined;
        await evictSilentLeader(session, projection.name, SILENT_LEADER_MS);
        await this.pause.for(STANDBY_MS);
        if (this.stopped()) return 'again';
      }
      if (await this.disownRowsAhead(session)) return 'again';
      const checkpoint = await takeOver(session, projection);
      if (checkpoint !== undefined) await this.lead(session, checkpoint);
      return 'again';
    } finally {
      await session.close();
    }
  }

  /** The log may also have been restored while this process ran. */
  private async disownRowsAhead(session: ProjectionSession): Promise<boolean> {
    const { projection, store, log } = this.options;
    const position = await disownRowsAhead(session, projection.name, () => store.head());
    if (position === undefined) return false;
    log.warn({ projection: projection.name, position: String(position) }, ROWS_AHEAD);
    return true;
  }

  /**
   * The rows belong to another version. Rows of an older version are replaced; that version may project until then. To
   * a newer version this one yields.
   */
  private async replaceOrYield(session: ProjectionSession): Promise<'again' | 'done'> {
    const { projection, log } = this.options;
    if (await isNewest(session, projection)) {
      await this.rebuild();
      return 'again';
    }
    this.state = 'superseded';
    log.warn({ projection: projection.name }, 'a newer version projects; this one stops projecting');
    return 'done';
  }

  private async lead(session: ProjectionSession, checkpoint: Checkpoint): Promise<void> {
    try {
      await this.catchUp(session, checkpoint);
    } catch (error) {
      if (!this.stopped() && !isPassing(error)) {
        await abandon(session, this.options.projection, checkpoint.epoch);
        await this.record(session, error);
      }
      throw error;
    }
    if (this.stopped()) return;
    await forgetFailure(session, this.options.projection);
    await this.join(session, checkpoint.epoch);
  }

  private async record(session: ProjectionSession, error: unknown): Promise<void> {
    const event = error instanceof CannotApply ? error.event : undefined;
    await recordFailure(session, this.options.projection, event, error);
    this.noted = true;
  }

  /** Reads to the end of the log, over a connection of its own. */
  private async catchUp(session: ProjectionSession, { epoch, position: after }: Checkpoint): Promise<void> {
    const { projection, store, log } = this.options;
    const target: Target = { projection, slot: 'live', epoch };
    const aside = await positionsSetAside(session, projection);
    this.position = after;
    // The events up to caught_up reach at least this position, even if none of them is for this projection.
    const end = await store.head();
    const { streamPrefixes, endsBatch } = projection;
    const feed = new ThrottledBuffer({ store, streamPrefixes, after, endsBatch, signal: this.stopping.signal });
    this.state = 'catching_up';
    this.problem = undefined;
    log.info({ projection: projection.name, position: String(after ?? 'start') }, 'projecting');
    try {
      for (let level = false; !level;) {
        const batch = await feed.next();
        if (batch === undefined) return;
        const position = batch.caughtUp && end !== undefined ? later(batch.position, end) : batch.position;
        const events = aside.size === 0 ? batch.events : batch.events.filter((event) => !aside.has(event.position));
        if (position === undefined) await heartbeat(session, projection, epoch);
        else await this.commit(session, target, { ...batch, events, position });
        level = batch.caughtUp;
      }
    } finally {
      feed.close();
    }
  }

  private async join(session: ProjectionSession, epoch: string): Promise<void> {
    const { projection, shared } = this.options;
    await shared.join({
      projection,
      epoch,
      position: this.position,
      release: async () => {
        await session.unlock(leaderLock(projection.name));
        await session.close();
      },
      joined: () => {
        this.state = 'live';
      },
      committed: (events, position, newest) => this.note(events.length, newest, position),
    });
  }

  private async commit(session: ProjectionSession, target: Target, batch: Batch): Promise<void> {
    const schema = schemaOf(target.projection, target.slot);
    const write = (part: Pick<Batch, 'events' | 'position'>): Promise<void> =>
      session.transaction(schema, () => writeBatch(session, target, part));
    try {
      await write(batch);
    } catch (error) {
      if (batch.events.length === 0 || isPassing(error)) throw error;
      await applyEach(target.projection.name, batch.events, async (event) => {
        await write({ events: [event], position: event.position });
        this.note(1, event, event.position);
      });
      await write({ events: [], position: batch.position });
      return;
    }
    this.note(batch.events.length, batch.events.at(-1), batch.position);
  }

  private note(events: number, newest: StoredEvent | undefined, position: bigint | undefined): void {
    this.rate.add(events);
    this.newest = newest?.created ?? this.newest;
    if (position === undefined) return;
    this.position = position;
    this.options.board.committed(this.options.projection.name, position);
  }

  /** The present rows serve queries while the new ones are made. */
  private async rebuild(): Promise<void> {
    const { projection, store, database, log } = this.options;
    this.state = 'rebuilding';
    const session = await ProjectionSession.open(database);
    try {
      const signal = this.stopping.signal;
      const pace = new IdleThrottle();
      const rest = (took: number): Promise<void> => this.pause.for(pace.restAfter(took));
      const rebuild = await Rebuild.begin({ session, store, projection, signal, rest });
      log.info({ projection: projection.name }, 'rebuilding beside the present rows');
      await rebuild.swap();
      log.info({ projection: projection.name }, 'rebuilt and swapped');
    } catch (error) {
      if (!(error instanceof RebuildUnderWay)) {
        if (!this.stopped() && !isPassing(error)) await this.record(session, error);
        throw error;
      }
      await this.pause.for(STANDBY_MS);
    } finally {
      await session.close();
    }
  }

  private wait(error: Unavailable): void {
    if (this.state !== 'waiting')
      this.options.log.warn({ projection: this.options.projection.name, part: error.part }, 'waiting');
    this.state = 'waiting';
    this.problem = error;
  }

  private fail(error: unknown): void {
    this.state = 'failed';
    this.problem = error instanceof Error ? error : new Error(String(error));
    const { failedAt, problem } = this.status();
    const place = failedAt && { ...failedAt, position: String(failedAt.position) };
    this.options.log.error({ projection: this.options.projection.name, ...place, problem }, 'projection stopped');
  }
}
