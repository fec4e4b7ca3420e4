import { type SnapshotFormat } from '../../kernel/category.js';
import { type Decider, type DomainEvent } from '../../kernel/decider.js';
import { type Recorded } from '../../kernel/events.js';
import { type EventStore } from '../../platform/eventstore/event-store.js';
import { type Snapshots } from './snapshots.js';

export interface SnapshotCodec<State> extends SnapshotFormat<State> {
  readonly store: Snapshots;
}

/** The state of a stream after the event of this revision; -1 before its first event. */
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

/** Pages read in one go. A longer read then lets others go first. */
const PAGES_IN_ONE_GO = 4;

/**
 * Reads a long stream in pieces, from its snapshot or from its known state. After a failure the next try continues
 * after the pages already read. When all streams load at once, as after a start, each takes longer than the store's
 * budget. Reads that begin again would then never end.
 */
export class StreamLoad<State, Event extends DomainEvent> {
  /** Revision of the snapshot it began with; -1: there was none; undefined: not looked up yet. */
  snapshotRevision: bigint | undefined;

  constructor(
    private readonly options: StreamLoadOptions<State, Event>,
    /** The state read so far; undefined before the snapshot was looked up. */
    private known?: StreamState<State>,
  ) {}

  /**
   * Reads on and returns the state once the stream is read; undefined if there is more. Throws Unavailable; call it
   * again then.
   */
  async advance(): Promise<StreamState<State> | undefined> {
    this.known ??= await this.begin();
    let pages = 0;
    for await (const page of this.options.store.readPages(this.options.stream, { from: this.known.revision + 1n })) {
      this.known = this.after(this.known, page as readonly Recorded<Event>[]);
      pages += 1;
      if (pages === PAGES_IN_ONE_GO) return undefined;
    }
    return this.known;
  }

  private after({ state, revision }: StreamState<State>, page: readonly Recorded<Event>[]): StreamState<State> {
    let next = { state, revision };
    for (const event of page) {
      next = {
        state: this.options.decider.evolve(next.state, event),
        revision: event.revision,
      };
    }
    return next;
  }

  private async begin(): Promise<StreamState<State>> {
    const snapshot = await this.loadSnapshot();
    this.snapshotRevision = snapshot?.revision ?? -1n;
    return snapshot ?? { state: this.options.decider.initialState(), revision: -1n };
  }

  /** A snapshot ahead of the log describes events that do not exist, for example after a restored back-up. It is deleted. */
  private async loadSnapshot(): Promise<StreamState<State> | undefined> {
    const { snapshots, stream, store } = this.options;
    if (snapshots === undefined) return undefined;
    const snapshot = await snapshots.store.load(stream, snapshots.version);
    if (snapshot === undefined) return undefined;
    const { revision } = snapshot;
    const [last] = await store.read(stream, { from: revision, maxCount: 1 });
    if (last?.revision === revision) return { state: snapshots.decode(snapshot.state, stream), revision };
    await snapshots.store.discard(stream);
    return undefined;
  }
}
