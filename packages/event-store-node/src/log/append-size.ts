import { type ProposedEvent } from './record.js';

export const MAX_APPEND_BYTES = 1024 * 1024;
/** An append is one row, written in one statement within Postgres's limit of one second. */
const MAX_STORED_BYTES = 4 * 1024 * 1024;
/** Upper bound of a stored event's bytes beside its data, metadata, type and stream name. */
const EVENT_BYTES = 200;

/** Counts the bytes of one append in two ways: as EventStoreDB counts them, and as they are stored. */
export class AppendSize {
  private readonly eventBytes: number;
  private counted = 0;
  private storedBytes = 0;

  constructor(stream: string) {
    this.eventBytes = EVENT_BYTES + Buffer.byteLength(stream);
  }

  get exceeded(): boolean {
    return this.counted > MAX_APPEND_BYTES || this.storedBytes > MAX_STORED_BYTES;
  }

  /** Upper bound of the events' bytes on disk. */
  get stored(): number {
    return this.storedBytes;
  }

  add(event: ProposedEvent): void {
    const content = event.data.length + event.metadata.length;
    // EventStoreDB counts types in UTF-16.
    this.counted += content + 2 * event.type.length;
    this.storedBytes += this.eventBytes + content + Buffer.byteLength(event.type);
  }
}
