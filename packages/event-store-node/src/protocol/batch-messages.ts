import { MAX_APPEND_BYTES } from '../log/append-size.js';
import { type Outcome } from '../log/requests.js';
import { ANY, NO_STREAM, STREAM_EXISTS } from '../log/revision.js';
import { frame, MessageReader, type MessageWriter } from '@kyc/esdb-wire/messages';
import { type WriteOptions } from './write-messages.js';

/** A BatchAppendReq with unread parts. An error in a part goes into the response to its correlation id. */
export interface BatchMessage {
  correlationId: Buffer;
  options: MessageReader | undefined;
  readonly events: MessageReader[];
  isFinal: boolean;
}

export function readBatchMessage(bytes: Buffer): BatchMessage {
  const reader = new MessageReader(bytes);
  const message: BatchMessage = { correlationId: bytes.subarray(0, 0), options: undefined, events: [], isFinal: false };
  for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
    const field = tag >> 3;
    if (field === 1) message.correlationId = Buffer.from(reader.bytes());
    else if (field === 2) message.options = reader.message();
    else if (field === 3) message.events.push(reader.message());
    else if (field === 4) message.isFinal = reader.varint() === 1;
    else reader.skip(tag);
  }
  return message;
}

/**
 * A response to one append. The client reads the stream's name of every error, so it is present even where the request had
 * none.
 */
export function batchResponse(
  correlationId: Buffer,
  options: WriteOptions | undefined,
  outcome: Outcome | BadRequest,
): Buffer {
  return frame((writer) => {
    writer.bytes(1, correlationId);
    if (outcome.kind === 'written') writeSuccess(writer, outcome);
    else writeError(writer, options, outcome);
    const identifier = writer.open(4);
    writer.string(3, options?.stream ?? '');
    writer.close(identifier);
    if (options !== undefined) writeExpected(writer, options.expected);
  });
}

/** Describes an error of one request to its sender. A retry cannot succeed. */
export interface BadRequest {
  readonly kind: 'bad-request';
  readonly message: string;
}

function writeExpected(writer: MessageWriter, expected: number): void {
  if (expected === NO_STREAM) writer.empty(6);
  else if (expected === ANY) writer.empty(7);
  else if (expected === STREAM_EXISTS) writer.empty(8);
  else writer.uint(5, expected);
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

type Refusal = Exclude<Outcome, { kind: 'written' }> | BadRequest;

/** google.rpc codes and messages, with the type of the details. The client maps the type to its error classes. */
const ERRORS: Readonly<Record<Refusal['kind'], { code: number; message: string; type: string }>> = {
  'wrong-expected-revision': { code: 6, message: 'Wrong expected version', type: 'WrongExpectedVersion' },
  'stream-deleted': { code: 9, message: 'Stream deleted', type: 'StreamDeleted' },
  'too-large': { code: 3, message: 'Maximum append size exceeded', type: 'MaximumAppendSizeExceeded' },
  'deadline-exceeded': { code: 4, message: 'Timeout', type: 'Timeout' },
  'bad-request': { code: 3, message: 'Bad request', type: 'BadRequest' },
};

function writeError(writer: MessageWriter, options: WriteOptions | undefined, refusal: Refusal): void {
  const { code, message, type } = ERRORS[refusal.kind];
  const error = writer.open(2);
  writer.uint(1, code);
  writer.string(2, refusal.kind === 'bad-request' ? `${message}: ${refusal.message}` : message);
  const details = writer.open(3);
  writer.string(1, `type.googleapis.com/event_store.client.${type}`);
  const value = writer.open(2);
  if (refusal.kind === 'bad-request') writer.string(1, refusal.message);
  else if (options !== undefined) writeDetails(writer, options, refusal);
  writer.close(value);
  writer.close(details);
  writer.close(error);
}

function writeDetails(
  writer: MessageWriter,
  { stream, expected }: WriteOptions,
  refusal: Exclude<Refusal, BadRequest>,
): void {
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
