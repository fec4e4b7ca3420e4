import { type StoredEvent } from '../../kernel/events.js';
import { Unavailable } from '../../kernel/unavailable.js';
import { type EventStore } from '../eventstore/event-store.js';
import { type Applying } from '../telemetry/tracing.js';
import { type CheckpointNotifier } from './checkpoint-notifier.js';
import { Fenced, leaderLock, moveCheckpoints, type Writer } from './checkpoints.js';
import { type Batch } from './subscription-buffer.js';
import { ThrottledBuffer } from './throttled-buffer.js';
import { Pause } from './pause.js';
import { type Projection } from './projection.js';
import { ProjectionSession } from './session.js';
import { type Part, PartRefused, writeSharedBatch } from './shared-batch.js';

/** A projection that has caught up with the log and is led by this process. */
export interface Member extends Writer {
  /** The rows include everything up to here; undefined: nothing yet. */
  readonly position: bigint | undefined;
  /** Frees the leader's lock, which the shared connection takes over. */
  release(): Promise<void>;
  joined(): void;
  /** Called only after the commit. `newest` is the newest event of the batch, for any projection. */
  committed(events: readonly StoredEvent[], position: bigint, newest: StoredEvent | undefined): void;
}

/** A batch with this projection's rows failed. The projection then reads alone and finds the event that fails. */
export class Expelled extends Error {
  override readonly name = 'Expelled';

  constructor(cause: unknown) {
    super('a shared batch failed', { cause });
  }
}

export interface SharedSubscriptionOptions {
  readonly projections: readonly Projection[];
  readonly store: EventStore;
  /** A connection string of Postgres. */
  readonly database: string;
  readonly board: CheckpointNotifier;
  /** Stands around each batch that is written. */
  readonly applying?: Applying;
}

interface Seat {
  readonly member: Member;
  position: bigint | undefined;
  /** Called without an error when this process stops. */
  leave(why?: Error): void;
}

/**
 * Milliseconds to collect the next batch, or less if somebody waits for it. A transaction costs the same for any number
 * of events.
 */
const GATHER_MS = 100;

const isBehind = (one: bigint | undefined, other: bigint | undefined): boolean =>
  other !== undefined && (one === undefined || one < other);

/**
 * One subscription, one connection, and one transaction per batch, for all projections that have caught up with the
 * log. A projection that fails, or has another writer, leaves it and delays no other.
 */
export class SharedSubscription {
  private readonly stopping = new AbortController();
  private readonly pause = new Pause(this.stopping.signal);
  private readonly streamPrefixes: readonly string[];
  private readonly seats = new Map<string, Seat>();
  private readonly joining: Seat[] = [];
  private feed: ThrottledBuffer | undefined;
  private running: Promise<void> | undefined;

  constructor(private readonly options: SharedSubscriptionOptions) {
    this.streamPrefixes = [...new Set(options.projections.flatMap(({ streamPrefixes }) => streamPrefixes))];
  }

  get waiting(): number {
    return this.feed?.waiting ?? 0;
  }

