import { type SnapshotFormat } from '../../kernel/category.js';
import { type StoredEvent } from '../../kernel/events.js';
import { type EventStore } from '../../platform/eventstore/event-store.js';
import { type Snapshots } from './snapshots.js';

/** Computes a view from the events of a stream, and defines how a snapshot stores it. */
export interface StreamFold<View> extends SnapshotFormat<View> {
  readonly initialState: (stream: string) => View;
  readonly evolve: (view: View, event: StoredEvent) => View;
}

export interface LoadedStream<View> {
  readonly view: View;
  /** Revision of the last event; -1 if there is none. */
  readonly revision: bigint;
  /** The last events in order; all events of a short stream. */
  readonly tail: readonly StoredEvent[];
}

interface Folded<View> {
  readonly view: View;
  readonly revision: bigint;
  /** Revision of the newest snapshot. */
  readonly kept: bigint;
}

/** The snapshot keeps the event's id as well as its revision. A log that was restored and grew again has another id there. */
interface Kept {
  readonly eventId: string;
  readonly view: unknown;
}

/**
 * Events read at once before a snapshot is looked up. This read is about as quick as one of a single event; twice as
 * many is noticeably slower.
 */
export const SHORT_STREAM = 8;
/** Interval of snapshots in events. The tail with the next command's events then still includes the snapshot's event. */
const SNAPSHOT_EVERY = 6n;
/** Interval of snapshots while a long stream is read. An interrupted read then does not begin again from the start. */
const SAVED_ON_THE_WAY = 5_000n;

/**
 * Streams that are read for each use and not held in memory. A short stream is one read of all its events. A long
 * stream is its last events and a snapshot, so neither cost grows with its age. Snapshots change only cost, never
 * meaning.
 */
export class SnapshottedStreams<View> {
  constructor(
    private readonly store: EventStore,
    private readonly snapshots: Snapshots,
    private readonly fold: StreamFold<View>,
  ) {}

  /** Throws Unavailable. */
  async load(stream: string): Promise<LoadedStream<View>> {
    const tail = (await this.store.read(stream, { direction: 'backwards', maxCount: SHORT_STREAM })).reverse();
    const [first] = tail;
    const last = tail.at(-1);
    if (first === undefined || last === undefined) return { view: this.fold.initialState(stream), revision: -1n, tail };
    const whole = first.revision === 0n || tail.length < SHORT_STREAM;
    const before = whole ? this.nothing(stream) : await this.upTo(first.revision, stream, tail);
    // Another process made its snapshot after the events read here.
    if (before.revision > last.revision) return this.load(stream);
    const { view } = this.applyAll(before, tail);
    if (!whole && last.revision - before.kept >= SNAPSHOT_EVERY) this.keep(stream, view, last);
    return { view, revision: last.revision, tail };
  }

  /** Deletes the snapshot. The next use of the stream reads it whole. Throws Unavailable. */
  forget(stream: string): Promise<void> {
    return this.snapshots.discard(stream);
  }

  private nothing(stream: string): Folded<View> {
    return { view: this.fold.initialState(stream), revision: -1n, kept: -1n };
  }

  private applyAll({ view, revision, kept }: Folded<View>, events: readonly StoredEvent[]): Folded<View> {
    const next = { view, revision };
    for (const event of events) {
      if (event.revision <= next.revision) continue;
      next.view = this.fold.evolve(next.view, event);
      next.revision = event.revision;
    }
    return { ...next, kept };
  }

  /** Everything before the revision `end`, from the snapshot or from the beginning. */
  private async upTo(end: bigint, stream: string, tail: readonly StoredEvent[]): Promise<Folded<View>> {
    let folded = (await this.fromSnapshot(stream, tail)) ?? this.nothing(stream);
    if (folded.revision >= end - 1n) return folded;
    for await (const page of this.store.readPages(stream, { from: folded.revision + 1n })) {
      folded = this.applyAll(folded, page);
      const last = page.at(-1);
      if (last === undefined || last.revision >= end - 1n) break;
      if (last.revision - folded.kept < SAVED_ON_THE_WAY) continue;
      this.keep(stream, folded.view, last);
      folded = { ...folded, kept: last.revision };
    }
    return folded;
  }

  /** Deletes a snapshot of events that the log does not hold, for example after a restored back-up. */
  private async fromSnapshot(stream: string, tail: readonly StoredEvent[]): Promise<Folded<View> | undefined> {
    const snapshot = await this.snapshots.load(stream, this.fold.version);
    if (snapshot === undefined) return undefined;
    const { revision } = snapshot;
    const { eventId, view } = snapshot.state as Kept;
    const event = tail.find((one) => one.revision === revision) ?? (await this.readAt(stream, revision));
    if (event?.id === eventId) return { view: this.fold.decode(view, stream), revision, kept: revision };
    await this.snapshots.discard(stream);
    return undefined;
  }

  private async readAt(stream: string, revision: bigint): Promise<StoredEvent | undefined> {
    const [event] = await this.store.read(stream, { from: revision, maxCount: 1 });
    return event?.revision === revision ? event : undefined;
  }

  /** Not awaited: a lost snapshot is made again. */
  private keep(stream: string, view: View, { id: eventId, revision }: StoredEvent): void {
    if (this.fold.isKept?.(view) === false) return;
    const kept: Kept = { eventId, view: this.fold.encode(view) };
    void this.snapshots.save(stream, this.fold.version, revision, kept);
  }
}
