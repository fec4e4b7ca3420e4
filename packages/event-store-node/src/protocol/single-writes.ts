import { type Call } from '../grpc/call.js';
import { Status, GrpcError } from '@kyc/esdb-wire/status';
import { type EventLog } from '../log/event-log.js';
import { type ProposedEvent } from '../log/record.js';
import { type Outcome, type WriteRequest } from '../log/requests.js';
import { ANY, NO_STREAM, STREAM_EXISTS } from '../log/revision.js';
import { AppendSize } from '../log/append-size.js';
import { deadlineExceeded, maximumAppendSizeExceeded, streamDeleted, wrongExpectedVersion } from './errors.js';
import { receiveOne } from './one-request.js';
import { frame, MessageReader, type MessageWriter } from '@kyc/esdb-wire/messages';
import { readProposedEvent, readWriteOptions, type WriteOptions } from './write-messages.js';

/** Streams.Append: the options first, then one message for each event. */
export function append(log: EventLog): (call: Call) => void {
  return (call) => {
    let options: WriteOptions | undefined;
    let events: ProposedEvent[] = [];
    let size = new AppendSize('');
    const receive = (message: Buffer) => {
      const reader = new MessageReader(message);
      const field = reader.tag() >> 3;
      if (field === 1) {
        options = readWriteOptions(reader.message());
        size = new AppendSize(options.stream);
        return;
      }
      const event = readProposedEvent(reader.message());
      size.add(event);
      if (size.exceeded) events = [];
      else events.push(event);
    };
    call.receive(receive, () => {
      if (options === undefined) throw new GrpcError(Status.invalidArgument, 'an append begins with its options');
      const { stream, expected, deadline } = options;
      if (size.exceeded) throw maximumAppendSizeExceeded();
      void answer(call, log.submit({ kind: 'append', stream, expected, events, deadline }), (outcome) =>
        appendResponse(stream, expected, outcome),
      );
    });
  };
}

/** Streams.Delete and Streams.Tombstone. */
export function deleteStream(log: EventLog, kind: 'soft-delete' | 'tombstone'): (call: Call) => void {
  return (call) => {
    receiveOne(call, (message) => {
      const reader = new MessageReader(message);
      reader.tag();
      const { stream, expected } = readWriteOptions(reader.message());
      const request: WriteRequest = { kind, stream, expected };
      void answer(call, log.submit(request), (outcome) => deleteResponse(stream, expected, outcome));
    });
  };
}

async function answer(call: Call, submitted: Promise<Outcome>, respond: (outcome: Outcome) => Buffer): Promise<void> {
  try {
    call.send(respond(await submitted));
    call.end();
  } catch (error) {
    call.fail(error);
  }
}

function appendResponse(stream: string, expected: number, outcome: Outcome): Buffer {
  if (outcome.kind === 'written') return frame((writer) => writeAppended(writer, outcome));
  if (outcome.kind === 'wrong-expected-revision')
    return frame((writer) => writeConflict(writer, expected, outcome.actual));
  throw refusal(stream, expected, outcome);
}

function writeAppended(writer: MessageWriter, { revision, position }: Extract<Outcome, { kind: 'written' }>): void {
  const success = writer.open(1);
  if (revision < 0) writer.empty(2);
  else writer.uint(1, revision);
  if (position === undefined) writer.empty(4);
  else writePosition(writer, 3, position);
  writer.close(success);
}

function writeConflict(writer: MessageWriter, expected: number, actual: number): void {
  const conflict = writer.open(2);
  if (actual < 0) writer.empty(7);
  else writer.uint(6, actual);
  if (expected === ANY) writer.empty(9);
  else if (expected === STREAM_EXISTS) writer.empty(10);
  else if (expected === NO_STREAM) writer.empty(11);
  else writer.uint(8, expected);
  writer.close(conflict);
}

function deleteResponse(stream: string, expected: number, outcome: Outcome): Buffer {
  if (outcome.kind !== 'written') throw refusal(stream, expected, outcome);
  const { position } = outcome;
  return frame((writer) => {
    if (position === undefined) writer.empty(2);
    else writePosition(writer, 1, position);
  });
}

function writePosition(writer: MessageWriter, field: number, position: number): void {
  const place = writer.open(field);
  writer.uint(1, position);
  writer.uint(2, position);
  writer.close(place);
}

function refusal(stream: string, expected: number, outcome: Exclude<Outcome, { kind: 'written' }>): GrpcError {
  switch (outcome.kind) {
    case 'wrong-expected-revision':
      return wrongExpectedVersion(stream, expected, outcome.actual);
    case 'stream-deleted':
      return streamDeleted(stream);
    case 'too-large':
      return maximumAppendSizeExceeded();
    case 'deadline-exceeded':
      return deadlineExceeded();
  }
}
