/** What a stream's metadata means for its readers. */
export interface StreamMetadata {
  readonly maxCount?: number;
  /** Seconds. */
  readonly maxAge?: number;
  readonly truncateBefore?: number;
  /** The stored JSON, of which unknown members are kept. */
  readonly raw: Readonly<Record<string, unknown>>;
}

export const METADATA_TYPE = '$metadata';
export const TOMBSTONE_TYPE = '$streamDeleted';
export const LINK_TYPE = '$>';

/** $tb of a soft-deleted stream: 2^63 - 1, as near as a JSON number read by JavaScript comes to it. */
const SOFT_DELETED = 2 ** 63 - 1;
const SOFT_DELETED_JSON = '{"$tb":9223372036854775807}';

const METASTREAM_PREFIX = '$$';
export const isMetastream = (stream: string) => stream.startsWith(METASTREAM_PREFIX);
export const metastreamOf = (stream: string) => METASTREAM_PREFIX + stream;
export const originalStreamOf = (metastream: string) => metastream.slice(METASTREAM_PREFIX.length);

/** A metadata stream has no metadata of its own: only its last event counts. */
export const METASTREAM_METADATA: StreamMetadata = { maxCount: 1, raw: {} };

export const isSoftDeleted = (metadata: StreamMetadata | undefined) =>
  metadata?.truncateBefore !== undefined && metadata.truncateBefore >= SOFT_DELETED;

/** Metadata that is not a JSON object counts as none, as on the server. */
export function parseMetadata(json: Buffer): StreamMetadata | undefined {
  const raw = parseObject(json.toString());
  if (raw === undefined) return undefined;
  const count = (key: string) => {
    const value = raw[key];
    return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;
  };
  const maxCount = count('$maxCount');
  const maxAge = count('$maxAge');
  const truncateBefore = count('$tb');
  return {
    raw,
    ...(maxCount === undefined ? {} : { maxCount }),
    ...(maxAge === undefined ? {} : { maxAge }),
    ...(truncateBefore === undefined ? {} : { truncateBefore }),
  };
}

export const softDeletedJson = () => Buffer.from(SOFT_DELETED_JSON);

/** The same metadata for a stream that lives again from `firstRevision` on. */
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
