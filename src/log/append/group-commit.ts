import { type LimitFunction } from 'p-limit';
import { type Clock } from '../../kernel/clock.js';
import { type Decider, type DomainEvent } from '../../kernel/decider.js';
import { type NewEvent, type StoredEvent } from '../../kernel/events.js';
import { Unavailable } from '../../kernel/unavailable.js';
import { LatencyBudget } from './latency-budget.js';
import {
  CommandQueue,
  type Decision,
  type Entry,
  type Freshness,
  type CommittedEvent,
  InputsTooOld,
  type Verdict,
} from './command-queue.js';
import { type ExpectedRevision } from '@kyc/esdb-client/requests';
import { type EventStore, WrongExpectedRevision } from '../../platform/eventstore/event-store.js';
import { type SnapshotCodec, StreamLoad, type StreamState } from './stream-load.js';

/** Below EventStoreDB's 1 MiB limit for an append, so that no batch fails for its size. */
const BATCH_BYTES = 512 * 1024;
/** Maximum number of events in one append. */
export const BATCH_EVENTS = 1_000;
/** Limits how much of a stream a start has to read: this many events, or the events of one pause, up to a bound. */
const SNAPSHOT_EVERY = 100n;
const SNAPSHOT_PAUSE_MS = 5_000;
const SNAPSHOT_AT_ONCE = 5_000n;
/** Events after our revision that are read at once. If there are more, another process has written for a while. */
const SHORT_TAIL = 32;
const RETRY_PAUSE_MS = 50;

/** Uses the global timer, so that a test can control its time. */
const pause = (ms: number): Promise<void> => new Promise((resume) => setTimeout(resume, ms));

export interface GroupCommitOptions<State, Command, Event extends DomainEvent> {
  readonly stream: string;
  readonly store: EventStore;
  readonly clock: Clock;
  readonly decider: Decider<State, Command, Event>;
  /** A copy for trial decisions. It must be cheap for a state of any size. */
  readonly draft: (state: State) => State;
  /** `index`: the event's place among those of its command. */
  readonly toNewEvent: (event: Event, command: Command, index: number) => NewEvent<Event>;
  /** Upper estimate of an event's stored size, in bytes. */
  readonly weigh: (event: Event) => number;
  readonly snapshots?: SnapshotCodec<State>;
  /**
   * Shared by all writers of a process. The store answers a few reads in time, but with too many it answers all of them
   * too late.
   */
  readonly loads: LimitFunction;
}

interface Batch<State, Command, Event extends DomainEvent> {
  readonly expected: ExpectedRevision;
  readonly events: readonly NewEvent<Event>[];
  readonly verdicts: readonly Verdict<State, Command>[];
}

/**
 * One writer of one stream. While an append is in flight, further commands queue up. The next append takes as many
 * commands as fit. Each is decided in order against the state and gets its own accept or reject. Other processes may
 * write the same stream; the expected revision alone keeps them correct.
 */
export class GroupCommit<State, Command, Event extends DomainEvent> {
  private state: State | undefined;
  private revision = -1n;
  /** The last snapshot: its revision, and when this writer made it, on the monotonic clock. */
  private snapshot = { revision: -1n, at: -Infinity };
  private loading: StreamLoad<State, Event> | undefined;
  private readonly queue: CommandQueue<State, Command>;
  /** A batch whose append has an unknown outcome. It is retried identically before anything else. */
  private doubtful: Batch<State, Command, Event> | undefined;
  /** An earlier attempt at it may have been written. */
  private sentBefore = false;
  private readonly pace: LatencyBudget;
  private running = false;

  constructor(private readonly options: GroupCommitOptions<State, Command, Event>) {
    this.pace = new LatencyBudget(options.clock);
    this.queue = new CommandQueue(options.clock, () => this.revision);
  }

  /** The last known revision of the stream, -1 before it was read. The stream may already be further. */
  get reached(): bigint {
    return this.revision;
  }

  /** Whether nothing is queued or in doubt. An idle writer may be dropped. */
  get idle(): boolean {
    return !this.running && this.queue.isEmpty && this.doubtful === undefined;
  }

  /** Commands without an answer so far: those that wait for an append, and those in one. */
  get queued(): number {
    return this.queue.waiting.length;
  }

  /** The state as this process last knew it; undefined before the stream was read. */
  get known(): State | undefined {
    return this.state;
  }

  /**
   * Decides and appends. Rejects with the decider's Rejection: nothing is appended, and the state it judged was
   * current. Rejects with Unavailable or InputsTooOld if the command was never tried within `budgetMs`; no refund is owed then.
   * Rejects with OutcomeUnknown if it was tried. A command is tried only if its remaining time exceeds the recent
   * duration of appends.
   */
  submit(command: Command, budgetMs: number, freshness?: Freshness): Promise<Decision<State>> {
    const decision = this.queue.add(command, budgetMs, freshness);
    if (!this.running) void this.run();
    return decision;
  }