  /** Follows the log with the others until the member has to leave, and throws the reason. Resolves when this process stops. */
  join(member: Member): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = (why?: Error): void => (why === undefined ? resolve() : reject(why));
      this.joining.push({ member, position: member.position, leave });
      this.feed?.wake();
      this.running ??= this.run();
    });
  }

  async confirmIdle(head: bigint): Promise<void> {
    await this.feed?.confirmIdle(head);
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  private async run(): Promise<void> {
    while (this.joining.length > 0) {
      try {
        await this.follow();
        if (this.stopping.signal.aborted) this.dismissAll();
      } catch (error) {
        this.dismissAll(error instanceof Unavailable ? error : new Expelled(error));
      }
    }
    this.running = undefined;
  }

  private async follow(): Promise<void> {
    if (this.stopping.signal.aborted) return;
    const session = await ProjectionSession.open(this.options.database);
    try {
      for (;;) {
        await this.admitAll(session);
        if (this.feed === undefined || this.seats.size === 0) return;
        const batch = await this.feed.next();
        if (batch === undefined) return;
        if (batch.position === undefined) await this.heartbeat(session);
        else await this.write(session, batch.events, batch.position);
        if (batch.events.length > 0) await this.gather(this.feed);
      }
    } finally {
      await session.close();
      this.feed?.close();
      this.feed = undefined;
    }
  }

  private async gather(feed: ThrottledBuffer): Promise<void> {
    const wanted = this.options.board.wanted([...this.seats.keys()]);
    await this.pause.for(GATHER_MS, Promise.race([wanted, feed.filled()]));
  }

  private async admitAll(session: ProjectionSession): Promise<void> {
    for (let seat = this.joining[0]; seat !== undefined; seat = this.joining[0]) {
      await this.admit(session, seat);
      this.joining.shift();
    }
  }

  /** The lock belongs to the connection that writes. Ending that connection therefore ends both. */
  private async admit(session: ProjectionSession, seat: Seat): Promise<void> {
    const { projection } = seat.member;
    try {
      await seat.member.release();
    } catch (error) {
      seat.leave(error instanceof Error ? error : new Expelled(error));
      return;
    }
    if (!(await session.tryLock(leaderLock(projection.name)))) {
      seat.leave(new Fenced(projection.name));
      return;
    }
    this.seats.set(projection.name, seat);
    if (this.feed === undefined || isBehind(seat.position, this.feed.position)) this.readOn(seat.position);
    seat.member.joined();
  }

  /** Reads from the newcomer's position. The other members skip the events they have. */
  private readOn(after: bigint | undefined): void {
    this.feed?.close();
    const { store, projections } = this.options;
    const { streamPrefixes } = this;
    const endsBatch = (event: StoredEvent): boolean => projections.some((one) => one.endsBatch?.(event) === true);
    this.feed = new ThrottledBuffer({ store, streamPrefixes, after, endsBatch, signal: this.stopping.signal });
  }

  private async heartbeat(session: ProjectionSession): Promise<void> {
    const held = await moveCheckpoints(
      session,
      [...this.seats.values()].map(({ member }) => member),
      undefined,
    );
    for (const name of this.seats.keys()) if (!held.has(name)) await this.dismiss(session, name, new Fenced(name));
  }

  private async write(session: ProjectionSession, events: Batch['events'], position: bigint): Promise<void> {
    const parts = await this.partsOf(session, events, position);
    const held = await this.applying(parts, events, () => this.writeParts(session, parts, position));
    for (const part of parts) {
      const { name } = part.projection;
      const seat = this.seats.get(name);
      if (seat === undefined) continue;
      if (held.has(name)) {
        seat.position = position;
        seat.member.committed(part.events, position, events.at(-1));
      } else await this.dismiss(session, name, new Fenced(name));
    }
  }

  private applying<Result>(
    parts: readonly Part[],
    events: Batch['events'],
    apply: () => Promise<Result>,
  ): Promise<Result> {
    const { applying } = this.options;
    if (applying === undefined) return apply();
    const written = parts.filter((part) => part.events.length > 0).map(({ projection }) => projection.name);
    return applying(written, events, apply);
  }

  /** A member with refused rows has to leave. The rows of the others are written without it. */
  private async writeParts(
    session: ProjectionSession,
    parts: readonly Part[],
    position: bigint,
  ): Promise<ReadonlySet<string>> {
    try {
      return parts.length === 0 ? new Set() : await writeSharedBatch(session, parts, position);
    } catch (error) {
      if (!(error instanceof PartRefused)) throw error;
      await this.dismiss(session, error.projection, new Expelled(error));
      const others = parts.filter(({ projection }) => projection.name !== error.projection);
      return this.writeParts(session, others, position);
    }
  }

  /** The parts of all members that are behind `position`. A member whose `project` throws has to leave. */
  private async partsOf(session: ProjectionSession, events: Batch['events'], position: bigint): Promise<Part[]> {
    const parts: Part[] = [];
    for (const { member, position: reached } of [...this.seats.values()]) {
      if (!isBehind(reached, position)) continue;
      const { projection, epoch } = member;
      const own = events.filter(
        (event) =>
          isBehind(reached, event.position) &&
          projection.streamPrefixes.some((prefix) => event.stream.startsWith(prefix)),
      );
      try {
        parts.push({ projection, epoch, events: own, statements: own.length === 0 ? [] : projection.project(own) });
      } catch (error) {
        await this.dismiss(session, projection.name, new Expelled(error));
      }
    }
    return parts;
  }

  private async dismiss(session: ProjectionSession, name: string, why: Error): Promise<void> {
    const seat = this.seats.get(name);
    await session.unlock(leaderLock(name));
    this.seats.delete(name);
    seat?.leave(why);
  }

  private dismissAll(why?: Error): void {
    const seats = [...this.seats.values(), ...this.joining.splice(0)];
    this.seats.clear();
    for (const seat of seats) seat.leave(why);
  }
}
