import { type WireCursor } from '@kyc/esdb-wire/cursor';
import { type LogRecord, type StoredEvent } from './events.js';

/** Decodes ReadEvent and RecordedEvent into the official client's shapes. An event holds no reference to the bytes read. */

interface Recorded {
  id: string | undefined;
  stream: string | undefined;
  revision: bigint;
  commit: bigint;
  type: string;
  isJson: boolean;
  created: string;
  /** Offsets in the message. */
  metadataAt: number;
  metadataEnd: number;
  dataAt: number;
  dataEnd: number;
}

const hex = (bits: bigint): string => BigInt.asUintN(64, bits).toString(16).padStart(16, '0');

/** Structured { most_significant_bits = 1, least_significant_bits = 2 }. */
const uuidOfBits = (cursor: WireCursor, end: number): string => {
  let most = 0n;
  let least = 0n;
  while (cursor.at < end) {
    const tag = cursor.varint();
    if (tag === 8) most = cursor.varint64();
    else if (tag === 16) least = cursor.varint64();
    else cursor.skip(tag);
  }
  const digits = hex(most) + hex(least);
  return [0, 8, 12, 16, 20].map((from, index, starts) => digits.slice(from, starts[index + 1])).join('-');
};

/** UUID { structured = 1, string = 2 }. */
const readUuid = (cursor: WireCursor, end: number): string => {
  let uuid = '';
  while (cursor.at < end) {
    const tag = cursor.varint();
    if (tag === 18) uuid = cursor.text();
    else if (tag === 10) uuid = uuidOfBits(cursor, cursor.length());
    else cursor.skip(tag);
  }
  return uuid;
};

/** StreamIdentifier { stream_name = 3 }. */
const readStreamName = (cursor: WireCursor, end: number): string => {
  let name = '';
  while (cursor.at < end) {
    const tag = cursor.varint();
    if (tag === 26) name = cursor.text();
    else cursor.skip(tag);
  }
  return name;
};

/** An entry of the map of system metadata { key = 1, value = 2 }. */
const readEntry = (cursor: WireCursor, end: number, recorded: Recorded): void => {
  let key = '';
  let value = '';
  while (cursor.at < end) {
    const tag = cursor.varint();
    if (tag === 10) key = cursor.text();
    else if (tag === 18) value = cursor.text();
    else cursor.skip(tag);
  }
  if (key === 'type') recorded.type = value;
  else if (key === 'content-type') recorded.isJson = value === 'application/json';
  else if (key === 'created') recorded.created = value;
};

const parsedOr = (json: string, otherwise: () => unknown): unknown => {
  try {
    return JSON.parse(json) as unknown;
  } catch {
    return otherwise();
  }
};

/** Metadata that is not JSON stays bytes. */
const readMetadata = (cursor: WireCursor, { metadataAt, metadataEnd }: Recorded): unknown => {
  if (metadataAt === metadataEnd) return undefined;
  cursor.at = metadataAt;
  return parsedOr(cursor.textUntil(metadataEnd), () => {
    cursor.at = metadataAt;
    return cursor.copyUntil(metadataEnd);
  });
};

const readData = (cursor: WireCursor, { isJson, dataAt, dataEnd }: Recorded): unknown => {
  cursor.at = dataAt;
  if (!isJson) return cursor.copyUntil(dataEnd);
  const json = cursor.textUntil(dataEnd);
  return parsedOr(json, () => json);
};

const TICKS_PER_MILLISECOND = 10_000n;

/** The argument counts ticks of 100 ns since 1970. */
const readCreated = (ticks: string): Date => {
  try {
    return new Date(Number(BigInt(ticks) / TICKS_PER_MILLISECOND));
  } catch {
    return new Date(0);
  }
};

/**
 * RecordedEvent: id = 1, stream_identifier = 2, stream_revision = 3, prepare_position = 4, commit_position = 5, metadata = 6,
 * custom_metadata = 7, data = 8.
 */
