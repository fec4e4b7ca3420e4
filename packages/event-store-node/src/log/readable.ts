import { type Head, type Heads } from './heads.js';
import { type Pages } from './pages.js';
import { TOMBSTONED } from './revision.js';
import {
  isMetastream,
  isSoftDeleted,
  METASTREAM_METADATA,
  metastreamOf,
  originalStreamOf,
  type StreamMetadata,
} from './stream-metadata.js';

/** The readable part of a stream: its life, and the events that its metadata leaves. */
export interface ReadableRange {
  readonly life: 'missing' | 'live' | 'tombstoned';
  readonly streamId: number;
  /** Revision of the last event. */
  readonly last: number;
  /** The first readable revision, by $tb, $maxCount and $maxAge. */
  readonly from: number;
  /** Milliseconds since 1970. Older events are past their $maxAge. 0 without a $maxAge. */
  readonly createdAfter: number;
}

/** The sources of a range. */
export interface Stored {
  readonly heads: Heads;
  readonly pages: Pages;
}

export async function readableRange({ heads, pages }: Stored, stream: string): Promise<ReadableRange> {
  const range = await rangeByHeads(heads, stream);
  const { life, streamId, from, last, createdAfter } = range;
  if (life !== 'live' || createdAfter === 0 || from > last) return range;
  return { ...range, from: await pages.firstCreated(streamId, from, last, createdAfter) };
}

async function rangeByHeads(heads: Heads, stream: string): Promise<ReadableRange> {
  const head = await heads.loaded(stream);
  if (isMetastream(stream)) {
    const original = await heads.loaded(originalStreamOf(stream));
    return range(head, METASTREAM_METADATA, original.committed.revision === TOMBSTONED);
  }
  const metastream = await heads.loaded(metastreamOf(stream));
  return range(head, metastream.committed.metadata, head.committed.revision === TOMBSTONED);
}

function range(head: Head, metadata: StreamMetadata | undefined, tombstoned: boolean): ReadableRange {
  const { id, revision: last } = head.committed;
  const missing = id === undefined || last < 0 || isSoftDeleted(metadata);
  const { truncateBefore = 0, maxCount = 0, maxAge = 0 } = metadata ?? {};
  return {
    life: tombstoned ? 'tombstoned' : missing ? 'missing' : 'live',
    streamId: id ?? 0,
    last,
    from: Math.max(truncateBefore, maxCount > 0 ? last - maxCount + 1 : 0),
    createdAfter: maxAge > 0 ? Date.now() - maxAge * 1_000 : 0,
  };
}
