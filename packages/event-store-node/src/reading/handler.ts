import { type Call } from '../grpc/call.js';
import { type EventLog } from '../log/event-log.js';
import { receiveOne } from '../protocol/one-request.js';
import { subscribeToAll } from '../subscriptions/all.js';
import { subscribeToStream } from '../subscriptions/stream.js';
import { readAll, readStream } from './read.js';
import { readReadRequest } from './request.js';

/** Streams.Read: reads and subscriptions of a stream or of $all. */
export function read(log: EventLog): (call: Call) => void {
  return (call) => receiveOne(call, (message) => void answer(log, message, call));
}

async function answer(log: EventLog, message: Buffer, call: Call): Promise<void> {
  try {
    const request = readReadRequest(message);
    const { stream, subscription } = request;
    if (stream === undefined) await (subscription ? subscribeToAll : readAll)(log, request, call);
    else await (subscription ? subscribeToStream : readStream)(log, stream, request, call);
    call.end();
  } catch (error) {
    call.fail(error);
  }
}
