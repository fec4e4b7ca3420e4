/** The meaning of a stream's metadata for its readers. */
export interface StreamMetadata {
  readonly maxCount?: number;
  /** Seconds. */
  readonly maxAge?: number;
  readonly truncateBefore?: number;
  /** The stored JSON, with its unknown members. */
  readonly raw: Readonly<Record<string, unknown>>;
}

export const METADATA_TYPE = '$metadata';
export const TOMBSTONE_TYPE = '$streamDeleted';
export const LINK_TYPE = '$>';

/** $tb of a soft-deleted stream: the JavaScript number nearest to 2^63 - 1. */
const SOFT_DELETED = 2 ** 63 - 1;
const SOFT_DELETED_JSON = '{"$tb":9223372036854775807}';

const METASTREAM_PREFIX = '$$';
export const isMetastream = (stream: string) => stream.startsWith(METASTREAM_PREFIX);
export const metastreamOf = (stream: string) => METASTREAM_PREFIX + stream;
export const originalStreamOf = (metastream: string) => metastream.slice(METASTREAM_PREFIX.length);

/** A metadata stream has no metadata of its own. Only its last event counts. */
export const METASTREAM_METADATA: StreamMetadata = { maxCount: 1, raw: {} };

export const isSoftDeleted = (metadata: StreamMetadata | undefined) =>
  metadata?.truncateBefore !== undefined && metadata.truncateBefore >= SOFT_DELETED;

/** 2^63, the JavaScript number nearest to the largest revision. */
const MAX_INT64 = 2 ** 63;
/** The largest time span of EventStoreDB. */
const MAX_SECONDS = 922_337_203_685;

/**
 * Follows EventStoreDB (StreamMetadata.FromJsonReader). Content that is not a JSON object counts as none. One member that is
 * not an integer in range makes the whole metadata count as none. A member that is merely too small counts as missing.
 */
export function parseMetadata(json: Buffer): StreamMetadata | undefined {
  const raw = parseObject(json.toString());
  if (raw === undefined) return undefined;
  const valid =
    isIntegerOrMissing(raw['$maxCount'], MAX_INT64) &&
    isIntegerOrMissing(raw['$maxAge'], MAX_SECONDS) &&
    isIntegerOrMissing(raw['$tb'], MAX_INT64) &&
    isIntegerOrMissing(raw['$cacheControl'], MAX_SECONDS);
  if (!valid) return { raw };
  const { $maxCount: maxCount, $maxAge: maxAge, $tb: truncateBefore } = raw as Readonly<Record<string, number>>;
  return {
    raw,
    ...(maxCount !== undefined && maxCount > 0 ? { maxCount } : {}),
    ...(maxAge !== undefined && maxAge > 0 ? { maxAge } : {}),
    ...(truncateBefore !== undefined && truncateBefore >= 0 ? { truncateBefore } : {}),
  };
}

const isIntegerOrMissing = (value: unknown, limit: number): boolean =>
  value === undefined || (Number.isInteger(value) && Math.abs(value as number) <= limit);

export const softDeletedJson = () => Buffer.from(SOFT_DELETED_JSON);

/** The same metadata for a stream that continues after a soft deletion at `firstRevision`. */
export const undeletedJson = (metadata: StreamMetadata | undefined, firstRevision: number) =>
  Buffer.from(JSON.stringify({ ...metadata?.raw, $tb: firstRevision }));

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}
