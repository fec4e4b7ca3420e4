import { leafOfEvent, type LoggedEvent } from './leaf.js';
import { type Hash } from './merkle-tree.js';
import { type LogLeaf } from './verify-log.js';

/** A leaf that was retired before its event was purged. */
export interface RetiredLeaf {
  readonly index: number;
  readonly stream: string;
  readonly revision: bigint;
  readonly hash: Hash;
  /** Id of the event that says so. */
  readonly retiredBy: string;
}

interface HashedEvent {
  readonly event: LoggedEvent;
  readonly hash: Hash;
}

/** An altered event may bear the stream and revision of a purged one, so the hash tells. */
const isOf = (retired: RetiredLeaf, { event: { stream, revision }, hash }: HashedEvent): boolean =>
  retired.stream === stream && retired.revision === revision && retired.hash.equals(hash);

const purgedLeaf = ({ hash, retiredBy }: RetiredLeaf): LogLeaf => ({ hash, purgedBy: retiredBy });

/**
 * Turns events in the log's order into leaves. A purged event's leaf comes from the event that retired it. A store shows
 * truncated events until it is scavenged, so a retired leaf's own event may still come.
 */
export class LeafSequence {
  private readonly retired: readonly RetiredLeaf[];
  private next = 0;

  constructor(
    private readonly saltOf: (eventId: string) => Uint8Array,
    private index: number,
    retired: readonly RetiredLeaf[] = [],
    private readonly hashOf = (event: LoggedEvent): Hash => leafOfEvent(event, this.saltOf(event.id)),
  ) {
    const waiting = retired.filter((leaf) => leaf.index >= index).sort((one, other) => one.index - other.index);
    // A purge that was repeated after a crash may have retired a leaf twice. The first time counts.
    this.retired = waiting.filter((leaf, at) => leaf.index !== waiting[at - 1]?.index);
  }

  /** The purged leaves before this event, and its own. */
  add(event: LoggedEvent): readonly LogLeaf[] {
    const hash = this.hashOf(event);
    const leaves = this.purgedBefore({ event, hash });
    if (this.retired[this.next]?.index === this.index) this.next += 1;
    const { id: eventId, stream, revision } = event;
    this.index += 1;
    return [...leaves, { hash, eventId, stream, revision }];
  }

  /** The purged leaves behind the last event. */
  rest(): readonly LogLeaf[] {
    return this.purgedBefore(undefined);
  }

  private purgedBefore(event: HashedEvent | undefined): LogLeaf[] {
    const leaves: LogLeaf[] = [];
    for (let leaf = this.retired[this.next]; leaf?.index === this.index; leaf = this.retired[this.next]) {
      if (event !== undefined && isOf(leaf, event)) break;
      leaves.push(purgedLeaf(leaf));
      this.next += 1;
      this.index += 1;
    }
    return leaves;
  }
}

export interface LeafSources {
  /** The log in its order, page by page, from its oldest event, without system streams. */
  readonly events: AsyncIterable<readonly LoggedEvent[]>;
  readonly retired: readonly RetiredLeaf[];
  /** The first leaf of a tree that follows another one. */
  readonly epochLeaf: Hash | undefined;
  readonly saltOf: (eventId: string) => Uint8Array;
}

/** Page by page too: a promise for each leaf would take longer than its hash. */
export async function* leavesOf({
  events,
  retired,
  epochLeaf,
  saltOf,
}: LeafSources): AsyncGenerator<readonly LogLeaf[]> {
  if (epochLeaf !== undefined) yield [{ hash: epochLeaf }];
  const sequence = new LeafSequence(saltOf, epochLeaf === undefined ? 0 : 1, retired);
  for await (const page of events) yield page.flatMap((event) => sequence.add(event));
  yield sequence.rest();
}
