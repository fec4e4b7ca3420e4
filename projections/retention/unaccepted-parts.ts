import { type RetentionEvent } from '../../src/retention/domain/retention.events.js';
import { type IngestionEvent } from '../../src/identity/domain/ingestion.events.js';
import { type Recorded, tenantOfStream } from '../../src/kernel/events.js';

interface PartRow {
  readonly stream: string;
  readonly tenant_id: string;
  readonly revision: string;
  readonly received_at: string;
}

/** Reduces a batch of events to the parts that still wait for their acceptance. */
export class UnacceptedParts {
  private readonly ended = new Set<string>();
  private readonly rows = new Map<string, PartRow>();

  add(event: Recorded<IngestionEvent | RetentionEvent>): void {
    const { stream } = event;
    switch (event.type) {
      case 'IngestionRecordsReceived.v1':
        this.rows.set(stream, {
          stream,
          tenant_id: tenantOfStream(stream),
          revision: event.revision.toString(),
          received_at: event.metadata.time,
        });
        break;
      case 'IngestionAccepted.v1':
        if (event.revision > 0n) this.end(stream);
        break;
      case 'StreamPurged.v1':
        this.end(event.data.stream);
        break;
      case 'IngestionAttemptFailed.v1':
      case 'IngestionCompleted.v1':
      case 'IngestionFailed.v1':
      case 'IngestionRetried.v1':
        break;
    }
  }

  settled(): { readonly stream: string }[] {
    return [...this.ended].map((stream) => ({ stream }));
  }

  waiting(): PartRow[] {
    return [...this.rows.values()];
  }

  private end(stream: string): void {
    this.rows.delete(stream);
    this.ended.add(stream);
  }
}
