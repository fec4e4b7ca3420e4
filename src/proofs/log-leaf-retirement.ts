import { Injectable } from '@nestjs/common';
import { deriveUuid } from '../kernel/ids.js';
import { LeafRetirement } from '../kernel/leaf-retirement.js';
import { Unavailable } from '../kernel/unavailable.js';
import { AggregateStore } from '../log/append/aggregate-store.js';
import { EventStore } from '../platform/eventstore/event-store.js';
import { Database } from '../platform/postgres/database.js';
import { transparencyCategory } from './domain/transparency.category.js';
import { MAX_RETIRED, TRANSPARENCY_STREAM } from './domain/transparency.events.js';
import { nodesOf } from './tiles.js';
import { latestEpoch, leavesOfStream, type LeafRow, markRetired, retiredBelow, tilesOf } from './tree-rows.js';

const RETIREMENT_NAMESPACE = '0d0f3d53-7f2f-4a55-8f0b-6b7f5b1f6a10';

@Injectable()
export class LogLeafRetirement extends LeafRetirement {
  constructor(
    private readonly store: EventStore,
    private readonly aggregates: AggregateStore,
    private readonly database: Database,
  ) {
    super();
  }

  override async retire(stream: string, below: bigint): Promise<void> {
    const epoch = (await latestEpoch(this.database))?.epoch ?? 1;
    let from = await retiredBelow(this.database, epoch, stream);
    if (from >= below) return;
    await this.assertInTree(epoch, stream, below);
    for (let leaves = await this.next(epoch, stream, from, below); leaves.length > 0;) {
      await this.append(epoch, stream, leaves);
      from = (leaves.at(-1)?.revision ?? below) + 1n;
      leaves = await this.next(epoch, stream, from, below);
    }
    await markRetired(this.database, epoch, stream, below);
  }

  /** The last event that goes is among the leaves, so all before it are. */
  private async assertInTree(epoch: number, stream: string, below: bigint): Promise<void> {
    const [last] = await this.store.read(stream, { from: below - 1n, maxCount: 1 });
    // It went with an earlier truncation.
    if (last === undefined || last.revision >= below) return;
    const [leaf] = await leavesOfStream(this.database, { epoch, stream, from: below - 1n, below, limit: 1 });
    if (leaf === undefined)
      throw new Unavailable('read_models', { cause: new Error(`${stream} is not in the tree yet`) });
  }

  private next(epoch: number, stream: string, from: bigint, below: bigint): Promise<readonly LeafRow[]> {
    return leavesOfStream(this.database, { epoch, stream, from, below, limit: MAX_RETIRED });
  }

  private async append(epoch: number, stream: string, leaves: readonly LeafRow[]): Promise<void> {
    const node = nodesOf(tilesOf(this.database, epoch));
    const hashed = await Promise.all(
      leaves.map(async ({ index, revision }) => ({
        index,
        revision: Number(revision),
        hash: (await node(0, index)).toString('base64'),
      })),
    );
    const first = leaves[0]?.revision;
    const id = deriveUuid(RETIREMENT_NAMESPACE, [epoch, stream, first, leaves.at(-1)?.revision].join(' '));
    const metadata = { requestId: id, actor: { type: 'system', id: 'retention' } } as const;
    const event = { id, type: 'LeavesRetired.v1', data: { epoch, stream, leaves: hashed } } as const;
    await this.aggregates.append(transparencyCategory, TRANSPARENCY_STREAM, event, { metadata });
  }
}
