import { randomUUID } from 'node:crypto';
import { type Call } from '../grpc/call.js';
import { type EventLog } from '../log/event-log.js';
import { readableRange } from '../log/readable.js';
import { TOMBSTONED } from '../log/revision.js';
import { type StoredWrite } from '../log/pages.js';
import { streamDeleted } from '../protocol/errors.js';
import { type ReadRequest } from '../reading/request.js';
import { caughtUp, confirmation, fellBehind } from '../reading/responses.js';
import { select } from '../reading/select.js';
import { Outbox } from './outbox.js';

/** Sends the stream's stored events first, then the events of the log's tail. The revision separates both. */
export async function subscribeToStream(
  log: EventLog,
  stream: string,
  request: ReadRequest,
  call: Call,
): Promise<void> {
  const { life, last } = await readableRange(log, stream);
  if (life === 'tombstoned') throw streamDeleted(stream);
  const subscription = new StreamSubscription(log, stream, request, call, last);
  await subscription.confirm();
  while (!call.closed.aborted) {
    const position = await subscription.catchUp();
    if (position !== undefined) await subscription.follow(position);
  }
}

class StreamSubscription {
  private readonly outbox: Outbox;
  /** The last revision that was delivered or skipped. */
  private revision: number;
  private waitsForStream: boolean;

  constructor(
    private readonly log: EventLog,
    private readonly stream: string,
    private readonly request: ReadRequest,
    private readonly call: Call,
    last: number,
  ) {
    this.outbox = new Outbox(call);
    const { from } = request;
    this.revision = from === 'start' ? -1 : from === 'end' ? last : from;
    this.waitsForStream = from !== 'end';
  }

  async confirm(): Promise<void> {
    await this.outbox.add(confirmation(randomUUID()));
    await this.outbox.flush();
  }

  /** Delivers the stored events. Returns the position up to which they are complete, or undefined when the call is over. */
  async catchUp(): Promise<number | undefined> {
    const position = this.log.tail.position;
    const { life, streamId, from, createdAfter } = await readableRange(this.log, this.stream);
    if (life === 'tombstoned') throw streamDeleted(this.stream);
    if (life === 'missing' && this.waitsForStream) {
      await this.log.tail.beyond(position, this.call.closed);
      return undefined;
    }
    this.revision = Math.max(this.revision, from - 1);
    while (life === 'live' && !this.call.closed.aborted) {
      const rows = await this.log.pages.streamFrom(streamId, this.revision + 1, createdAfter, {
        signal: this.call.closed,
      });
      if (rows.length === 0) break;
      for (const row of rows) await this.deliver(row);
    }
    this.waitsForStream = false;
    await this.outbox.add(caughtUp());
    await this.outbox.flush();
    return position;
  }

  /** Delivers live events from a position on. Ends when the call is over or the tail no longer reaches back to the position. */
  async follow(start: number): Promise<void> {
    let position = start;
    while (!this.call.closed.aborted) {
      const held = this.log.tail.after(position);
      if (held === undefined) return this.outbox.add(fellBehind());
      for (const write of held) {
        if (write.stream === this.stream && write.revision > this.revision) await this.deliver(write);
        position = write.position;
      }
      await this.outbox.flush();
      await this.log.tail.beyond(position, this.call.closed);
    }
  }

  private async deliver(row: StoredWrite): Promise<void> {
    const { resolveLinks, structuredIds } = this.request;
    const limit = Number.POSITIVE_INFINITY;
    const from = this.revision + 1;
    const selection = {
      key: 'revision' as const,
      from,
      to: limit,
      backwards: false,
      limit,
      filter: undefined,
      resolveLinks,
      structuredIds,
    };
    await this.outbox.add((await select(this.log, row, selection)).frames);
    this.revision = Math.max(this.revision, row.revision);
    if (row.revision !== TOMBSTONED) return;
    await this.outbox.flush();
    throw streamDeleted(this.stream);
  }
}
