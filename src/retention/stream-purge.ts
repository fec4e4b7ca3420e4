import { type Clock } from '../kernel/clock.js';
import { deriveUuid } from '../kernel/ids.js';
import { type LeafRetirement } from '../kernel/leaf-retirement.js';
import { type AggregateStore } from '../log/append/aggregate-store.js';
import { type EventStore } from '../platform/eventstore/event-store.js';
import { type AgeingStream, ALL_KEPT, type Piece } from '../contract/purging/purge-step.js';
import { retentionCategory } from './domain/retention.category.js';
import { retentionStream } from './domain/retention.events.js';

const PURGE_NAMESPACE = '3d1c9c1e-6a3a-4a57-9a52-4f0a3d7a8a11';

export interface PurgeStores {
  readonly store: EventStore;
  readonly aggregates: AggregateStore;
  readonly leaves: LeafRetirement;
  readonly clock: Clock;
}

/** Appends the event on which every reader drops its rows, then truncates. May be repeated. Throws Unavailable. */
export const purgeStream = async (
  { store, aggregates, leaves, clock }: PurgeStores,
  { stream, owner }: AgeingStream,
  piece: Piece,
): Promise<void> => {
  const { firstKept, rowsBelow } = piece;
  const occurredBefore = piece.occurredBefore.toISOString();
  const purgedAt = clock.now().toISOString();
  const data = { stream, firstKept, occurredBefore, purgedAt, ...(rowsBelow === undefined ? {} : { rowsBelow }) };
  const what = [stream, firstKept, occurredBefore, ...(rowsBelow === undefined ? [] : [rowsBelow])];
  const id = deriveUuid(PURGE_NAMESPACE, what.join(' '));
  const metadata = { requestId: id, actor: { type: 'system', id: 'retention' } } as const;
  const purged = { id, type: 'StreamPurged.v1', data } as const;
  await aggregates.append(retentionCategory, retentionStream(owner), purged, { metadata });
  if (firstKept === ALL_KEPT) return;
  await leaves.retire(stream, BigInt(firstKept));
  await store.truncateBefore(stream, BigInt(firstKept));
};
