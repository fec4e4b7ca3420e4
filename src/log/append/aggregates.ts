import { type Category } from '../../kernel/category.js';
import { type Clock } from '../../kernel/clock.js';
import { type DomainEvent } from '../../kernel/decider.js';
import { type CommandMetadata, eventMetadata, type Recorded, type StoredEvent } from '../../kernel/events.js';
import { newUuid } from '../../kernel/ids.js';
import { KeyedMutex } from '../../kernel/keyed-mutex.js';
import { Unavailable } from '../../kernel/unavailable.js';
import { type EventStore, WrongExpectedRevision } from '../../platform/eventstore/event-store.js';
import { type Snapshots } from './snapshots.js';
import { SnapshottedStreams } from './snapshotted-streams.js';

/** An aggregate as its stream was read. Its reader may change it. */
export interface Loaded<State, Event extends DomainEvent> {
  readonly stream: string;
  readonly state: State;
  /** Revision of the last event; -1 if there is none. */
  readonly revision: bigint;
  /** The last events without a gap, in order. A category without snapshots gives all events. */
  readonly events: readonly Recorded<Event>[];
}

export interface Decided<State, Event extends DomainEvent> {
  /** The state with the new events applied. */
  readonly state: State;
  /** The appended events; empty if there was nothing to do. */
  readonly appended: readonly Recorded<Event>[];
  /** Commit position of the stream's last event, or of the earlier attempt's last event. Undefined for an empty stream. */
  readonly position: bigint | undefined;
}

export interface DecideOptions<State, Event extends DomainEvent> {
  readonly metadata: CommandMetadata;
  /** Id of the first event. Needed where data is sealed for it, or where it identifies an earlier attempt. */
  readonly firstEventId?: string | undefined;
  /** The command may repeat an attempt from long ago with the same `firstEventId`. The whole stream is searched for it. */
  readonly repeated?: boolean | undefined;
  /** Ids that a second attempt derives again. */
  readonly idOf?: ((event: Event) => string) | undefined;
  /** The stream as read before, or `unread`. It is read again only after a conflict. */
  readonly loaded?: Loaded<State, Event> | undefined;
  /** Runs once, after this state allowed the command and before the append. No events: the command changes nothing. */
  readonly beforehand?: ((state: State, events: readonly Event[]) => Promise<void>) | undefined;
  /** Called with each decision before its append, and with the state that it was made on. The last call counts. */
  readonly deciding?: ((state: State, events: readonly Event[]) => void) | undefined;
  /** Commands of this process on the same stream wait for each other, so they do not conflict among themselves. */
  readonly inTurn?: boolean | undefined;
  /** Milliseconds after which no further try begins. If absent, only the number of tries is limited. */
  readonly budgetMs?: number | undefined;
}

/** Conflicts on one such stream are rare, because the category of hot streams queues its commands. */
const MAX_TRIES = 20;

/**
 * The streams of one category, read for each command. Each command loads, decides and appends at the revision it
 * decided on.
 */
export class Aggregates<State, Command, Event extends DomainEvent> {
  private readonly turns = new KeyedMutex();
  private readonly snapshotted: SnapshottedStreams<State> | undefined;

  constructor(
    private readonly category: Pick<Category<State, Command, Event>, 'decider' | 'snapshots' | 'newEvent'>,
    private readonly store: EventStore,
    snapshots: Snapshots,
    private readonly clock: Clock,
  ) {
    const { decider, snapshots: format } = category;
    const { initialState } = decider;
    const evolve = (state: State, event: StoredEvent): State => decider.evolve(state, event as Recorded<Event>);
    this.snapshotted = format && new SnapshottedStreams(store, snapshots, { ...format, initialState, evolve });
  }

  /** A stream that is assumed not to exist. If it does exist, the append conflicts and the stream is read then. */
  unread(stream: string): Loaded<State, Event> {
    return { stream, state: this.category.decider.initialState(stream), revision: -1n, events: [] };
  }

  /** Throws Unavailable. */
  async load(stream: string, budgetMs?: number): Promise<Loaded<State, Event>> {
    if (this.snapshotted !== undefined) {
      const { view: state, revision, tail } = await this.snapshotted.load(stream);
      return { stream, state, revision, events: tail as readonly Recorded<Event>[] };
    }
    const events: Recorded<Event>[] = [];
    for await (const page of this.store.readPages(stream, budgetMs === undefined ? {} : { budgetMs }))
      events.push(...(page as readonly Recorded<Event>[]));
    const { initialState, evolve } = this.category.decider;
    const state = events.reduce((state, event) => evolve(state, event), initialState(stream));
    return { stream, state, revision: events.at(-1)?.revision ?? -1n, events };
  }

