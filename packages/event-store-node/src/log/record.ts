import { MessageReader, MessageWriter } from '@kyc/esdb-wire/messages';
import { TOMBSTONED } from './revision.js';

/** An event as a client proposes it. */
export interface ProposedEvent {
  /** UUID in lower case. */
  readonly id: string;
  readonly type: string;
  readonly isJson: boolean;
  readonly data: Buffer;
  readonly metadata: Buffer;
}

/** Consecutive events of one stream as one row of the log: `events` frames, the last at `position` and `revision`. */
export interface Write {
  readonly streamId: number;
  readonly stream: string;
  readonly position: number;
  readonly revision: number;
  readonly events: number;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  /**
   * The events in the form that readers get: gRPC frames of ReadResp messages, one after another. Reading copies them. Nothing
   * is encoded twice, however many readers there are.
   */
  readonly frames: Buffer;
}

const FRAME_HEADER = 5;
const TOMBSTONE_REVISION = 2n ** 63n - 1n;
const TICKS_PER_MILLISECOND = '0000';
const scratch = new MessageWriter(64 * 1024);

export interface Placement {
  readonly stream: string;
  readonly firstRevision: number;
  readonly firstPosition: number;
  readonly createdAt: number;
}

export function encodeFrames(events: readonly ProposedEvent[], placement: Placement): Buffer {
  scratch.clear();
  const created = `${placement.createdAt}${TICKS_PER_MILLISECOND}`;
  events.forEach((event, index) => {
    const frame = scratch.openFrame();
    const readEvent = scratch.open(1);
    const record = scratch.open(1);
    const position = placement.firstPosition + index;
    encodeRecord(event, placement.stream, placement.firstRevision + index, position, created);
    scratch.close(record);
    scratch.uint(3, position);
    scratch.close(readEvent);
    scratch.closeFrame(frame);
  });
  return scratch.copy();
}

function encodeRecord(event: ProposedEvent, stream: string, revision: number, position: number, created: string): void {
  const id = scratch.open(1);
  scratch.string(2, event.id);
  scratch.close(id);
  const identifier = scratch.open(2);
  scratch.string(3, stream);
  scratch.close(identifier);
  if (revision === TOMBSTONED) scratch.bigUint(3, TOMBSTONE_REVISION);
  else scratch.uint(3, revision);
  scratch.uint(4, position);
  scratch.uint(5, position);
  encodeEntry('type', event.type);
  encodeEntry('content-type', event.isJson ? 'application/json' : 'application/octet-stream');
  encodeEntry('created', created);
  scratch.bytes(7, event.metadata);
  scratch.bytes(8, event.data);
}

function encodeEntry(key: string, value: string): void {
  const entry = scratch.open(6);
  scratch.string(1, key);
  scratch.string(2, value);
  scratch.close(entry);
}

/** The place of one event's frame in a row's frames. */
export interface FrameSpan {
  readonly start: number;
  readonly end: number;
}

export function* frameSpans(frames: Buffer): Generator<FrameSpan> {
  for (let start = 0; start < frames.length;) {
    const end = start + FRAME_HEADER + frames.readUInt32BE(start + 1);
    yield { start, end };
    start = end;
  }
}

/** The fields of a stored event, parsed no further than needed. */
export interface StoredRecord {
  readonly id: string;
  readonly stream: string;
  readonly revision: number;
  readonly position: number;
  readonly type: string;
  readonly isJson: boolean;
  readonly data: Buffer;
  readonly metadata: Buffer;
  /** The RecordedEvent message itself. */
  readonly message: Buffer;
}

const LARGEST_EXACT = Number.MAX_SAFE_INTEGER;

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

export function decodeRecord(frames: Buffer, span: FrameSpan): StoredRecord {
  const response = new MessageReader(frames, span.start + FRAME_HEADER, span.end);
  response.tag();
  const readEvent = response.message();
  readEvent.tag();
  const message = readEvent.bytes();
  const reader = new MessageReader(message);
  const record: Mutable<StoredRecord> = {
    id: '',
    stream: '',
    revision: 0,
    position: 0,
    type: '',
    isJson: false,
    data: NOTHING,
    metadata: NOTHING,
    message,
  };
  for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
    const field = tag >> 3;
    if (field === 1) record.id = onlyString(reader.message());
    else if (field === 2) record.stream = onlyString(reader.message());
    else if (field === 3) record.revision = exactRevision(reader.varint());
    else if (field === 5) record.position = reader.varint();
    else if (field === 6) readEntry(reader.message(), record);
    else if (field === 7) record.metadata = reader.bytes();
    else if (field === 8) record.data = reader.bytes();
    else reader.skip(tag);
  }
  return record;
}

/** The stream of an event. The message holds it directly behind the id. */
export function streamOf(frames: Buffer, span: FrameSpan): string {
  const reader = new MessageReader(frames, span.start + FRAME_HEADER, span.end);
  reader.tag();
  const readEvent = reader.message();
  readEvent.tag();
  const record = readEvent.message();
  record.skip(record.tag());
  record.tag();
  return onlyString(record.message());
}

const NOTHING: Buffer = Buffer.alloc(0);
const exactRevision = (value: number) => (value > LARGEST_EXACT ? TOMBSTONED : value);

function onlyString(reader: MessageReader): string {
  reader.tag();
  return reader.string();
}

function readEntry(reader: MessageReader, record: { type: string; isJson: boolean }): void {
  reader.tag();
  const key = reader.string();
  reader.tag();
  if (key === 'type') record.type = reader.string();
  else if (key === 'content-type') record.isJson = reader.string() === 'application/json';
}
