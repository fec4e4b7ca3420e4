import { type ProposedEvent } from '../log/record.js';
import { appendBytes, MAX_APPEND_BYTES } from '../log/requests.js';

/** An append is one row, written in one statement, and Postgres has a second for it. */
const MAX_STORED_BYTES = 4 * 1024 * 1024;
/** At most what a stored event takes beside its data, metadata, type and the name of its stream. */
const EVENT_BYTES = 200;

/** Counts the events of one append as the server does, and as they are stored. */
export class AppendSize {
  private readonly eventBytes: number;
  private counted = 0;
  private stored = 0;

  constructor(stream: string) {
    this.eventBytes = EVENT_BYTES + Buffer.byteLength(stream);
  }

  get exceeded(): boolean {
    return this.counted > MAX_APPEND_BYTES || this.stored > MAX_STORED_BYTES;
  }

  add(event: ProposedEvent): void {
    this.counted += appendBytes([event]);
    this.stored += this.eventBytes + event.data.length + event.metadata.length + Buffer.byteLength(event.type);
  }
}
