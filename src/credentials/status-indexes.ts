import { randomInt } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { type Clock } from '../kernel/clock.js';
import { newUuid } from '../kernel/ids.js';
import { AggregateStore } from '../log/append/aggregate-store.js';
import { type Aggregates } from '../log/append/aggregates.js';
import { CLOCK } from '../platform/tokens.js';
import { type StatusEntry } from './domain/credential.events.js';
import { statusBlockCategory } from './domain/status-block.category.js';
import { STATUS_LISTS_STREAM, type StatusBlockLeased } from './domain/status-block.events.js';
import { indexesOf, type LeaseBlock, type StatusBlocks } from './domain/status-blocks.js';

const CHANCES = 2 ** 32;

/** Fisher-Yates, by the cryptographic generator: an index must not reveal when its credential was issued. */
const shuffled = (indexes: number[]): number[] => {
  for (let last = indexes.length - 1; last > 0; last -= 1) {
    const other = randomInt(last + 1);
    [indexes[last], indexes[other]] = [indexes[other] ?? 0, indexes[last] ?? 0];
  }
  return indexes;
};

/**
 * Hands out places in the status lists. Each instance leases blocks for itself, so no index is given twice. What is left of a
 * block when the process ends is never used.
 */
@Injectable()
export class StatusIndexes {
  private readonly blocks: Aggregates<StatusBlocks, LeaseBlock, StatusBlockLeased>;
  private free: StatusEntry[] = [];
  private leasing: Promise<void> | undefined;

  constructor(
    aggregates: AggregateStore,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    this.blocks = aggregates.of(statusBlockCategory);
  }

  async take(): Promise<StatusEntry> {
    for (;;) {
      const entry = this.free.pop();
      if (entry !== undefined) return entry;
      this.leasing ??= this.lease().finally(() => (this.leasing = undefined));
      await this.leasing;
    }
  }

  private async lease(): Promise<void> {
    const command = { now: this.clock.now(), chance: randomInt(CHANCES) / CHANCES };
    const metadata = { requestId: newUuid(), actor: { type: 'system', id: 'status-lists' } } as const;
    const { appended } = await this.blocks.execute(STATUS_LISTS_STREAM, command, { metadata });
    for (const { data } of appended)
      this.free.push(...shuffled(indexesOf(data.block)).map((index) => ({ list: data.list, index })));
  }
}
