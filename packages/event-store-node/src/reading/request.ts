import { GrpcError, Status } from '@kyc/esdb-wire/status';
import { readStreamName } from '../protocol/write-messages.js';
import { MalformedMessage, MessageReader } from '@kyc/esdb-wire/messages';
import { eventFilter, type EventFilter } from './filter.js';

/** A revision or position, or one of the ends. */
export type From = number | 'start' | 'end';

export interface ReadRequest {
  /** Undefined for $all. */
  stream: string | undefined;
  from: From;
  direction: 'forwards' | 'backwards';
  resolveLinks: boolean;
  /** Infinity for a subscription. */
  count: number;
  subscription: boolean;
  filter: EventFilter | undefined;
  structuredIds: boolean;
}

export function readReadRequest(message: Buffer): ReadRequest {
  const request: ReadRequest = {
    stream: undefined,
    from: 'start',
    direction: 'forwards',
    resolveLinks: false,
    count: 0,
    subscription: false,
    filter: undefined,
    structuredIds: false,
  };
  const outer = new MessageReader(message);
  for (let tag = outer.tag(); tag !== 0; tag = outer.tag()) {
    if (tag >> 3 === 1) readOptions(outer.message(), request);
    else outer.skip(tag);
  }
  if (request.stream === '') throw new MalformedMessage('a stream name is required');
  if (request.subscription) request.count = Number.POSITIVE_INFINITY;
  // EventStoreDB has no code of its own for a count of zero.
  else if (request.count === 0) throw new GrpcError(Status.unknown, 'a read of no events was asked for');
  return request;
}

function readOptions(reader: MessageReader, request: ReadRequest): void {
  for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
    const field = tag >> 3;
    if (field === 1) readStreamOptions(reader.message(), request);
    else if (field === 2) request.from = readAllOptions(reader.message());
    else if (field === 3) request.direction = reader.varint() === 1 ? 'backwards' : 'forwards';
    else if (field === 4) request.resolveLinks = reader.varint() === 1;
    else if (field === 5) request.count = reader.varint();
    else if (field === 7) request.filter = readFilter(reader.message());
    else if (field === 9) request.structuredIds = reader.message().tag() >> 3 === 1;
    else {
      if (field === 6) request.subscription = true;
      reader.skip(tag);
    }
  }
}

function readStreamOptions(reader: MessageReader, request: ReadRequest): void {
  request.stream = '';
  for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
    const field = tag >> 3;
    if (field === 1) request.stream = readStreamName(reader.message());
    else if (field === 2) request.from = reader.varint();
    else {
      if (field === 3) request.from = 'start';
      if (field === 4) request.from = 'end';
      reader.skip(tag);
    }
  }
}

/** AllOptions: a position's commit half is its place in the log. */
function readAllOptions(reader: MessageReader): From {
  let from: From = 'start';
  for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
    const field = tag >> 3;
    if (field === 1) from = readCommitPosition(reader.message());
    else {
      if (field === 3) from = 'end';
      reader.skip(tag);
    }
  }
  return from;
}

function readCommitPosition(reader: MessageReader): number {
  let commit = 0;
  for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
    if (tag >> 3 === 1) commit = reader.varint();
    else reader.skip(tag);
  }
  return commit;
}

function readFilter(reader: MessageReader): EventFilter {
  const options = { on: 'stream' as 'stream' | 'type', regex: '', prefixes: [] as string[], window: 32, multiplier: 1 };
  for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
    const field = tag >> 3;
    if (field === 1 || field === 2) {
      options.on = field === 1 ? 'stream' : 'type';
      readExpression(reader.message(), options);
    } else if (field === 3) options.window = reader.varint();
    else if (field === 5) options.multiplier = reader.varint();
    else reader.skip(tag);
  }
  return eventFilter(options);
}

function readExpression(reader: MessageReader, options: { regex: string; prefixes: string[] }): void {
  for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
    if (tag >> 3 === 1) options.regex = reader.string();
    else if (tag >> 3 === 2) options.prefixes.push(reader.string());
    else reader.skip(tag);
  }
}
