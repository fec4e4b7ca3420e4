import { pause } from '../../kernel/pause.js';
import { type Clock } from '../../kernel/clock.js';
import { type StoredEvent } from '../../kernel/events.js';
import { type EventStore } from '../../platform/eventstore/event-store.js';
import { type FollowerLog } from '../follow/follower.js';
import { type Applying } from '../../kernel/work-tracing.js';
import { applyEach, CannotApply, isPassing } from './cannot-apply.js';
import { type CheckpointNotifier } from './checkpoint-notifier.js';
import { abandon, Fenced, isNewest, readCheckpoint, takeOver, type Writer } from './checkpoints.js';
import { forgetFailure, isStopped, positionsSetAside, recordFailure } from './failures.js';
import { IdleThrottle } from './idle-throttle.js';
import { type Member } from './member.js';
import { type Projection } from './projection.js';
import { readLog } from './read-log.js';
import { Rebuild, RebuildUnderWay } from './rebuild.js';
import { ProjectionSession } from '../../platform/postgres/session.js';
import { partOf, PartRefused, writeSharedBatch } from './shared-batch.js';

export interface ProjectingOptions {
  readonly projections: readonly Projection[];
  readonly store: EventStore;
  /** A connection string of Postgres. */
  readonly database: string;
  readonly clock: Clock;
  readonly log: FollowerLog;
  readonly board: CheckpointNotifier;
  /** Stands around each batch that is written. */
  readonly applying?: Applying | undefined;
}

/** Milliseconds before a projection takes its rows over again. A leader that was deposed knows it by then. */
const AGAIN_MS = 1_500;
/** Lock of the process that makes the rows of a new version. */
const UPGRADE = 'projections.upgrade';
/** Milliseconds between looks for what lets a stopped projection go on. */
const CLEARED_LOOK_MS = 2_000;
const CLEARED_LOOKS = 30;

/** Brings back the projections that are not written with the others: each by itself, on a connection of its own. */
export class ProjectionRecovery {
  private readonly returning = new Map<Member, AbortSignal>();
  private readonly returns = new Set<Promise<void>>();
  /** Those that have caught up with the others, which have gone on since. */
  private readonly back = new Set<Member>();
  /** Whose rows are made for the first time by this code, whoever leads. */
  private readonly making = new Set<Member>();
  private led = new AbortController();

  constructor(
    private readonly options: ProjectingOptions,
    /** The position of the others; undefined if there are none. */
    private readonly goal: () => bigint | undefined,
    /** Lets what recovered join the others. */
    private readonly rejoin: () => void,
  ) {
    this.led.abort();
  }

  /** Aborts when this process no longer leads. */
  get signal(): AbortSignal {
    return this.led.signal;
  }

  has(member: Member): boolean {
    return this.returning.get(member) === this.led.signal;
  }

  /** Whether it has come back, and may join from where it is. Once. */
  isBack(member: Member): boolean {
    return this.back.delete(member);
  }

  /** Its rows are made where they are another version's, without the lead. */
  isMaking(member: Member): boolean {
    return this.making.has(member);
  }

  /** This process leads. */
  begin(): void {
    if (this.led.signal.aborted) this.led = new AbortController();
  }

  /** It no longer does: all returns end, and none begins. */
  end(): void {
    this.led.abort();
    this.back.clear();
  }

  async settled(): Promise<void> {
    await Promise.all(this.returns);
  }

  bringBack(member: Member, problem?: Error): void {
    if (this.has(member) || this.signal.aborted) return;
    member.leave('waiting', problem);
    this.returnBy(member, (signal) => this.comeBack(member, signal));
  }

  /** Applies the events of a failed batch, one by one if need be. The projection stops at the one that fails. */
  async findFault(
    session: ProjectionSession,
    member: Member,
    events: readonly StoredEvent[],
    position: bigint,
  ): Promise<void> {
    const { writer } = member;
    if (writer === undefined) return;
    try {
      await this.apply(session, member, writer, events, position);
    } catch (error) {
      if (error instanceof Fenced) this.bringBack(member);
      else if (isPassing(error)) throw error;
      else
        this.returnBy(member, (signal) => this.stopAt(member, error, signal).then(() => this.comeBack(member, signal)));
    }
  }

