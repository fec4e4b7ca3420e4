import { type Clock } from '../kernel/clock.js';
import { deriveUuid } from '../kernel/ids.js';
import { type EventStore } from '../platform/eventstore/event-store.js';
import { retentionStream, type StreamPurged } from './domain/retention.events.js';
import { type AgeingStream } from './retention.process.js';

const PURGE_NAMESPACE = '3d1c9c1e-6a3a-4a57-9a52-4f0a3d7a8a11';

/** What is to go of a stream: everything below `firstKept`, none of it of `occurredBefore` or later. */
export interface Piece {
  readonly firstKept: number;
  readonly occurredBefore: Date;
}

/** The event by which every reader drops its rows, then the truncation. May be repeated; throws Unavailable. */
export const purgeStream = async (
  { store, clock }: { readonly store: EventStore; readonly clock: Clock },
  { stream, owner }: AgeingStream,
  piece: Piece,
): Promise<void> => {
  const { firstKept } = piece;
  const occurredBefore = piece.occurredBefore.toISOString();
  const now = clock.now().toISOString();
  const purged: StreamPurged = {
    type: 'StreamPurged.v1',
    data: { stream, firstKept, occurredBefore, purgedAt: now },
  };
  const id = deriveUuid(PURGE_NAMESPACE, `${stream} ${firstKept} ${occurredBefore}`);
  const actor = { type: 'system', id: 'retention' } as const;
  const metadata = { $correlationId: id, actor, time: now, schemaVersion: 1 };
  await store.append(retentionStream(owner), [{ id, ...purged, metadata }], 'any');
  await store.truncateBefore(stream, BigInt(firstKept));
};
