import { type Head, type HeadState } from './heads.js';
import { encodeFrames, type ProposedEvent, type Write } from './record.js';
import { type RecentEvent, RecentEvents } from './recent-events.js';
import { TOMBSTONED } from './revision.js';
import { isMetastream, parseMetadata } from './stream-metadata.js';

/** The next free numbers of the log; only the one writer hands them out, so positions are committed in their order. */
export interface Numbers {
  readonly position: number;
  readonly streamId: number;
}

export interface NewStream {
  readonly id: number;
  readonly name: string;
}

/**
 * The writes that go to disk in one commit, and all that follows from them: ends of streams, event ids, numbers. Nothing
 * outside learns of it before `committed`, so a draft whose commit fails leaves nothing that a later one could rely on.
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

  /** Where the stream will stand when the writes so far are committed. */
  state(head: Head): HeadState {
    return this.decided.get(head) ?? head.committed;
  }

  /** A recent event of the stream, or one of these writes. */
  find(head: Head, eventId: string): RecentEvent | undefined {
    const { id } = this.state(head);
    return id === undefined ? undefined : (this.events.find(id, eventId) ?? this.recent.find(id, eventId));
  }

  /** Adds events behind the stream's end and returns the last one's position. */
  append(head: Head, events: readonly ProposedEvent[]): number {
    return this.write(head, events, this.state(head).revision + 1);
  }

  tombstone(head: Head, event: ProposedEvent): number {
    return this.write(head, [event], TOMBSTONED);
  }

  /** Shows everybody what has become durable. */
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
