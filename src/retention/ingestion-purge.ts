import { agedIngestions, type AgedIngestion } from '../../projections/retention/retention.queries.js';
import { type StoredEvent } from '../kernel/events.js';
import { chunk } from '../kernel/chunk.js';
import { paginate } from '../kernel/paginate.js';
import { type EventStore } from '../platform/eventstore/event-store.js';
import { type ReadModels } from '../platform/projections/projection.js';
import { ingestionOf, isEndOfIngestion } from './retention.process.js';
import { type PurgeStores, purgeStream } from './stream-purge.js';

/** Ingestions purged at the same time. Their appends are committed together. */
const AT_ONCE = 32;

interface Stores extends PurgeStores {
  readonly readModels: ReadModels;
}

const lastOf = async (store: EventStore, stream: string): Promise<StoredEvent | undefined> => {
  const [last] = await store.read(stream, { direction: 'backwards', maxCount: 1 });
  return last;
};

/** Purges the whole stream up to its present last event. A retry that came first keeps the stream. */
const purgeWhole = async (stores: Stores, { tenantId, ingestionId }: AgedIngestion, before: Date): Promise<void> => {
  const ageing = ingestionOf(tenantId, ingestionId);
  const last = await lastOf(stores.store, ageing.stream);
  if (last === undefined || !isEndOfIngestion(last.type)) return;
  await purgeStream(stores, ageing, { firstKept: Number(last.revision) + 1, occurredBefore: before });
  // A retry appended at this moment is now alone in the stream. No record is left for it to process.
  const left = await lastOf(stores.store, ageing.stream);
  if (left === undefined) return;
  const justAfter = new Date(new Date(left.metadata.time).getTime() + 1);
  await purgeStream(stores, ageing, { firstKept: Number(left.revision) + 1, occurredBefore: justAfter });
};

/** Purges every ingestion without any event since `before`. */
export const purgeIngestions = async (stores: Stores, before: Date): Promise<void> => {
  const now = stores.clock.now();
  const find = (last: AgedIngestion | undefined, limit: number) =>
    agedIngestions(stores.readModels, { before, now }, last, limit);
  for await (const page of paginate(find)) {
    for (const group of chunk(page, AT_ONCE)) {
      await Promise.all(group.map((aged) => purgeWhole(stores, aged, before)));
    }
  }
};