  /**
   * Makes the rows of this code's version, where another one's are live, and swaps them all at the end: until then the older code
   * keeps its own up to date. It goes on whoever leads, in one process at a time.
   */
  async rebuildOutdated(members: readonly Member[], signal: AbortSignal): Promise<void> {
    members.forEach((member) => this.making.add(member));
    while (!signal.aborted) {
      const session = await ProjectionSession.open(this.options.database).catch(() => undefined);
      try {
        if (session !== undefined && (await session.tryLock(UPGRADE))) {
          await this.makeAll(members, signal);
          return;
        }
      } catch (error) {
        if (!isPassing(error)) throw error;
      } finally {
        await session?.close();
      }
      await pause(AGAIN_MS, signal);
    }
  }

  private async makeAll(members: readonly Member[], signal: AbortSignal): Promise<void> {
    const reading = new Set(members);
    let open: () => void = () => undefined;
    const allRead = new Promise<void>((resolve) => (open = resolve));
    signal.addEventListener('abort', () => open(), { once: true });
    const read = (member: Member): Promise<void> => {
      reading.delete(member);
      if (reading.size === 0) open();
      return allRead;
    };
    await Promise.all(
      members.map(async (member) => {
        const make = (session: ProjectionSession) => this.makeOwn(session, member, signal, () => read(member));
        for (let failed = await this.persist(member, signal, make); failed !== undefined && !signal.aborted;) {
          void read(member);
          await this.stopAt(member, failed, signal);
          failed = await this.persist(member, signal, make);
        }
        void read(member);
        this.making.delete(member);
        if (member.apart !== 'waiting') return;
        // Its rows were made now. Where this process leads, it joins the others when they begin again.
        if (this.signal.aborted) member.apart = undefined;
        else this.rejoin();
      }),
    );
  }

  private returnBy(member: Member, come: (signal: AbortSignal) => Promise<void>): void {
    const { signal } = this.led;
    if (signal.aborted) return;
    this.returning.set(member, signal);
    const returned = come(signal).finally(() => {
      this.returns.delete(returned);
      if (signal.aborted) return;
      this.returning.delete(member);
      if (member.apart === 'superseded') return;
      this.back.add(member);
      this.rejoin();
    });
    this.returns.add(returned);
  }

  /** Resolves once the rows are as far as those of the others, a newer version has them, or the signal aborts. */
  private async comeBack(member: Member, signal: AbortSignal): Promise<void> {
    let failed: unknown;
    do {
      await pause(AGAIN_MS, signal);
      failed = await this.persist(member, signal, (session) => this.catchUp(session, member, signal));
      if (failed !== undefined) await this.stopAt(member, failed, signal);
    } while (failed !== undefined && !signal.aborted);
  }

  /** Repeats what a store interrupts. Returns an error that does not pass by itself. */
  private async persist(
    member: Member,
    signal: AbortSignal,
    work: (session: ProjectionSession) => Promise<void>,
  ): Promise<unknown> {
    const isOver = (): boolean => signal.aborted;
    while (!isOver()) {
      let session: ProjectionSession | undefined;
      try {
        session = await ProjectionSession.open(this.options.database);
        await work(session);
        return undefined;
      } catch (error) {
        if (isOver()) return undefined;
        if (!isPassing(error) && !(error instanceof RebuildUnderWay)) return error;
        if (!(error instanceof RebuildUnderWay)) member.leave('waiting', error as Error);
      } finally {
        await session?.close();
      }
      await pause(AGAIN_MS, signal);
    }
    return undefined;
  }

  private async catchUp(session: ProjectionSession, member: Member, signal: AbortSignal): Promise<void> {
    await this.makeOwn(session, member, signal);
    if (member.apart === 'superseded') return;
    const { projection } = member;
    const checkpoint = await takeOver(session, projection);
    if (checkpoint === undefined) throw new Fenced(projection.name);
    const aside = await positionsSetAside(session, projection);
    const writer: Writer = { projection, epoch: checkpoint.epoch };
    [member.epoch, member.position] = [checkpoint.epoch, checkpoint.position];
    const { position: after } = checkpoint;
    const goal = this.goal();
    // Rows that were swapped may be further than the others.
    const until = goal !== undefined && after !== undefined && goal < after ? after : goal;
    const part = { ...projection, store: this.options.store, after, until, signal };
    await readLog(
      part,
      (events, position) => ({ events: events.filter(({ position: at }) => !aside.has(at)), position }),
      ({ events, position }) => this.apply(session, member, writer, events, position),
    );
    await forgetFailure(session, projection);
  }

