import { type Call } from '../grpc/call.js';
import { type EventLog } from '../log/event-log.js';
import { type ProposedEvent } from '../log/record.js';
import { appendBytes, MAX_APPEND_BYTES, type Outcome } from '../log/requests.js';
import { ANY, NO_STREAM, STREAM_EXISTS } from '../log/revision.js';
import { frame, MessageReader, type MessageWriter } from './wire.js';
import { readProposedEvent, readWriteOptions, type WriteOptions } from './write-messages.js';

/** An append whose events come in several messages. */
interface Batch {
  readonly correlationId: Buffer;
  readonly options: WriteOptions;
  events: ProposedEvent[];
  /** As counted towards the maximum append size. */
  bytes: number;
  /** As received, with all that belongs to the messages. */
  received: number;
}

/** A client that sends faster than the log commits has to wait. */
const MAX_HELD_BYTES = 16 * 1024 * 1024;

interface BatchMessage {
  correlationId: Buffer;
  options: WriteOptions | undefined;
  events: ProposedEvent[];
  isFinal: boolean;
}

/**
 * Streams.BatchAppend: many appends over one call, each answered by its correlation id as soon as it is durable. What
 * the protocol cannot say of one append (the log is out of reach) ends the call.
 */
export function batchAppend(log: EventLog): (call: Call) => void {
  return (call) => {
    const incomplete = new Map<string, Batch>();
    let open = 0;
    let held = 0;
    let ended = false;
    const settled = (batch: Batch) => {
      open -= 1;
      held -= batch.received;
      if (held < MAX_HELD_BYTES) call.resume();
      if (ended && open === 0) call.end();
    };
    const submit = async (batch: Batch) => {
      try {
        call.send(response(batch, await append(log, batch)));
      } catch (error) {
        call.fail(error);
      } finally {
        settled(batch);
      }
    };
    const receive = (bytes: Buffer) => {
      const batch = collect(incomplete, readMessage(bytes), bytes.length);
      if (batch === undefined) return;
      held += batch.received;
      if (held >= MAX_HELD_BYTES) call.pause();
      open += 1;
      void submit(batch);
    };
    call.receive(receive, () => {
      ended = true;
      if (open === 0) call.end();
    });
  };
}

function append(log: EventLog, { options, events, bytes }: Batch): Promise<Outcome> {
  if (bytes > MAX_APPEND_BYTES) return Promise.resolve({ kind: 'too-large' });
  return log.submit({
    kind: 'append',
    stream: options.stream,
    expected: options.expected,
    events,
    deadline: options.deadline,
  });
}

/** The whole append once its last message is there. Events beyond the limit are counted but not kept. */
function collect(incomplete: Map<string, Batch>, message: BatchMessage, received: number): Batch | undefined {
  const key = message.correlationId.toString('latin1');
  const earlier = incomplete.get(key);
  const options = earlier?.options ?? message.options;
  if (options === undefined) return undefined;
  const batch = earlier ?? {
    correlationId: Buffer.from(message.correlationId),
    options,
    events: [],
    bytes: 0,
    received: 0,
  };
  batch.received += received;
  batch.bytes += appendBytes(message.events);
  if (batch.bytes > MAX_APPEND_BYTES) batch.events = [];
  else batch.events.push(...message.events);
  if (message.isFinal) incomplete.delete(key);
  else incomplete.set(key, batch);
  return message.isFinal ? batch : undefined;
}

function readMessage(bytes: Buffer): BatchMessage {
  const reader = new MessageReader(bytes);
  const message: BatchMessage = { correlationId: bytes.subarray(0, 0), options: undefined, events: [], isFinal: false };
  for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
    const field = tag >> 3;
    if (field === 1) message.correlationId = reader.bytes();
    else if (field === 2) message.options = readWriteOptions(reader.message());
    else if (field === 3) message.events.push(readProposedEvent(reader.message()));
    else if (field === 4) message.isFinal = reader.varint() === 1;
    else reader.skip(tag);
  }
  return message;
}

function response({ correlationId, options }: Batch, outcome: Outcome): Buffer {
  return frame((writer) => {
    writer.bytes(1, correlationId);
    if (outcome.kind === 'written') writeSuccess(writer, outcome);
    else writeError(writer, options, outcome);
    const identifier = writer.open(4);
    writer.string(3, options.stream);
    writer.close(identifier);
    if (options.expected === NO_STREAM) writer.empty(6);
    else if (options.expected === ANY) writer.empty(7);
    else if (options.expected === STREAM_EXISTS) writer.empty(8);
    else writer.uint(5, options.expected);
  });
}

function writeSuccess(writer: MessageWriter, { revision, position }: Extract<Outcome, { kind: 'written' }>): void {
  const success = writer.open(3);
  if (revision < 0) writer.empty(2);
  else writer.uint(1, revision);
  if (position === undefined) writer.empty(4);
  else {
    const place = writer.open(3);
    writer.uint(1, position);
    writer.uint(2, position);
    writer.close(place);
  }
  writer.close(success);
}

type Refusal = Exclude<Outcome, { kind: 'written' }>;

/** google.rpc codes and messages, and the type of the details that the client maps to its error classes. */
const ERRORS: Readonly<Record<Refusal['kind'], { code: number; message: string; type: string }>> = {
  'wrong-expected-revision': { code: 6, message: 'Wrong expected version', type: 'WrongExpectedVersion' },
  'stream-deleted': { code: 9, message: 'Stream deleted', type: 'StreamDeleted' },
  'too-large': { code: 3, message: 'Maximum append size exceeded', type: 'MaximumAppendSizeExceeded' },
  'deadline-exceeded': { code: 4, message: 'Timeout', type: 'Timeout' },
};

function writeError(writer: MessageWriter, options: WriteOptions, refusal: Refusal): void {
  const { code, message, type } = ERRORS[refusal.kind];
  const error = writer.open(2);
  writer.uint(1, code);
  writer.string(2, message);
  const details = writer.open(3);
  writer.string(1, `type.googleapis.com/event_store.client.${type}`);
  const value = writer.open(2);
  writeDetails(writer, options, refusal);
  writer.close(value);
  writer.close(details);
  writer.close(error);
}

function writeDetails(writer: MessageWriter, { stream, expected }: WriteOptions, refusal: Refusal): void {
  if (refusal.kind === 'wrong-expected-revision') {
    if (refusal.actual < 0) writer.empty(2);
    else writer.uint(1, refusal.actual);
    if (expected === ANY) writer.empty(4);
    else if (expected === STREAM_EXISTS) writer.empty(5);
    else if (expected === NO_STREAM) writer.empty(6);
    else writer.uint(3, expected);
  } else if (refusal.kind === 'too-large') {
    writer.uint(1, MAX_APPEND_BYTES);
  } else if (refusal.kind === 'stream-deleted') {
    const identifier = writer.open(1);
    writer.string(3, stream);
    writer.close(identifier);
  }
}