  /** The event of this revision. The caller knows that the stream has it. */
  async eventAt({ stream, events }: Loaded<State, Event>, revision: bigint): Promise<Recorded<Event> | undefined> {
    const known = events.find((event) => event.revision === revision);
    if (known !== undefined) return known;
    const [read] = await this.store.read(stream, { from: revision, maxCount: 1 });
    return read?.revision === revision ? (read as Recorded<Event>) : undefined;
  }

  /** Removes the snapshots of the stream from Postgres. Throws Unavailable. */
  async forget(stream: string): Promise<void> {
    await this.snapshotted?.forget(stream);
  }

  /**
   * Reads, decides and appends; after a conflict it decides again. Throws the decider's Rejection, or Unavailable.
   * After Unavailable the outcome is unknown and the caller may repeat the same command. With the same `firstEventId`
   * it finds the events of the first attempt, even after later changes.
   */
  execute(stream: string, command: Command, options: DecideOptions<State, Event>): Promise<Decided<State, Event>> {
    const deadline = this.clock.monotonic() + (options.budgetMs ?? Infinity);
    const work = (): Promise<Decided<State, Event>> => this.decideInTime(stream, command, options, deadline);
    return options.inTurn === true ? this.turns.take(stream, work) : work();
  }

  /** Appends at the revision that was loaded. Throws WrongExpectedRevision, or Unavailable with an unknown outcome. */
  async append(
    loaded: Loaded<State, Event>,
    events: readonly Event[],
    options: Pick<DecideOptions<State, Event>, 'metadata' | 'firstEventId' | 'idOf'>,
  ): Promise<Loaded<State, Event>> {
    const { stream, revision: before } = loaded;
    const { firstEventId, idOf } = options;
    const { newEvent, decider } = this.category;
    const expected = before === -1n ? 'no_stream' : before;
    const created = this.clock.now();
    const written = events.map((event, index) => {
      const id = (index === 0 ? firstEventId : undefined) ?? idOf?.(event) ?? newUuid();
      return { event, id, metadata: eventMetadata(options.metadata, created) };
    });
    const news = written.map(({ event, id, metadata }) => newEvent(event, id, metadata));
    const { revision, position } = await this.store.append(stream, news, expected);
    const stored = written.map(({ event, id, metadata }, index): Recorded<Event> => {
      return { ...event, id, metadata, stream, revision: before + BigInt(index) + 1n, position, created };
    });
    const state = stored.reduce((state, event) => decider.evolve(state, event), loaded.state);
    return { stream, state, revision, events: [...loaded.events, ...stored] };
  }

  private async decideInTime(
    stream: string,
    command: Command,
    options: DecideOptions<State, Event>,
    deadline: number,
  ): Promise<Decided<State, Event>> {
    let { loaded, beforehand } = options;
    let conflict: unknown;
    for (let tries = 0; tries < MAX_TRIES && this.clock.monotonic() < deadline; tries += 1) {
      loaded ??= await this.load(stream);
      const earlier = await this.earlierAttempt(loaded, options);
      if (earlier !== undefined) return { state: loaded.state, appended: [], position: earlier.position };
      const events = this.category.decider.decide(command, loaded.state);
      options.deciding?.(loaded.state, events);
      await beforehand?.(loaded.state, events);
      beforehand = undefined;
      if (events.length === 0) return { state: loaded.state, appended: [], position: loaded.events.at(-1)?.position };
      try {
        const after = await this.append(loaded, events, options);
        const appended = after.events.slice(loaded.events.length);
        return { state: after.state, appended, position: appended.at(-1)?.position };
      } catch (error) {
        if (!(error instanceof WrongExpectedRevision)) throw error;
        loaded = undefined;
        conflict = error;
      }
    }
    throw new Unavailable('event_store', { cause: conflict });
  }

  /** The events that an earlier attempt wrote. */
  private async earlierAttempt(
    { stream, events }: Loaded<State, Event>,
    { firstEventId, repeated }: DecideOptions<State, Event>,
  ): Promise<StoredEvent | undefined> {
    const isFirst = ({ id }: StoredEvent): boolean => id === firstEventId;
    const found = events.find(isFirst);
    const before = (events[0]?.revision ?? 0n) - 1n;
    if (found !== undefined || repeated !== true || before < 0n) return found;
    for await (const page of this.store.readPages(stream, { direction: 'backwards', from: before })) {
      const older = page.find(isFirst);
      if (older !== undefined) return older;
    }
    return undefined;
  }
}
