import { type ProposedEvent } from '../log/record.js';
import { ANY, NO_STREAM, STREAM_EXISTS } from '../log/revision.js';
import { missingMetadataProperty } from './errors.js';
import { readUuid } from './uuid.js';
import { MalformedMessage, type MessageReader } from '@kyc/esdb-wire/messages';

/** Stream and expected revision, as in the options of Append, BatchAppend, Delete and Tombstone. */
export interface WriteOptions {
  stream: string;
  expected: number;
  /** Milliseconds since 1970. Infinity for none. */
  deadline: number;
}

const EXPECTED: Readonly<Record<number, number>> = { 3: NO_STREAM, 4: ANY, 5: STREAM_EXISTS };
const MAX_NAME_BYTES = 2_000;

export function readWriteOptions(reader: MessageReader): WriteOptions {
  const options = { stream: '', expected: Number.NaN, deadline: Number.POSITIVE_INFINITY };
  for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
    const field = tag >> 3;
    const expected = EXPECTED[field];
    if (field === 1) options.stream = readStreamName(reader.message());
    else if (field === 2) options.expected = reader.varint();
    else if (field === 6) options.deadline = readMilliseconds(reader.message());
    else if (field === 7) options.deadline = Date.now() + readMilliseconds(reader.message());
    else {
      if (expected !== undefined) options.expected = expected;
      reader.skip(tag);
    }
  }
  if (options.stream === '') throw new MalformedMessage('a stream name is required');
  if (Number.isNaN(options.expected)) throw new MalformedMessage('an expected revision is required');
  return options;
}

/** The name in a StreamIdentifier. Postgres text holds no zero bytes, and an index holds no name beyond a page. */
export function readStreamName(reader: MessageReader): string {
  let name = '';
  for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
    if (tag >> 3 === 3) name = reader.string();
    else reader.skip(tag);
  }
  if (name.includes('\0')) throw new MalformedMessage('a stream name must not contain zero bytes');
  if (Buffer.byteLength(name) > MAX_NAME_BYTES)
    throw new MalformedMessage(`a stream name has at most ${MAX_NAME_BYTES} bytes`);
  return name;
}

/** A Timestamp or a Duration. */
function readMilliseconds(reader: MessageReader): number {
  let milliseconds = 0;
  for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
    const field = tag >> 3;
    if (field === 1) milliseconds += signed(reader.varint()) * 1_000;
    else if (field === 2) milliseconds += signed(reader.varint()) / 1_000_000;
    else reader.skip(tag);
  }
  return milliseconds;
}

/** Negative numbers arrive as their two's complement, near 2^64. The lost precision here is below a second. */
const signed = (value: number) => (value < 2 ** 63 ? value : value - 2 ** 64);

const NOTHING = Buffer.alloc(0);

const NIL = '00000000-0000-0000-0000-000000000000';

export function readProposedEvent(reader: MessageReader): ProposedEvent {
  let id = '';
  let data: Buffer = NOTHING;
  let metadata: Buffer = NOTHING;
  const properties: Properties = { type: undefined, contentType: undefined };
  for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
    const field = tag >> 3;
    if (field === 1) id = readUuid(reader.message());
    else if (field === 2) readProperty(reader.message(), properties);
    else if (field === 3) metadata = reader.bytes();
    else if (field === 4) data = reader.bytes();
    else reader.skip(tag);
  }
  const { type, contentType } = properties;
  if (id === '' || id === NIL) throw new MalformedMessage('an event id is required');
  if (type === undefined) throw missingMetadataProperty('type');
  if (type === '') throw new MalformedMessage('an event type is required');
  if (Buffer.byteLength(type) > MAX_NAME_BYTES)
    throw new MalformedMessage(`an event type has at most ${MAX_NAME_BYTES} bytes`);
  if (contentType === undefined) throw missingMetadataProperty('content-type');
  return { id, type, isJson: contentType === 'application/json', data, metadata };
}

interface Properties {
  type: string | undefined;
  contentType: string | undefined;
}

function readProperty(reader: MessageReader, properties: Properties): void {
  let key = '';
  let value = '';
  for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
    if (tag >> 3 === 1) key = reader.string();
    else if (tag >> 3 === 2) value = reader.string();
    else reader.skip(tag);
  }
  if (key === 'type') properties.type = value;
  else if (key === 'content-type') properties.contentType = value;
}
