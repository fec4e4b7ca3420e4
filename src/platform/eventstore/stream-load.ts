import { type Decider, type DomainEvent } from '../../kernel/decider.js';
import { type StoredEvent } from '../../kernel/events.js';
import { type EventStore } from './event-store.js';
import { type Snapshots } from './snapshots.js';

export interface SnapshotCodec<State> {
  readonly store: Snapshots;
  /** Changes with the reducer: a snapshot of another version is ignored. */
  readonly version: string;
  readonly encode: (state: State) => unknown;
  readonly decode: (snapshot: never) => State;
}

/** What a stream came to with the event of this revision; -1: before its first. */
export interface StreamState<State> {
  readonly state: State;
  readonly revision: bigint;
}

export interface StreamLoadOptions<State, Event extends DomainEvent> {
  readonly stream: string;
  readonly store: EventStore;
  readonly decider: Pick<Decider<State, never, Event>, 'initialState' | 'evolve'>;
  readonly snapshots?: SnapshotCodec<State>;
}

/**
 * The first reading of a stream, from its snapshot on. One that fails goes on, when it is tried again, behind the pages that
 * it has read: where all streams are read at once, as after a start, each takes longer than the store may take to answer, and
 * readings that begin anew would never end.
 */
export class StreamLoad<State, Event extends DomainEvent> {
  private snapshot: StreamState<State> | undefined;
  private read: StreamState<State> | undefined;

  constructor(private readonly options: StreamLoadOptions<State, Event>) {}

  /** Revision of the snapshot that it began with; -1: none. */
  get snapshotRevision(): bigint {
    return this.snapshot?.revision ?? -1n;
  }

  /** Throws Unavailable; it may be called again then. */
  async finish(): Promise<StreamState<State>> {
    const { stream, store, decider } = this.options;
    let known = this.read ?? (await this.begin());
    for await (const page of store.readPages(stream, { from: known.revision + 1n })) {
      let { state, revision } = known;
      for (const event of page as readonly StoredEvent<Event>[]) {
        state = decider.evolve(state, event as DomainEvent as Event);
        revision = event.revision;
      }
      this.read = known = { state, revision };
    }
    return known;
  }

  private async begin(): Promise<StreamState<State>> {
    this.snapshot = await this.loadSnapshot();
    this.read = this.snapshot ?? { state: this.options.decider.initialState(), revision: -1n };
    return this.read;
  }

  /** A snapshot ahead of the log, as a restored back-up may hold it, tells of events that never were: it is thrown away. */
  private async loadSnapshot(): Promise<StreamState<State> | undefined> {
    const { snapshots, stream, store } = this.options;
    if (snapshots === undefined) return undefined;
    const snapshot = await snapshots.store.load(stream, snapshots.version);
    if (snapshot === undefined) return undefined;
    const { revision } = snapshot;
    const [last] = await store.read(stream, { from: revision, maxCount: 1 });
    if (last?.revision === revision) return { state: snapshots.decode(snapshot.state as never), revision };
    await snapshots.store.discard(stream);
    return undefined;
  }
}
