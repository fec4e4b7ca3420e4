import { type Clock } from '../../kernel/clock.js';
import { type Decider, type DomainEvent } from '../../kernel/decider.js';
import { type NewEvent, type StoredEvent } from '../../kernel/events.js';
import { type Turnstile } from '../../kernel/turnstile.js';
import { Unavailable } from '../../kernel/unavailable.js';
import { AppendPace } from './append-pace.js';
import { type EventStore, type ExpectedRevision, WrongExpectedRevision } from './event-store.js';
import { type SnapshotCodec, StreamLoad, type StreamState } from './stream-load.js';

/** Below EventStoreDB's 1 MiB an append, so that a batch never fails for its size. */
const BATCH_BYTES = 512 * 1024;
const BATCH_EVENTS = 1_000;
/** What a start has to read of each stream: so many events, or what came within the pause, up to a bound. */
const SNAPSHOT_EVERY = 100n;
const SNAPSHOT_PAUSE_MS = 5_000;
const SNAPSHOT_AT_ONCE = 5_000n;
/** Events behind our revision that are read at once; where there are more, another process wrote for a while. */
const SHORT_TAIL = 32;
const RETRY_PAUSE_MS = 50;
const EXPIRY_CHECK_MS = 100;

/** The store was asked to append this command's events and nobody knows whether it did. */
export class OutcomeUnknown extends Unavailable {
  constructor(options?: ErrorOptions) {
    super('event_store', options);
  }
}

export interface Decision<State> {
  /** The state right after this command; its maps live on, so read them at once. */
  readonly state: State;
  /** Revision of the command's last event, or where it needed none, of the stream's last event (-1: none). */
  readonly revision: bigint;
  /** Whether the command appended something; false where it had been carried out already. */
  readonly appended: boolean;
}

export interface GroupCommitOptions<State, Command, Event extends DomainEvent> {
  readonly stream: string;
  readonly store: EventStore;
  readonly clock: Clock;
  readonly decider: Decider<State, Command, Event>;
  /** A copy to try decisions on, cheap whatever the state's size. */
  readonly draft: (state: State) => State;
  readonly toNewEvent: (event: Event, command: Command) => NewEvent<Event>;
  /** Upper estimate of an event's stored size, bytes. */
  readonly weigh: (event: Event) => number;
  readonly snapshots?: SnapshotCodec<State>;
  /** Shared by all writers of a process: the store answers a few readings in time where it would answer all too late. */
  readonly loads: Turnstile;
}

interface Entry<State, Command> {
  readonly command: Command;
  readonly deadline: number;
  readonly resolve: (decision: Decision<State>) => void;
  readonly reject: (error: unknown) => void;
  /** Its events were handed to the store. */
  attempted: boolean;
  done: boolean;
}

interface Verdict<State, Command> {
  readonly entry: Entry<State, Command>;
  readonly outcome: { readonly decision: Decision<State> } | { readonly error: unknown };
}

interface Batch<State, Command, Event extends DomainEvent> {
  readonly expected: ExpectedRevision;
  readonly events: readonly NewEvent<Event>[];
  readonly verdicts: readonly Verdict<State, Command>[];
}

/**
 * One writer of one stream. While an append is in flight further commands queue up; the next append takes as many as fit,
 * each decided in order against the state, each with its own accept or reject. Several writers of the same stream, in
 * other processes, stay correct by expected revision alone.
 */
export class GroupCommit<State, Command, Event extends DomainEvent> {
  private state: State | undefined;
  private revision = -1n;
  /** The last one: what it holds, and when this writer made it, on the monotonic clock. */
  private snapshot = { revision: -1n, at: -Infinity };
  private loading: StreamLoad<State, Event> | undefined;
  private queue: Entry<State, Command>[] = [];
  /** Appended with an outcome that is not known: retried identically before anything else. */
  private doubtful: Batch<State, Command, Event> | undefined;
  private readonly pace: AppendPace;
  private running = false;
  private expiry: NodeJS.Timeout | undefined;

