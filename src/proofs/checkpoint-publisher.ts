import { Inject, Injectable } from '@nestjs/common';
import { type Clock } from '../kernel/clock.js';
import { type Recorded } from '../kernel/events.js';
import { deriveUuid } from '../kernel/ids.js';
import { AggregateStore } from '../log/append/aggregate-store.js';
import { EventStore, WrongExpectedRevision } from '../platform/eventstore/event-store.js';
import { Periodic } from '../platform/periodic/periodic.js';
import { Database } from '../platform/postgres/database.js';
import { CLOCK } from '../platform/tokens.js';
import { checkpointsCategory } from './domain/transparency.category.js';
import { type CheckpointPublished, CHECKPOINTS_STREAM } from './domain/transparency.events.js';
import { latestCheckpoint, originOf } from './tree-rows.js';

const PUBLICATION_NAMESPACE = '8b1f6f6a-6a3f-4d8e-9a53-2c7d0e4b9f35';

/** Writes each day's first known checkpoint into the log, from where webhooks carry it outside. */
@Injectable()
export class CheckpointPublisher {
  constructor(
    private readonly store: EventStore,
    private readonly aggregates: AggregateStore,
    private readonly database: Database,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  @Periodic({ every: ({ checkpointEvery }) => checkpointEvery, role: 'jobs', alone: true })
  async publish(): Promise<void> {
    const latest = await latestCheckpoint(this.database);
    if (latest === undefined) return;
    const day = this.clock.now().toISOString().slice(0, 'YYYY-MM-DD'.length);
    const [last] = (await this.store.read(CHECKPOINTS_STREAM, {
      direction: 'backwards',
      maxCount: 1,
    })) as readonly Recorded<CheckpointPublished>[];
    // A clock that was set back publishes nothing twice.
    if (last !== undefined && last.data.day >= day) return;
    const { size, note: checkpoint } = latest;
    const id = deriveUuid(PUBLICATION_NAMESPACE, day);
    const data = { day, origin: originOf(latest), size, checkpoint };
    const metadata = { requestId: id, actor: { type: 'system', id: 'transparency' } } as const;
    const event = { id, type: 'CheckpointPublished.v1', data } as const;
    const expected = last?.revision ?? 'no_stream';
    try {
      await this.aggregates.append(checkpointsCategory, CHECKPOINTS_STREAM, event, { metadata, expected });
    } catch (error) {
      // Another instance published it meanwhile.
      if (!(error instanceof WrongExpectedRevision)) throw error;
    }
  }
}
