import { randomUUID } from 'node:crypto';
import { type Call } from '../grpc/call.js';
import { type EventLog } from '../log/event-log.js';
import { type StoredWrite } from '../log/pages.js';
import { type ReadRequest } from '../reading/request.js';
import { caughtUp, checkpoint, confirmation, fellBehind } from '../reading/responses.js';
import { select, type Selection } from '../reading/select.js';
import { Outbox } from './outbox.js';

/**
 * A subscription is a place in the log that only moves forward. It reads the tail in memory where that reaches back far enough,
 * otherwise Postgres. Going live therefore skips and repeats no event, and a slow reader costs two pages of memory.
 */
export async function subscribeToAll(log: EventLog, request: ReadRequest, call: Call): Promise<void> {
  const outbox = new Outbox(call);
  const subscription = new AllSubscription(log, request, outbox, call.closed);
  await outbox.add(confirmation(randomUUID()));
  while (!call.closed.aborted) {
    const held = log.tail.after(subscription.position);
    if (held === undefined) await subscription.readStored();
    else if (held.length > 0) await subscription.deliver(held);
    else {
      await subscription.reachedEnd();
      await log.tail.beyond(subscription.position, call.closed);
    }
  }
}

interface StoredPage {
  /** The end of the log when the reading began. */
  readonly end: number;
  readonly rows: Promise<readonly StoredWrite[]>;
}

class AllSubscription {
  position: number;
  private live = false;
  /** Number of examined events since the last checkpoint. */
  private considered = 0;
  /** The page after this position, if its reading has begun. */
  private next: StoredPage | undefined;

  constructor(
    private readonly log: EventLog,
    private readonly request: ReadRequest,
    private readonly outbox: Outbox,
    private readonly closed: AbortSignal,
  ) {
    const { from } = request;
    this.position = from === 'start' ? 0 : from === 'end' ? log.tail.position : from;
  }

  async readStored(): Promise<void> {
    if (this.live) await this.outbox.add(fellBehind());
    this.live = false;
    const { end, rows: reading } = this.next ?? this.readAfter(this.position);
    this.next = undefined;
    const stored = await reading;
    // Committed events that are not yet published come with the tail. So no subscriber's place is ever ahead of the tail.
    const rows = stored.filter(({ position }) => position <= this.log.tail.position);
    const last = rows.at(-1);
    // Postgres reads the next page while this one is sent.
    if (last !== undefined && this.log.tail.after(last.position) === undefined)
      this.next = this.readAfter(last.position);
    await this.deliver(rows);
    // A scavenge has removed all events up to here.
    if (rows.length === 0) this.position = Math.max(this.position, end);
  }

  private readAfter(position: number): StoredPage {
    const end = this.log.tail.position;
    const rows = this.log.pages.allAfter(position, { signal: this.closed });
    // If the call ends before the page is taken, no one hears of the failure.
    rows.catch(() => undefined);
    return { end, rows };
  }

  async deliver(rows: readonly StoredWrite[]): Promise<void> {
    for (const row of rows) {
      await this.outbox.add((await select(this.log, row, this.selection())).frames);
      this.position = row.position;
      await this.countTowardsCheckpoint(row.events);
    }
    await this.outbox.flush();
  }

  async reachedEnd(): Promise<void> {
    if (!this.live) await this.outbox.add(caughtUp());
    this.live = true;
    await this.outbox.flush();
  }

  private async countTowardsCheckpoint(events: number): Promise<void> {
    const { filter } = this.request;
    if (filter === undefined) return;
    this.considered += events;
    if (this.considered < filter.checkpointInterval) return;
    this.considered = 0;
    await this.outbox.add(checkpoint(this.position));
  }

  private selection(): Selection {
    const { filter, resolveLinks, structuredIds } = this.request;
    const limit = Number.POSITIVE_INFINITY;
    const from = this.position + 1;
    return { key: 'position', from, to: limit, backwards: false, limit, filter, resolveLinks, structuredIds };
  }
}
