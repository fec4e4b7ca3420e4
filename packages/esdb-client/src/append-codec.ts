import { randomUUID } from 'node:crypto';
import { sizeOfVarint, wireFields, WireWriter } from '@kyc/esdb-wire/cursor';
import { type NewEvent } from './events.js';
import { type ExpectedRevision } from './requests.js';

/**
 * Encodes and decodes messages of EventStoreDB's Streams.BatchAppend (streams.proto, shared.proto) without a protobuf
 * library.
 */

const UUID_LENGTH = 36;
/** UUID { string = 2 }. */
const UUID_MESSAGE_LENGTH = 2 + UUID_LENGTH;

const mapEntry = (key: string, value: Buffer | string): Buffer => {
  const keyBytes = Buffer.from(key);
  const valueBytes = Buffer.from(value);
  const length = 2 + keyBytes.length + 1 + sizeOfVarint(valueBytes.length) + valueBytes.length;
  const entry = new WireWriter(Buffer.alloc(1 + sizeOfVarint(length) + length));
  entry.header(2, length).header(1, keyBytes.length).bytes(keyBytes).header(2, valueBytes.length).bytes(valueBytes);
  return entry.buffer;
};

const JSON_CONTENT = mapEntry('content-type', 'application/json');
const typeEntries = new Map<string, Buffer>();

/** Caches the encoded event types. They are a small fixed set. */
const typeEntry = (type: string): Buffer => {
  const known = typeEntries.get(type);
  if (known !== undefined) return known;
  const entry = mapEntry('type', type);
  typeEntries.set(type, entry);
  return entry;
};

interface SizedEvent {
  readonly id: string;
  readonly type: Buffer;
  readonly metadata: string;
  readonly metadataLength: number;
  readonly data: string;
  readonly dataLength: number;
  readonly length: number;
}

const sizeOfField = (length: number): number => 1 + sizeOfVarint(length) + length;

const sized = (event: NewEvent): SizedEvent => {
  const type = typeEntry(event.type);
  const metadata = JSON.stringify(event.metadata);
  const data = JSON.stringify(event.data);
  const metadataLength = Buffer.byteLength(metadata);
  const dataLength = Buffer.byteLength(data);
  const length =
    sizeOfField(UUID_MESSAGE_LENGTH) +
    type.length +
    JSON_CONTENT.length +
    sizeOfField(metadataLength) +
    sizeOfField(dataLength);
  return { id: event.id, type, metadata, metadataLength, data, dataLength, length };
};

const writeUuid = (writer: WireWriter, field: number, uuid: string): WireWriter =>
  writer.header(field, UUID_MESSAGE_LENGTH).header(2, UUID_LENGTH).text(uuid, 'latin1');

/**
 * Options' fields for the expected revision: no_stream = 3, any = 4, stream_exists = 5 (empty messages),
 * stream_position = 2.
 */
const expectation = (expected: ExpectedRevision): Buffer => {
  if (typeof expected !== 'bigint') {
    const field = { no_stream: 3, any: 4, stream_exists: 5 }[expected];
    return new WireWriter(Buffer.alloc(2)).header(field, 0).buffer;
  }
  const buffer = Buffer.alloc(11);
  new WireWriter(buffer).varint(16).varint64(expected);
  return buffer.subarray(0, 1 + sizeOfVarint(Number(expected)));
};

/**
 * Options { deadline = 7: Duration { seconds = 1, nanos = 2 } }. The server counts it from the arrival, so clocks may
 * differ.
 */
const deadlineOf = (milliseconds: number): Buffer => {
  const whole = Math.ceil(milliseconds);
  const seconds = Math.floor(whole / 1_000);
  const nanos = (whole % 1_000) * 1_000_000;
  const length = 1 + sizeOfVarint(seconds) + 1 + sizeOfVarint(nanos);
  const writer = new WireWriter(Buffer.alloc(sizeOfField(length)));
  return writer.header(7, length).varint(8).varint(seconds).varint(16).varint(nanos).buffer;
};

const correlationPrefix = randomUUID().slice(0, 24);

/** The number of an append on its stream, as the UUID that the protocol requires. */
const correlationUuid = (correlation: number): string => correlationPrefix + correlation.toString(16).padStart(12, '0');

/** Header of a gRPC message in bytes: a flag for no compression, then the length. */
const FRAME_HEADER = 5;

/**
 * The request in its gRPC frame. A server that has not decided the append within `deadlineMs` refuses it as timed out
 * and writes nothing.
 */
