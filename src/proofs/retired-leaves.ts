import { type RetiredLeaf } from '@kyc/log-proofs/log-leaves';
import { type Recorded } from '../kernel/events.js';
import { type EventStore } from '../platform/eventstore/event-store.js';
import { type LeavesRetired, TRANSPARENCY_STREAM } from './domain/transparency.events.js';

/** Commit position of the newest event that retires leaves; undefined where none was retired. */
export const lastRetirement = async (store: EventStore): Promise<bigint | undefined> => {
  const [last] = await store.read(TRANSPARENCY_STREAM, { direction: 'backwards', maxCount: 1 });
  return last?.position;
};

/** Every leaf of a tree that the log says is retired. */
export const readRetired = async (store: EventStore, epoch: number): Promise<readonly RetiredLeaf[]> => {
  const retired: RetiredLeaf[] = [];
  for await (const page of store.readPages(TRANSPARENCY_STREAM)) {
    for (const { id: retiredBy, data } of page as readonly Recorded<LeavesRetired>[]) {
      if (data.epoch !== epoch) continue;
      const { stream } = data;
      for (const { index, revision, hash } of data.leaves)
        retired.push({ index, stream, revision: BigInt(revision), hash: Buffer.from(hash, 'base64'), retiredBy });
    }
  }
  return retired;
};