  constructor(private readonly options: GroupCommitOptions<State, Command, Event>) {
    this.pace = new AppendPace(options.clock);
  }

  /** Whether nothing is queued or in doubt, so that the writer may be forgotten. */
  get idle(): boolean {
    return !this.running && this.queue.length === 0 && this.doubtful === undefined;
  }

  /**
   * Decides and appends. Rejects with the decider's Rejection (nothing appended; the state it was judged by was current),
   * with Unavailable where the command was never tried within `budgetMs` (nothing is owed), with OutcomeUnknown where it
   * was. A command is tried only while more of its budget is left than appends take of late.
   */
  submit(command: Command, budgetMs: number): Promise<Decision<State>> {
    return new Promise((resolve, reject) => {
      const deadline = this.options.clock.monotonic() + budgetMs;
      this.queue.push({ command, deadline, resolve, reject, attempted: false, done: false });
      this.watchDeadlines();
      if (!this.running) void this.run();
    });
  }

  /** Works the queue off; never rejects, since every failure is some entry's answer. */
  private async run(): Promise<void> {
    this.running = true;
    // Commands of the same turn of the event loop share an append.
    await Promise.resolve();
    while (this.queue.length > 0 || this.doubtful !== undefined) {
      try {
        await this.step();
      } catch (error) {
        if (!(error instanceof Unavailable)) this.fail(this.queue, error);
        await new Promise((resume) => setTimeout(resume, RETRY_PAUSE_MS));
      }
    }
    this.running = false;
  }

