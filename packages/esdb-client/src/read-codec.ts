import { sizeOfVarint, WireCursor, WireWriter } from '@kyc/esdb-wire/cursor';
import { type LogRecord, type StoredEvent } from './events.js';
import { type StreamReading } from './reads.js';
import { decodeReadEvent, decodeReadRecord } from './recorded-event.js';
import { type Delivery } from './requests.js';

/** Encodes and decodes messages of EventStoreDB's Streams.Read (streams.proto, shared.proto) without a protobuf library. */

const FRAME_HEADER = 5;

const field = (number: number, ...parts: readonly Buffer[]): Buffer => {
  const value = Buffer.concat(parts);
  const buffer = Buffer.alloc(sizeOfVarint(number * 8) + sizeOfVarint(value.length) + value.length);
  return new WireWriter(buffer).header(number, value.length).bytes(value).buffer;
};

const number = (fieldNumber: number, value: bigint): Buffer => {
  const buffer = Buffer.alloc(1 + 10);
  return buffer.subarray(0, new WireWriter(buffer).varint(fieldNumber * 8).varint64(BigInt.asUintN(64, value)).length);
};

const text = (fieldNumber: number, value: string): Buffer => field(fieldNumber, Buffer.from(value));

const framed = (message: Buffer): Buffer => {
  const header = Buffer.alloc(FRAME_HEADER);
  header.writeUInt32BE(message.length, 1);
  return Buffer.concat([header, message]);
};

const NO_FILTER = field(8);
/** uuid_option { string }: ids come as text. */
const TEXT_IDS = field(9, field(2));

const direction = (backwards: boolean): Buffer[] => (backwards ? [number(3, 1n)] : []);

export const encodeReadStream = (stream: string, { backwards, from, maxCount }: StreamReading): Buffer => {
  if (from !== undefined && from < 0n) throw new RangeError('a revision to read from is not negative');
  const end = field(backwards ? 4 : 3);
  const options = field(1, field(1, text(3, stream)), from === undefined ? end : number(2, from));
  return framed(field(1, options, ...direction(backwards), number(5, BigInt(maxCount)), NO_FILTER, TEXT_IDS));
};

/** Reads the last event of $all. */
export const encodeReadLast = (): Buffer =>
  framed(field(1, field(2, field(3)), ...direction(true), number(5, 1n), NO_FILTER, TEXT_IDS));

export interface LogFilter {
  /** Filters by stream name or by event type. */
  readonly on: 'stream' | 'type';
  /** Prefixes of the names, or a regular expression that they match. */
  readonly names: readonly string[] | RegExp;
  /** Number of events that the store scans before it may report its position. */
  readonly searchWindow: number;
  /** The store sends a checkpoint after this many windows. */
  readonly checkpointWindows: number;
}

export const encodeSubscribeToAll = (after: bigint | undefined, filter: LogFilter): Buffer => {
  const from = after === undefined ? field(2) : field(1, number(1, after), number(2, after));
  const { names } = filter;
  const expression = names instanceof RegExp ? [text(1, names.source)] : names.map((prefix) => text(2, prefix));
  const wanted = field(filter.on === 'stream' ? 1 : 2, ...expression);
  const windows = [number(3, BigInt(filter.searchWindow)), number(5, BigInt(filter.checkpointWindows))];
  return framed(field(1, field(2, from), field(6), field(7, wanted, ...windows), TEXT_IDS));
};

/** The part of a Streams.Read response that this side needs. */
export type ReadResponse<Event = StoredEvent> = Delivery<Event> | { readonly kind: 'not_found' };

const checkpointAt = (cursor: WireCursor, end: number): ReadResponse<never> => {
  let position = 0n;
  while (cursor.at < end) {
    const tag = cursor.varint();
    if (tag === 8) position = cursor.varint64();
    else cursor.skip(tag);
  }
  return { kind: 'checkpoint', position };
};

/**
 * A ReadResp: event = 1, confirmation = 2, checkpoint = 3, stream_not_found = 4, positions of the ends = 5 to 7,
 * caught_up = 8, fell_behind = 9. Undefined for messages that are not needed, and for a link whose event is gone.
 */
const decodeResponseBy =
  <Event>(decode: (cursor: WireCursor, end: number) => Event | undefined) =>
  (message: Buffer): ReadResponse<Event> | undefined => {
    const cursor = new WireCursor(message);
    let response: ReadResponse<Event> | undefined;
    while (cursor.at < message.length) {
      const tag = cursor.varint();
      if ((tag & 7) !== 2) {
        cursor.skip(tag);
        continue;
      }
      const end = cursor.length();
      if (tag === 10) {
        const event = decode(cursor, end);
        response = event === undefined ? undefined : { kind: 'event', event };
      } else if (tag === 26) response = checkpointAt(cursor, end);
      else if (tag === 34) response = { kind: 'not_found' };
      else if (tag === 66) response = { kind: 'caught_up' };
      cursor.at = end;
    }
    return response;
  };

export const decodeReadResponse = decodeResponseBy(decodeReadEvent);

export const decodeRecordResponse: (message: Buffer) => ReadResponse<LogRecord> | undefined =
  decodeResponseBy(decodeReadRecord);
