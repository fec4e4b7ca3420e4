import { type PurgeRunEvent, type RetentionEvent } from '../../src/retention/domain/retention.events.js';
import { type IdentityErased } from '../../src/identity/domain/identity.events.js';
import { type Recorded, tenantOfStream } from '../../src/kernel/events.js';

/** Collects the purges in a batch of events. */
export class PurgeNotes {
  readonly purges: { readonly tenant_id: string; readonly purged_at: string }[] = [];
  readonly streams: { readonly stream: string; readonly first_kept: number; readonly purged_at: string }[] = [];
  readonly runs: { readonly completed_at: string }[] = [];

  add(event: Recorded<RetentionEvent | PurgeRunEvent | IdentityErased>): void {
    switch (event.type) {
      case 'StreamPurged.v1': {
        const { stream, firstKept, purgedAt } = event.data;
        this.purges.push({ tenant_id: tenantOfStream(stream), purged_at: purgedAt });
        this.streams.push({ stream, first_kept: firstKept, purged_at: purgedAt });
        break;
      }
      case 'IdentityErased.v1':
        this.purges.push({ tenant_id: tenantOfStream(event.stream), purged_at: event.data.erasedAt });
        break;
      case 'PurgeRunCompleted.v1':
        this.runs.push({ completed_at: event.data.completedAt });
        break;
      case 'PurgeRunStarted.v1':
        break;
    }
  }
}