  /** Works the queue off. It never rejects, because every failure becomes the answer of some entry. */
  private async run(): Promise<void> {
    this.running = true;
    // Commands of the same turn of the event loop share an append.
    await Promise.resolve();
    while (!this.queue.isEmpty || this.doubtful !== undefined) {
      try {
        await this.step();
      } catch (error) {
        // Commands handed to the store may still be written. Their callers hear that the outcome is unknown.
        const untried = this.queue.waiting.filter(({ attempted }) => !attempted);
        if (!(error instanceof Unavailable)) this.queue.reject(untried, error);
        await pause(RETRY_PAUSE_MS);
      }
    }
    this.running = false;
  }

  private async step(): Promise<void> {
    const state = this.state ?? (await this.load());
    if (this.doubtful !== undefined) return this.tryAppend(this.doubtful);
    const now = this.options.clock.monotonic();
    this.queue.expire(now);
    // A command is not tried if its answer would come too late. An event written after its deadline has to be refunded
    // through this same queue.
    const inTime = this.pace.inTime(this.queue.waiting, now);
    if (inTime.length === 0) return;
    const next = inTime.slice(0, BATCH_EVENTS);
    const freshEntries = next.filter(({ freshUntil }) => freshUntil >= now);
    if (freshEntries.length < next.length)
      this.queue.reject(
        next.filter(({ freshUntil }) => freshUntil < now),
        new InputsTooOld(),
      );
    if (freshEntries.length === 0) return;
    const batch = this.decideAll(freshEntries, state);
    if (batch.events.length > 0) return this.append(batch);
    // Nothing to append means that nothing can conflict, so these commands are judged by the tail as it is now. One
    // read serves all commands that were queued before it, however fast others write.
    const current = await this.catchUp(state);
    const judged = this.decideAll(
      freshEntries.filter((entry) => !entry.done),
      current,
    );
    // A command that does append after all may have run out of time meanwhile. The next step checks that.
    if (judged.events.length === 0) this.answer(judged);
  }

  private decideAll(entries: readonly Entry<State, Command>[], state: State): Batch<State, Command, Event> {
    const { decider, draft, toNewEvent, weigh } = this.options;
    const expected: ExpectedRevision = this.revision === -1n ? 'no_stream' : this.revision;
    const events: NewEvent<Event>[] = [];
    const verdicts: Verdict<State, Command>[] = [];
    let tried = draft(state);
    let bytes = 0;
    for (const entry of entries) {
      if (events.length >= BATCH_EVENTS || bytes >= BATCH_BYTES) break;
      try {
        const decided = decider.decide(entry.command, tried);
        const before = this.revision + BigInt(events.length);
        for (const [index, event] of decided.entries()) {
          tried = decider.evolve(tried, event);
          events.push(toNewEvent(event, entry.command, index));
          bytes += weigh(event);
        }
        const revision = decided.length > 0 ? before + 1n : before;
        verdicts.push({ entry, outcome: { decision: { state: tried, revision, appended: decided.length > 0 } } });
      } catch (error) {
        verdicts.push({ entry, outcome: { error } });
      }
    }
    return { expected, events, verdicts };
  }

  private async append(batch: Batch<State, Command, Event>): Promise<void> {
    // A batch that is not sent leaves nothing in doubt, and its commands owe no refund.
    if (!this.options.store.healthy) throw new Unavailable('event_store');
    for (const { entry, outcome } of batch.verdicts)
      entry.attempted = 'decision' in outcome && outcome.decision.appended;
    this.doubtful = batch;
    this.sentBefore = false;
    await this.tryAppend(batch);
  }

  /** The batch stays in doubt if the store does not report the outcome. */
  private async tryAppend(batch: Batch<State, Command, Event>): Promise<void> {
    const { store, stream } = this.options;
    let position: bigint;
    try {
      ({ position } = await this.pace.timed(() => store.append(stream, batch.events, batch.expected)));
    } catch (error) {
      if (error instanceof WrongExpectedRevision) await this.resolveConflict(batch);
      else if (error instanceof Unavailable) {
        this.sentBefore = true;
        throw error;
      } else await this.refuse(batch, error);
      return;
    }
    this.commit(batch, position);
  }

  /** A refusal is final, unless an earlier attempt was written. It applies only to commands whose events were refused. */
  private async refuse(batch: Batch<State, Command, Event>, error: unknown): Promise<void> {
    const position = this.sentBefore
      ? await this.committedPositionOf(batch, await this.readTail(SHORT_TAIL))
      : undefined;
    if (position !== undefined) {
      this.commit(batch, position);
      return;
    }
    const refused = batch.verdicts.filter(({ entry }) => entry.attempted).map(({ entry }) => entry);
    this.abandon(batch);
    this.queue.reject(refused, error);
  }