const readRecord = (cursor: WireCursor, end: number): Recorded => {
  const recorded: Recorded = {
    id: undefined,
    stream: undefined,
    revision: 0n,
    commit: 0n,
    type: '<no-event-type-provided>',
    isJson: false,
    created: '',
    metadataAt: end,
    metadataEnd: end,
    dataAt: end,
    dataEnd: end,
  };
  while (cursor.at < end) readRecordField(cursor, cursor.varint(), recorded);
  return recorded;
};

const readRecordField = (cursor: WireCursor, tag: number, recorded: Recorded): void => {
  if (tag === 24) recorded.revision = cursor.varint64();
  else if (tag === 40) recorded.commit = cursor.varint64();
  else if ((tag & 7) !== 2) cursor.skip(tag);
  else {
    const end = cursor.length();
    if (tag === 10) recorded.id = readUuid(cursor, end);
    else if (tag === 18) recorded.stream = readStreamName(cursor, end);
    else if (tag === 50) readEntry(cursor, end, recorded);
    else if (tag === 58) [recorded.metadataAt, recorded.metadataEnd] = [cursor.at, end];
    else if (tag === 66) [recorded.dataAt, recorded.dataEnd] = [cursor.at, end];
    cursor.at = end;
  }
};

const named = ({ id, stream }: Recorded): { readonly id: string; readonly stream: string } => {
  if (id === undefined || stream === undefined) throw new RangeError('an event came without its id or its stream');
  return { id, stream };
};

const stored = (cursor: WireCursor, recorded: Recorded, position: bigint | undefined): StoredEvent => {
  const { id, stream } = named(recorded);
  const { type, revision, commit, created } = recorded;
  return {
    id,
    type,
    data: readData(cursor, recorded),
    metadata: readMetadata(cursor, recorded),
    stream,
    revision,
    position: position ?? commit,
    created: readCreated(created),
  };
};

const viewed = (cursor: WireCursor, recorded: Recorded, position: bigint | undefined): LogRecord => {
  const { id, stream } = named(recorded);
  const { type, revision, commit, created, isJson, metadataAt, metadataEnd, dataAt, dataEnd } = recorded;
  const bytes = (at: number, end: number): Buffer => {
    cursor.at = at;
    return cursor.takeUntil(end);
  };
  return {
    id,
    stream,
    revision,
    position: position ?? commit,
    type,
    created: readCreated(created),
    isJson,
    data: bytes(dataAt, dataEnd),
    metadata: bytes(metadataAt, metadataEnd),
  };
};

/** The record as an event, equal to what the store's other readers are given. */
export const eventOfRecord = ({ isJson, data, metadata, ...named }: LogRecord): StoredEvent => {
  const json = isJson ? data.toString() : '';
  return {
    ...named,
    data: isJson ? parsedOr(json, () => json) : new Uint8Array(data),
    metadata: metadata.length === 0 ? undefined : parsedOr(metadata.toString(), () => new Uint8Array(metadata)),
  };
};

type Decode<Event> = (cursor: WireCursor, recorded: Recorded, position: bigint | undefined) => Event;

/** ReadEvent { event = 1, link = 2, commit_position = 3 or no_position = 4 }. Undefined if a link's event is gone. */
const decodeBy =
  <Event>(decode: Decode<Event>) =>
  (cursor: WireCursor, end: number): Event | undefined => {
    let recorded: Recorded | undefined;
    let position: bigint | undefined;
    while (cursor.at < end) {
      const tag = cursor.varint();
      if (tag === 10) recorded = readRecord(cursor, cursor.length());
      else if (tag === 24) position = cursor.varint64();
      else cursor.skip(tag);
    }
    return recorded === undefined ? undefined : decode(cursor, recorded, position);
  };

export const decodeReadEvent = decodeBy(stored);

export const decodeReadRecord = decodeBy(viewed);
