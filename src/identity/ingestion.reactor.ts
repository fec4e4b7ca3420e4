import { Inject, Injectable } from '@nestjs/common';
import { type Clock } from '../kernel/clock.js';
import { type StoredEvent, tenantOfStream } from '../kernel/events.js';
import { type TenantId } from '../kernel/ids.js';
import { type Reaction } from '../kernel/reaction.js';
import { Reactor } from '../log/react/reactor.js';
import { CLOCK } from '../platform/tokens.js';
import {
  INGESTION_STREAM_PREFIX,
  type IngestionAttemptFailed,
  type IngestionRetried,
} from './domain/ingestion.events.js';
import { IngestionJobs } from './ingestion-jobs.js';

type Retry = IngestionAttemptFailed | IngestionRetried;

/** Queues failed tries for their next due time, and a tenant's retries at once. */
@Reactor({
  name: 'ingestion-retries',
  version: 1,
  streamPrefixes: [INGESTION_STREAM_PREFIX],
  eventTypes: ['IngestionAttemptFailed.v1', 'IngestionRetried.v1'] satisfies readonly Retry['type'][],
  // The reconciler finds ingestions that were due earlier.
  startsAt: 'now',
})
@Injectable()
export class IngestionReactor implements Reaction {
  constructor(
    private readonly jobs: IngestionJobs,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async handle(event: StoredEvent): Promise<void> {
    const { type, data } = event as Pick<StoredEvent, 'revision' | 'stream'> & Retry;
    const ingestion = { tenantId: tenantOfStream(event.stream) as TenantId, ingestionId: data.ingestionId };
    const dueAt = type === 'IngestionAttemptFailed.v1' ? Date.parse(data.nextAttemptAt) : 0;
    await this.jobs.retry(ingestion, event.revision, Math.max(0, dueAt - this.clock.now().getTime()));
  }
}