  /** The present rows serve queries while the new ones are made. To a newer version this one yields. */
  private async makeOwn(
    session: ProjectionSession,
    member: Member,
    signal: AbortSignal,
    read?: () => Promise<void>,
  ): Promise<void> {
    const { store, log } = this.options;
    const { projection, name } = member;
    const present = await readCheckpoint(session, name);
    if (present?.version === projection.version) return;
    if (await this.yields(session, member)) return;
    const pace = new IdleThrottle();
    const rest = (took: number): Promise<void> => pause(pace.restAfter(took), signal);
    const rebuild = await Rebuild.begin({ session, store, projection, signal, rest });
    member.leave('rebuilding');
    log.info({ projection: name }, 'rebuilding beside the present rows');
    if (read !== undefined) {
      await Rebuild.readTogether([rebuild]);
      await read();
    }
    await rebuild.swap();
    member.leave('waiting');
    log.info({ projection: name }, 'rebuilt and swapped');
  }

  /** Whether a newer version keeps these rows. This one then leaves them to it. */
  async yields(session: ProjectionSession, member: Member): Promise<boolean> {
    const { projection, name } = member;
    if (await isNewest(session, projection)) return false;
    if (member.apart !== 'superseded')
      this.options.log.warn({ projection: name }, 'a newer version projects; this one does not');
    member.leave('superseded');
    return true;
  }

  /** Throws CannotApply where it is one event that fails. */
  private async apply(
    session: ProjectionSession,
    member: Member,
    writer: Writer,
    events: readonly StoredEvent[],
    position: bigint,
  ): Promise<void> {
    try {
      await this.write(session, member, writer, events, position);
    } catch (error) {
      if (events.length === 0 || isPassing(error)) throw error;
      await applyEach(member.name, events, (event) => this.write(session, member, writer, [event], event.position));
      await this.write(session, member, writer, [], position);
    }
  }

  private async write(
    session: ProjectionSession,
    member: Member,
    writer: Writer,
    events: readonly StoredEvent[],
    position: bigint,
  ): Promise<void> {
    const held = await writeSharedBatch(session, [partOf(writer, events)], position).catch((error: unknown) => {
      throw error instanceof PartRefused ? error.cause : error;
    });
    if (!held.has(member.name)) throw new Fenced(member.name);
    member.committed(events, position);
    this.options.board.committed(member.name, position);
  }

  /** Notes what stopped it, and resolves once it is worth another try: rows were made, the event was set aside, or time passed. */
  private async stopAt(member: Member, error: unknown, signal: AbortSignal): Promise<void> {
    const problem = error instanceof Error ? error : new Error(String(error));
    const wasNoted = member.apart === 'failed' && member.problem?.message === problem.message;
    member.leave('failed', problem);
    const event = problem instanceof CannotApply ? problem.event : undefined;
    const place = event && { position: String(event.position), stream: event.stream, type: event.type };
    const fields = { projection: member.name, ...place, problem: problem.message };
    if (!wasNoted) this.options.log.error(fields, 'projection stopped');
    let noted = false;
    for (let looks = 0; looks < CLEARED_LOOKS && !signal.aborted; looks += 1) {
      const stopped: boolean | undefined = await this.lookAt(member, event, error, noted).catch(() => undefined);
      if (stopped === false) return;
      noted ||= stopped === true;
      await pause(CLEARED_LOOK_MS, signal);
    }
  }

  /** Whether it is still stopped. The failure is noted first, once. */
  private async lookAt(
    { projection, epoch }: Member,
    event: StoredEvent | undefined,
    error: unknown,
    noted: boolean,
  ): Promise<boolean> {
    const session = await ProjectionSession.open(this.options.database);
    try {
      if (noted) return await isStopped(session, projection);
      if (epoch !== undefined) await abandon(session, projection, epoch);
      await recordFailure(session, projection, event, error);
      return true;
    } finally {
      await session.close();
    }
  }
}
