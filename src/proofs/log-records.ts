import { setTimeout as pause } from 'node:timers/promises';
import { chunk } from '../kernel/chunk.js';
import { Unavailable } from '../kernel/unavailable.js';
import { type Delivery, type EventStore } from '../platform/eventstore/event-store.js';
import { type LogRecord } from '../platform/eventstore/recorded-event.js';

/** Milliseconds in which a delivery of what the log holds comes. */
const SILENT_MS = 250;
/** Milliseconds below the head of the log, without a delivery, after which the log is read anew. */
const STALE_MS = 30_000;
/** Records in one turn, so that requests do not wait for a long page. */
const AT_ONCE = 200;

type Page = readonly Delivery<LogRecord>[];

/** The log as it is written, from round to round: one subscription, which waits between them. */
export class LogRecords {
  private end = new AbortController();
  private pages: AsyncIterator<Page>;
  private upcoming: Promise<IteratorResult<Page>> | undefined;
  /** On the monotonic clock. */
  private heardAt = performance.now();

  constructor(
    private readonly store: EventStore,
    private reached: bigint | undefined,
    /** The end of the log before the present subscription began. */
    private headAtStart: bigint | undefined,
    private readonly signal: AbortSignal,
  ) {
    this.pages = this.open();
  }

  /** What was written since the last round, up to `head` at least. */
  async *upTo(head: bigint | undefined): AsyncGenerator<readonly LogRecord[]> {
    while (!this.isLevelWith(head)) {
      const page = await this.next();
      if (page === undefined) {
        // The head may be an event of the store's own, of which a subscription may not tell.
        if (performance.now() - this.heardAt > STALE_MS) {
          this.headAtStart = head;
          this.pages = this.open();
        }
        return;
      }
      yield* chunk(this.recordsOf(page), AT_ONCE);
    }
    this.heardAt = performance.now();
  }

  /** Whether everything up to `head` was given out. */
  isLevelWith(head: bigint | undefined): boolean {
    return head === undefined || (this.reached !== undefined && this.reached >= head);
  }

  close(): void {
    this.end.abort();
    // Leaves the shared subscription, also where no page is waited for.
    void this.pages.return?.().catch(() => undefined);
  }

  private open(): AsyncIterator<Page> {
    this.end.abort();
    this.end = new AbortController();
    this.upcoming = undefined;
    this.heardAt = performance.now();
    const signal = AbortSignal.any([this.signal, this.end.signal]);
    return this.store.subscribeToRecords({ after: this.reached, signal })[Symbol.asyncIterator]();
  }

  private recordsOf(page: Page): LogRecord[] {
    this.heardAt = performance.now();
    const records: LogRecord[] = [];
    for (const delivery of page) {
      if (delivery.kind === 'event') {
        records.push(delivery.event);
        this.reached = delivery.event.position;
      } else if (delivery.kind === 'checkpoint') this.reached = delivery.position;
      // Everything that the log held as the subscription began was delivered, but for the store's own events.
      else if (!this.isLevelWith(this.headAtStart)) this.reached = this.headAtStart;
    }
    return records;
  }

  /** Undefined if nothing comes for a while. A page that comes later is the next one. */
  private async next(): Promise<Page | undefined> {
    this.upcoming ??= this.pages.next();
    // It may fail when nobody waits for it any more.
    this.upcoming.catch(() => undefined);
    const silence = new AbortController();
    const silent = pause(SILENT_MS, undefined, { signal: silence.signal, ref: false }).catch(() => undefined);
    const page = await Promise.race([this.upcoming, silent]).finally(() => silence.abort());
    if (page === undefined || this.signal.aborted) return undefined;
    if (page.done === true) throw new Unavailable('event_store', { cause: new Error('the subscription ended') });
    this.upcoming = undefined;
    return page.value;
  }
}