export const encodeAppend = (
  correlation: number,
  stream: string,
  events: readonly NewEvent[],
  expected: ExpectedRevision,
  deadlineMs: number,
): Buffer => {
  const name = Buffer.from(stream);
  const revision = expectation(expected);
  const deadline = deadlineOf(deadlineMs);
  const optionsLength = sizeOfField(sizeOfField(name.length)) + revision.length + deadline.length;
  const messages = events.map(sized);
  let length = sizeOfField(UUID_MESSAGE_LENGTH) + sizeOfField(optionsLength) + 2;
  for (const message of messages) length += sizeOfField(message.length);
  const frame = Buffer.allocUnsafe(FRAME_HEADER + length);
  frame[0] = 0;
  frame.writeUInt32BE(length, 1);
  const writer = new WireWriter(frame.subarray(FRAME_HEADER));
  writeUuid(writer, 1, correlationUuid(correlation));
  writer
    .header(2, optionsLength)
    .header(1, sizeOfField(name.length))
    .header(3, name.length)
    .bytes(name)
    .bytes(revision)
    .bytes(deadline);
  for (const message of messages) {
    writeUuid(writer.header(3, message.length), 1, message.id).bytes(message.type).bytes(JSON_CONTENT);
    writer.header(3, message.metadataLength).text(message.metadata).header(4, message.dataLength).text(message.data);
  }
  // is_final = true: the append is complete.
  writer.varint(32).varint(1);
  return frame;
};

export type AppendOutcome =
  | { readonly kind: 'written'; readonly revision: bigint; readonly position: bigint | undefined }
  | { readonly kind: 'wrong_revision'; readonly actual: bigint | 'no_stream' }
  /** The store will never take this append: it is too big, the stream is tombstoned, or permission is missing. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** The store does not know the outcome, or cannot append now. The identical append may be retried. */
  | { readonly kind: 'unknown'; readonly reason: string };

export interface AppendReply {
  readonly correlation: number;
  readonly outcome: AppendOutcome;
}

/** Servers echo the id as text (field 2) or as two 64-bit halves (field 1). */
const readCorrelation = (uuid: Buffer): number => {
  for (const { number, bytes } of wireFields(uuid)) {
    if (number === 2) return Number.parseInt(bytes.toString('latin1').slice(24), 16);
    for (const half of wireFields(bytes)) if (half.number === 2) return Number(half.value & 0xffffffffffffn);
  }
  return -1;
};

const readSuccess = (success: Buffer): AppendOutcome => {
  let revision = 0n;
  let position: bigint | undefined;
  for (const field of wireFields(success)) {
    if (field.number === 1) revision = field.value;
    if (field.number === 3) {
      position = 0n;
      for (const part of wireFields(field.bytes)) if (part.number === 1) position = part.value;
    }
  }
  return { kind: 'written', revision, position };
};

const readWrongRevision = (details: Buffer): AppendOutcome => {
  for (const { number, value } of wireFields(details))
    if (number === 1) return { kind: 'wrong_revision', actual: value };
  return { kind: 'wrong_revision', actual: 'no_stream' };
};

/** What a server says where it may have written, or may do so later. Every other answer of its own is final. */
const TRANSIENT = /\.(Timeout|Unknown)$/;
/** Codes of google.rpc.Status without such details that are final: what is asked is not valid, known or allowed. */
const FINAL_CODES: ReadonlySet<number> = new Set([3, 6, 7, 11, 12, 16]);

/** google.rpc.Status { code = 1, message = 2, details = 3 { type_url = 1, value = 2 } }. */
const readError = (status: Buffer): AppendOutcome => {
  let code = 0;
  let message = '';
  let type = '';
  let details: Buffer = Buffer.alloc(0);
  for (const field of wireFields(status)) {
    if (field.number === 1) code = Number(field.value);
    if (field.number === 2) message = field.bytes.toString();
    if (field.number !== 3) continue;
    for (const part of wireFields(field.bytes)) {
      if (part.number === 1) type = part.bytes.toString();
      if (part.number === 2) details = part.bytes;
    }
  }
  if (type.endsWith('.WrongExpectedVersion')) return readWrongRevision(details);
  // A server that is not ready or too busy packs no details: google.protobuf.Empty, and no code.
  const isBare = type === '' || type.endsWith('.Empty');
  const isFinal = isBare ? FINAL_CODES.has(code) : !TRANSIENT.test(type);
  return {
    kind: isFinal ? 'refused' : 'unknown',
    reason: `${type.slice(type.lastIndexOf('.') + 1)} ${message}`.trim(),
  };
};

export const decodeAppendReply = (buffer: Buffer): AppendReply => {
  let correlation = -1;
  let outcome: AppendOutcome = { kind: 'unknown', reason: 'an empty answer' };
  for (const { number, bytes } of wireFields(buffer)) {
    if (number === 1) correlation = readCorrelation(bytes);
    if (number === 2) outcome = readError(bytes);
    if (number === 3) outcome = readSuccess(bytes);
  }
  return { correlation, outcome };
};