  private commit(batch: Batch<State, Command, Event>, position: bigint): void {
    const before = this.revision;
    for (const event of batch.events) this.apply(event as DomainEvent as Event);
    this.revision += BigInt(batch.events.length);
    this.doubtful = undefined;
    this.answer(batch, ({ revision }) => {
      const event = batch.events[Number(revision - before) - 1];
      return event && { event, revision, position };
    });
    this.snapshotWhenDue();
  }

  /**
   * Another writer wrote, or a retry of this batch did so unrecognised by the store. In the first case the commands are
   * decided again.
   */
  private async resolveConflict(batch: Batch<State, Command, Event>): Promise<void> {
    const tail = await this.readTail(SHORT_TAIL);
    const position = await this.committedPositionOf(batch, tail);
    if (position !== undefined) {
      this.commit(batch, position);
      return;
    }
    this.abandon(batch);
    if (tail.length === 0) this.forget();
    await this.applyTail(tail);
  }

  /** The commit position of the batch, if it stands directly after our revision. The stream continues with `tail` there. */
  private async committedPositionOf(
    { events }: Batch<State, Command, Event>,
    tail: readonly StoredEvent[],
  ): Promise<bigint | undefined> {
    const partial = events.length > SHORT_TAIL && tail[0]?.id === events[0]?.id;
    const written = partial ? await this.readTail(events.length) : tail;
    const isWritten = events.every(({ id }, index) => written[index]?.id === id);
    return isWritten ? written[events.length - 1]?.position : undefined;
  }

  /**
   * A conflict with nothing after our revision means that the log was restored to an earlier state. Our state is
   * invalid then.
   */
  private forget(): never {
    this.state = undefined;
    this.revision = -1n;
    throw new Unavailable('event_store', { cause: new Error(`${this.options.stream} is behind what was read of it`) });
  }

  /** Called when the batch is known not to have been written. */
  private abandon(batch: Batch<State, Command, Event>): void {
    this.doubtful = undefined;
    for (const { entry } of batch.verdicts) {
      entry.attempted = false;
      entry.resolveOutcome?.(undefined);
    }
  }

  private async catchUp(state: State): Promise<State> {
    await this.applyTail(await this.readTail(SHORT_TAIL));
    return this.state ?? state;
  }

  private async readTail(maxCount: number): Promise<StoredEvent<Event>[]> {
    const { store, stream } = this.options;
    return (await store.read(stream, { from: this.revision + 1n, maxCount })) as StoredEvent<Event>[];
  }

  /** Applies the events after our revision. If the tail may be incomplete, it reads the rest of the stream. */
  private async applyTail(tail: readonly StoredEvent<Event>[]): Promise<void> {
    for (const event of tail) {
      this.apply(event as DomainEvent as Event);
      this.revision = event.revision;
    }
    if (tail.length === SHORT_TAIL) {
      const { state, revision } = this;
      this.loading = new StreamLoad(this.options, state && { state, revision });
      this.state = undefined;
      await this.load();
    } else if (tail.length > 0) this.snapshotWhenDue();
  }

  private apply(event: Event): void {
    this.state = this.options.decider.evolve(this.state ?? this.options.decider.initialState(), event);
  }

  private async load(): Promise<State> {
    const { loads } = this.options;
    const loading = (this.loading ??= new StreamLoad(this.options));
    let known: StreamState<State> | undefined;
    try {
      while (known === undefined) known = await loads(() => loading.advance());
    } catch (error) {
      if (!(error instanceof Unavailable)) this.loading = undefined;
      throw error;
    }
    this.loading = undefined;
    this.state = known.state;
    this.revision = known.revision;
    const { snapshotRevision } = loading;
    if (snapshotRevision !== undefined) this.snapshot = { revision: snapshotRevision, at: -Infinity };
    this.snapshotWhenDue();
    return known.state;
  }

  /** A snapshot changes only cost, so losing one is no failure. */
  private snapshotWhenDue(): void {
    const { snapshots, stream, clock } = this.options;
    if (snapshots === undefined || this.state === undefined) return;
    const now = clock.monotonic();
    const events = this.revision - this.snapshot.revision;
    const pause = now - this.snapshot.at < SNAPSHOT_PAUSE_MS;
    if (events < SNAPSHOT_EVERY || (pause && events < SNAPSHOT_AT_ONCE)) return;
    this.snapshot = { revision: this.revision, at: now };
    void snapshots.store.save(stream, snapshots.version, this.revision, snapshots.encode(this.state));
  }

  private answer(
    { verdicts }: Batch<State, Command, Event>,
    committedEventOf?: (decision: Decision<State>) => CommittedEvent | undefined,
  ): void {
    const answers = verdicts.map(({ entry, outcome }) => {
      if ('error' in outcome) return { entry, outcome };
      const committedEvent = outcome.decision.appended ? committedEventOf?.(outcome.decision) : undefined;
      return {
        entry,
        outcome: committedEvent === undefined ? outcome : { decision: { ...outcome.decision, committedEvent } },
      };
    });
    this.queue.answer(answers);
  }
}
