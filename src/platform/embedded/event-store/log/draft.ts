import { type Head } from './heads.js';
import { encodeFrames, type ProposedEvent, type Write } from './record.js';
import { type RecentEvents } from './recent-events.js';
import { TOMBSTONED } from './revision.js';
import { isMetastream, parseMetadata } from './stream-metadata.js';

/** The next free numbers of the log; only the one writer hands them out, so positions are committed in their order. */
export interface Numbers {
  position: number;
  streamId: number;
}

export interface NewStream {
  readonly id: number;
  readonly name: string;
}

/** The writes that go to disk in one commit. The heads already stand where they will be when it has succeeded. */
export class Draft {
  readonly writes: Write[] = [];
  readonly newStreams: NewStream[] = [];
  private readonly touched = new Set<Head>();

  constructor(
    private readonly numbers: Numbers,
    private readonly recent: RecentEvents,
    private readonly createdAt: number,
  ) {}

  /** Adds events behind the stream's end and returns the last one's position. */
  append(head: Head, events: readonly ProposedEvent[]): number {
    return this.write(head, events, head.decided.revision + 1);
  }

  tombstone(head: Head, event: ProposedEvent): number {
    return this.write(head, [event], TOMBSTONED);
  }

  /** Shows readers what has become durable. */
  committed(): void {
    for (const head of this.touched) head.committed = { ...head.decided };
  }

  private write(head: Head, events: readonly ProposedEvent[], firstRevision: number): number {
    const streamId = this.identify(head);
    const firstPosition = this.numbers.position;
    this.numbers.position += events.length;
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
      this.recent.remember(streamId, event.id, { revision: firstRevision + index, position: firstPosition + index }),
    );
    head.decided.revision = revision;
    const last = events.at(-1);
    if (last !== undefined && isMetastream(head.name)) head.decided.metadata = parseMetadata(last.data);
    this.touched.add(head);
    return position;
  }

  private identify(head: Head): number {
    if (head.id === undefined) {
      head.id = this.numbers.streamId++;
      this.newStreams.push({ id: head.id, name: head.name });
    }
    return head.id;
  }
}
