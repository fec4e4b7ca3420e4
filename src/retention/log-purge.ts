import { Inject, Injectable } from '@nestjs/common';
import { type PurgedStream, purgedStreams } from '../../projections/retention/retention.queries.js';
import { Attempts } from '../kernel/attempts.js';
import { type Clock } from '../kernel/clock.js';
import { LeafRetirement } from '../kernel/leaf-retirement.js';
import { paginate } from '../kernel/paginate.js';
import { AggregateStore } from '../log/append/aggregate-store.js';
import { EventStore } from '../platform/eventstore/event-store.js';
import { ReadModels } from '../log/project/projection.js';
import { type PurgeRound } from '../contract/purging/purge-step.js';
import { PurgeSteps } from '../contract/purging/purge-steps.js';
import { CLOCK } from '../platform/tokens.js';
import { purgeStream } from './stream-purge.js';

/**
 * Removes data past its retention limit from the log, by the steps of the slices. The first act is the event on which every
 * reader drops its rows. Truncation follows, and a scavenge removes the data from disk. Every step may be repeated, and
 * steps missed in a crash are found again.
 */
@Injectable()
export class LogPurge {
  constructor(
    readonly store: EventStore,
    readonly aggregates: AggregateStore,
    private readonly readModels: ReadModels,
    readonly leaves: LeafRetirement,
    private readonly steps: PurgeSteps,
    @Inject(CLOCK) readonly clock: Clock,
  ) {}

  /** A failure for one account or of one step does not stop the others. Throws the first fault at the end. */
  async run(): Promise<void> {
    const attempts = new Attempts();
    await attempts.make(() => this.truncateWhatWasPurged());
    const round: PurgeRound = {
      attempts,
      keptSince: (stream) => this.aggregates.categories.keptSince(stream, this.clock.now()),
      purge: (ageing, piece) => purgeStream(this, ageing, piece),
    };
    for (const { step } of this.steps.all()) await attempts.make(() => step.purge(round));
    attempts.end();
  }

  /** Repeats truncations lost in a crash after the event, or in a restore of older log metadata. */
  private async truncateWhatWasPurged(): Promise<void> {
    const find = (last: PurgedStream | undefined, limit: number) =>
      purgedStreams(this.readModels, last?.stream ?? '', limit);
    for await (const streams of paginate(find)) {
      for (const { stream, firstKept } of streams) {
        await this.leaves.retire(stream, firstKept);
        await this.store.truncateBefore(stream, firstKept);
      }
    }
  }
}
