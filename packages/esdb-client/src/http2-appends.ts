import { type AppendCall, type AppendCallEvents, type AppendTransport } from './append-channel.js';
import { decodeAppendReply } from './append-codec.js';
import { type Http2Connection } from './http2-connection.js';

const BATCH_APPEND = '/event_store.client.streams.Streams/BatchAppend';

/** BatchAppend calls over a connection. */
export class Http2Appends implements AppendTransport {
  constructor(private readonly connection: Http2Connection) {}

  open(events: AppendCallEvents): Promise<AppendCall> {
    return this.connection.call(BATCH_APPEND, {
      message: (message) => events.replied(decodeAppendReply(message)),
      drained: events.drained,
      goodbye: events.retired,
      ended: (problem) => events.lost(problem ?? new Error('the store ended the append call')),
    });
  }

  disconnect(): void {
    this.connection.disconnect();
  }
}
