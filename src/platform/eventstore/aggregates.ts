import { type Category } from '../../kernel/category.js';
import { type Clock } from '../../kernel/clock.js';
import { type DomainEvent } from '../../kernel/decider.js';
import { type CommandMetadata, eventMetadata, type Recorded, type StoredEvent } from '../../kernel/events.js';
import { newUuid } from '../../kernel/ids.js';
import { Turns } from '../../kernel/turns.js';
import { Unavailable } from '../../kernel/unavailable.js';
import { type EventStore, WrongExpectedRevision } from './event-store.js';
import { type Snapshots } from './snapshots.js';
import { SnapshottedStreams } from './snapshotted-streams.js';

/** An aggregate as its stream was read; its own reader's to change. */
export interface Loaded<State, Event extends DomainEvent> {
  readonly stream: string;
  readonly state: State;
  /** Of the last event; -1: there is none. */
  readonly revision: bigint;
  /** The last ones without a gap, in order; all of them where the category has no snapshots. */
  readonly events: readonly Recorded<Event>[];
}

export interface Decided<State, Event extends DomainEvent> {
  /** With the new events applied. */
  readonly state: State;
  /** Those that were appended; none where there was nothing to do. */
  readonly appended: readonly Recorded<Event>[];
  /** Commit position of the stream's last event, or of the earlier attempt's; undefined for an empty stream. */
  readonly position: bigint | undefined;
}

export interface DecideOptions<State, Event extends DomainEvent> {
  readonly metadata: CommandMetadata;
  /** Id of the first event, where something is sealed for it, or an earlier attempt is to be recognised by it. */
  readonly firstEventId?: string | undefined;
  /** An earlier attempt with the same `firstEventId` may have been made long ago: all of the stream is searched for it. */
  readonly repeated?: boolean | undefined;
  /** Ids that a second attempt derives again. */
  readonly idOf?: ((event: Event) => string) | undefined;
  /** The stream as read before, or `unread`; read anew only after a conflict. */
  readonly loaded?: Loaded<State, Event> | undefined;
  /** Carried out once, when the command was found to be allowed by this state, before anything is appended. */
  readonly beforehand?: ((state: State) => Promise<void>) | undefined;
  /** Commands of this process on the same stream wait for each other, and meet no conflict among themselves. */
  readonly inTurn?: boolean | undefined;
  /** Milliseconds after which no further try is begun; absent: the number of tries alone bounds them. */
  readonly budgetMs?: number | undefined;
}

/** Conflicts on one such stream are rare: the category of hot streams queues its commands. */
const MAX_TRIES = 20;

/** The streams of one category, each read for each command: load, decide, append at the revision that the decision was made on. */
export class Aggregates<State, Command, Event extends DomainEvent> {
  private readonly turns = new Turns();
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

  /** A stream that is taken not to exist: where it does, the expected revision tells, and it is read then. */
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

  /** The event of this revision, which the stream is known to have. */
  async eventAt({ stream, events }: Loaded<State, Event>, revision: bigint): Promise<Recorded<Event> | undefined> {
    const known = events.find((event) => event.revision === revision);
    if (known !== undefined) return known;
    const [read] = await this.store.read(stream, { from: revision, maxCount: 1 });
    return read?.revision === revision ? (read as Recorded<Event>) : undefined;
  }

  /** Removes what Postgres remembers of the stream. Throws Unavailable. */
  async forget(stream: string): Promise<void> {
    await this.snapshotted?.forget(stream);
  }

  /**
   * Reads, decides and appends; a conflict decides again. Throws the decider's Rejection, or Unavailable; after Unavailable the
   * outcome is unknown and the same command may be given again: with the same `firstEventId` it finds what the first attempt
   * wrote, whatever has happened since.
   */
  execute(stream: string, command: Command, options: DecideOptions<State, Event>): Promise<Decided<State, Event>> {
    const deadline = this.clock.monotonic() + (options.budgetMs ?? Infinity);
    const work = (): Promise<Decided<State, Event>> => this.decideInTime(stream, command, options, deadline);
    return options.inTurn === true ? this.turns.take(stream, work) : work();
  }

  /** At the revision that was loaded. Throws WrongExpectedRevision, or Unavailable with an unknown outcome. */
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
      await beforehand?.(loaded.state);
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

  /** What an earlier attempt wrote. */
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