  private async step(): Promise<void> {
    const state = this.state ?? (await this.load());
    if (this.doubtful !== undefined) return this.tryAppend(this.doubtful);
    const now = this.options.clock.monotonic();
    this.expire(now);
    // Who would hear too late is not tried: what lands after its deadline has to be refunded, by this very queue.
    const asked = this.pace.inTime(this.queue, now);
    if (asked.length === 0) return;
    const batch = this.decideAll(asked, state);
    if (batch.events.length > 0) return this.append(batch);
    // Nothing to append means nothing can conflict: judge by the tail as it is read now. One read is enough for those who
    // asked before it, however fast others write.
    const current = await this.catchUp(state);
    const judged = this.decideAll(
      asked.filter((entry) => !entry.done),
      current,
    );
    // What is to be appended after all may have run out of time meanwhile: the next step tells.
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
        for (const event of decided) {
          tried = decider.evolve(tried, event);
          events.push(toNewEvent(event, entry.command));
          bytes += weigh(event);
        }
        const revision = this.revision + BigInt(events.length);
        verdicts.push({ entry, outcome: { decision: { state: tried, revision, appended: decided.length > 0 } } });
      } catch (error) {
        verdicts.push({ entry, outcome: { error } });
      }
    }
    return { expected, events, verdicts };
  }

  private async append(batch: Batch<State, Command, Event>): Promise<void> {
    // What is not even sent leaves nothing in doubt, and its commands owe nothing.
    if (!this.options.store.healthy) throw new Unavailable('event_store');
    for (const { entry, outcome } of batch.verdicts)
      entry.attempted = 'decision' in outcome && outcome.decision.appended;
    this.doubtful = batch;
    await this.tryAppend(batch);
  }

  /** The batch stays in doubt where the store does not tell. */
  private async tryAppend(batch: Batch<State, Command, Event>): Promise<void> {
    const { store, stream } = this.options;
    try {
      await this.pace.timed(() => store.append(stream, batch.events, batch.expected));
    } catch (error) {
      if (!(error instanceof WrongExpectedRevision)) {
        if (error instanceof Unavailable) throw error;
        // Only an unknown outcome leaves doubt; any other failure is final, and theirs alone whose events were refused.
        const refused = batch.verdicts.filter(({ entry }) => entry.attempted).map(({ entry }) => entry);
        this.abandon(batch);
        this.fail(refused, error);
        return;
      }
      await this.resolveConflict(batch);
      return;
    }
    this.commit(batch);
  }

  private commit(batch: Batch<State, Command, Event>): void {
    for (const event of batch.events) this.apply(event as DomainEvent as Event);
    this.revision += BigInt(batch.events.length);
    this.doubtful = undefined;
    this.answer(batch);
    this.snapshotWhenDue();
  }

  /** Somebody else wrote: unless it was this very batch, by a retry that the store did not recognise, decide again. */
  private async resolveConflict(batch: Batch<State, Command, Event>): Promise<void> {
    const tail = await this.readTail(SHORT_TAIL);
    if (await this.landed(batch, tail)) {
      this.commit(batch);
      return;
    }
    this.abandon(batch);
    if (tail.length === 0) this.forget();
    await this.applyTail(tail);
  }

  /** Whether the batch stands behind our revision, where the stream goes on with `tail`. */
  private async landed({ events }: Batch<State, Command, Event>, tail: readonly StoredEvent[]): Promise<boolean> {
    const isWritten = (written: readonly StoredEvent[]) => events.every(({ id }, index) => written[index]?.id === id);
    if (events.length <= SHORT_TAIL || tail[0]?.id !== events[0]?.id) return isWritten(tail);
    return isWritten(await this.readTail(events.length));
  }

  /** A conflict with nothing behind our revision means that the log was put back under us: what we knew never was. */
  private forget(): never {
    this.state = undefined;
    this.revision = -1n;
    throw new Unavailable('event_store', { cause: new Error(`${this.options.stream} is behind what was read of it`) });
  }

  /** The batch is known not to have been written. */
  private abandon(batch: Batch<State, Command, Event>): void {
    this.doubtful = undefined;
    for (const { entry } of batch.verdicts) entry.attempted = false;
  }

  private async catchUp(state: State): Promise<State> {
    await this.applyTail(await this.readTail(SHORT_TAIL));
    return this.state ?? state;
  }

  private async readTail(maxCount: number): Promise<StoredEvent<Event>[]> {
    const { store, stream } = this.options;
    return (await store.read(stream, { from: this.revision + 1n, maxCount })) as StoredEvent<Event>[];
  }

  /** What follows our revision, and where that may not have been all, the rest of the stream. */
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
      while (known === undefined) known = await loads.pass(() => loading.advance());
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

  /** A snapshot only ever changes cost, so losing one is no failure. */
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

  private answer(batch: Batch<State, Command, Event>): void {
    for (const { entry, outcome } of batch.verdicts) {
      if (entry.done) continue;
      entry.done = true;
      if ('decision' in outcome) entry.resolve(outcome.decision);
      else entry.reject(outcome.error);
    }
    this.queue = this.queue.filter((entry) => !entry.done);
  }

  /** A fault of ours, not of the store's reachability: those whom it concerns hear of it. */
  private fail(entries: readonly Entry<State, Command>[], error: unknown): void {
    for (const entry of entries) {
      entry.done = true;
      entry.reject(error);
    }
    this.queue = this.queue.filter((entry) => !entry.done);
  }

  /** Answers in time even while a call to the store hangs. */
  private watchDeadlines(): void {
    this.expiry ??= setInterval(() => this.expire(), EXPIRY_CHECK_MS);
  }

  private expire(now = this.options.clock.monotonic()): void {
    for (const entry of this.queue) {
      if (entry.deadline > now) continue;
      entry.done = true;
      entry.reject(entry.attempted ? new OutcomeUnknown() : new Unavailable('event_store'));
    }
    this.queue = this.queue.filter((entry) => !entry.done);
    if (this.queue.length > 0) return;
    clearInterval(this.expiry);
    this.expiry = undefined;
  }
}
