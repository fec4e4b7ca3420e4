import { type Head, type HeadState } from './heads.js';
import { encodeFrames, type ProposedEvent, type Write } from './record.js';
import { type RecentEvent, RecentEvents } from './recent-events.js';
import { TOMBSTONED } from './revision.js';
import { isMetastream, parseMetadata } from './stream-metadata.js';

/** The next free numbers of the log. Only the single writer assigns them, so positions are committed in their order. */
export interface Numbers {
  readonly position: number;
  readonly streamId: number;
}

export interface NewStream {
  readonly id: number;
  readonly name: string;
}

/**
 * The writes of one commit and their effects: ends of streams, event ids, numbers. Other parts see them only after `committed`.
 * A draft whose commit fails therefore leaves nothing behind for a later draft.
 */
export class Draft {
  readonly writes: Write[] = [];
  readonly newStreams: NewStream[] = [];
  private readonly decided = new Map<Head, HeadState>();
  private readonly events = new RecentEvents(Number.POSITIVE_INFINITY);
  private next: Numbers;

  constructor(
    numbers: Numbers,
    private readonly recent: RecentEvents,
    private readonly createdAt: number,
  ) {
    this.next = numbers;
  }

  /** The next free numbers behind these writes. */
  get numbers(): Numbers {
    return this.next;
  }

  /** The stream's state once the writes so far are committed. */
  state(head: Head): HeadState {
    return this.decided.get(head) ?? head.committed;
  }

  /** Finds a recent event of the stream, committed or in this draft. */
  find(head: Head, eventId: string): RecentEvent | undefined {
    const { id } = this.state(head);
    return id === undefined ? undefined : (this.events.find(id, eventId) ?? this.recent.find(id, eventId));
  }

  /** Adds events at the stream's end and returns the last one's position. */
  append(head: Head, events: readonly ProposedEvent[]): number {
    return this.write(head, events, this.state(head).revision + 1);
  }

  tombstone(head: Head, event: ProposedEvent): number {
    return this.write(head, [event], TOMBSTONED);
  }

  /** Publishes the durable writes. */
  committed(): void {
    for (const [head, state] of this.decided) head.committed = state;
    this.recent.adopt(this.events);
  }

  private write(head: Head, events: readonly ProposedEvent[], firstRevision: number): number {
    const streamId = this.identify(head);
    const firstPosition = this.next.position;
    this.next = { ...this.next, position: firstPosition + events.length };
    const placement = { stream: head.name, firstRevision, firstPosition, createdAt: this.createdAt };
    const position = firstPosition + events.length - 1;
    const revision = firstRevision + events.length - 1;
    const frames = encodeFrames(events, placement);
    this.writes.push({
      streamId,
      stream: head.name,
      position,
      revision,
      events: events.length,
      createdAt: this.createdAt,
      frames,
    });
    events.forEach((event, index) =>
      this.events.remember(streamId, event.id, { revision: firstRevision + index, position: firstPosition + index }),
    );
    const last = events.at(-1);
    const { metadata } = this.state(head);
    this.decided.set(head, {
      id: streamId,
      revision,
      metadata: last !== undefined && isMetastream(head.name) ? parseMetadata(last.data) : metadata,
    });
    return position;
  }

  private identify(head: Head): number {
    const { id } = this.state(head);
    if (id !== undefined) return id;
    const { streamId } = this.next;
    this.next = { ...this.next, streamId: streamId + 1 };
    this.newStreams.push({ id: streamId, name: head.name });
    return streamId;
  }
}
