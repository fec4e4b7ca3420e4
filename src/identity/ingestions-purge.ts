import { Inject, Injectable } from '@nestjs/common';
import { agedIngestions, type AgedIngestion } from '../../projections/retention/retention.queries.js';
import { chunk } from '../kernel/chunk.js';
import { type Clock } from '../kernel/clock.js';
import { paginate } from '../kernel/paginate.js';
import { EventStore } from '../platform/eventstore/event-store.js';
import { ReadModels } from '../log/project/projection.js';
import { PurgeStep, type PurgeRound, type Purges } from '../contract/purging/purge-step.js';
import { lastOf, purgeWhole } from '../contract/purging/streams.js';
import { CLOCK } from '../platform/tokens.js';
import { INGESTION_STREAM_PREFIX, type IngestionEvent, ingestionStream } from './domain/ingestion.events.js';

/** Ingestions purged at the same time. Their appends are committed together. */
const AT_ONCE = 32;

/**
 * After one of these events an ingestion does not change by itself. Parts that were never accepted do not change
 * either.
 */
const ENDS: ReadonlySet<string> = new Set<IngestionEvent['type']>([
  'IngestionCompleted.v1',
  'IngestionFailed.v1',
  'IngestionRecordsReceived.v1',
]);

/** Purges every ingestion without any event since its limit. */
@Injectable()
@PurgeStep({ name: 'ingestions', categories: ['ingestion'] })
export class IngestionsPurge implements Purges {
  constructor(
    private readonly store: EventStore,
    private readonly readModels: ReadModels,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async purge(round: PurgeRound): Promise<void> {
    const before = round.keptSince(INGESTION_STREAM_PREFIX);
    const now = this.clock.now();
    const find = (last: AgedIngestion | undefined, limit: number) =>
      agedIngestions(this.readModels, { before, now }, last, limit);
    for await (const page of paginate(find)) {
      for (const group of chunk(page, AT_ONCE)) {
        await Promise.all(group.map((aged) => this.purgeOf(aged, round, before)));
      }
    }
  }

  /** A retry that came first keeps the stream. */
  private async purgeOf({ tenantId, ingestionId }: AgedIngestion, round: PurgeRound, before: Date): Promise<void> {
    const ageing = { stream: ingestionStream(tenantId, ingestionId), owner: tenantId };
    const last = await lastOf(this.store, ageing.stream);
    if (last === undefined || !ENDS.has(last.type)) return;
    await round.purge(ageing, { firstKept: Number(last.revision) + 1, occurredBefore: before });
    // A retry appended at this moment is now alone in the stream. No record is left for it to process.
    const left = await lastOf(this.store, ageing.stream);
    if (left === undefined) return;
    await purgeWhole(this.store, round, ageing, new Date(new Date(left.metadata.time).getTime() + 1));
  }
}
