import { type Clock } from '../../kernel/clock.js';
import { type NewEvent } from '../../kernel/events.js';
import { Unavailable } from '../../kernel/unavailable.js';
import { LatencyBudget } from './latency-budget.js';
import { type EventStore, WrongExpectedRevision } from '../../platform/eventstore/event-store.js';

const BATCH_BYTES = 512 * 1024;
const BATCH_EVENTS = 1_000;

interface Waiting {
  readonly event: NewEvent;
  readonly bytes: number;
  readonly deadline: number;
  /** Rejects at the deadline, in the queue or in flight. */
  readonly expiry: NodeJS.Timeout;
  readonly resolve: (position: bigint) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Appends to one stream without decisions. Events that arrive while an append is in flight share the next one. A
 * retried append may write an event twice, so readers drop duplicates by id.
 */
export class GroupAppend {
  private queue: Waiting[] = [];
  private running = false;
  private inFlight = 0;
  private readonly pace: LatencyBudget;

  constructor(
    private readonly stream: string,
    private readonly store: EventStore,
    private readonly clock: Clock,
  ) {
    this.pace = new LatencyBudget(clock);
  }

  get idle(): boolean {
    return !this.running;
  }

  /** Events without an answer so far: those that wait for an append, and those in one. */
  get queued(): number {
    return this.queue.length + this.inFlight;
  }

  /**
   * Resolves when the event is durable, with the commit position of its batch. Rejects with Unavailable within
   * `budgetMs`; the outcome is then unknown.
   */
  append(event: NewEvent, bytes: number, budgetMs: number): Promise<bigint> {
    return new Promise((resolve, reject) => {
      const deadline = this.clock.monotonic() + budgetMs;
      const expiry = setTimeout(() => reject(new Unavailable('event_store')), budgetMs);
      this.queue.push({ event, bytes, deadline, expiry, resolve, reject });
      if (!this.running) void this.run();
    });
  }

  private async run(): Promise<void> {
    this.running = true;
    await Promise.resolve();
    while (this.queue.length > 0) {
      const batch = this.takeBatch();
      this.inFlight = batch.length;
      await this.appendNext(batch);
      this.inFlight = 0;
    }
    this.running = false;
  }

  private takeBatch(): Waiting[] {
    const now = this.clock.monotonic();
    const batch: Waiting[] = [];
    let bytes = 0;
    for (const waiting of this.pace.inTime(this.queue, now)) {
      if (batch.length > 0 && (batch.length >= BATCH_EVENTS || bytes + waiting.bytes > BATCH_BYTES)) break;
      bytes += waiting.bytes;
      batch.push(waiting);
    }
    const taken = new Set(batch);
    this.queue = this.queue.filter((waiting) => !taken.has(waiting) && waiting.deadline > now);
    return batch;
  }

  private async appendNext(batch: readonly Waiting[]): Promise<void> {
    const due = batch.filter((waiting) => waiting.deadline > this.clock.monotonic());
    if (due.length === 0) return;
    const events = due.map(({ event }) => event);
    try {
      // Uses the store's own budget. With the budget of the most urgent event, all the others would fail with it.
      const { position } = await this.pace.timed(() => this.store.append(this.stream, events, 'any'));
      for (const waiting of due) {
        clearTimeout(waiting.expiry);
        waiting.resolve(position);
      }
    } catch (error) {
      if (error instanceof WrongExpectedRevision && due.length > 1) return this.appendApart(due);
      for (const waiting of due) {
        clearTimeout(waiting.expiry);
        waiting.reject(error);
      }
    }
  }

  /**
   * One append with new events and events of an earlier attempt conflicts. A single event never does, so the batch is
   * split.
   */
  private async appendApart(batch: readonly Waiting[]): Promise<void> {
    const middle = Math.ceil(batch.length / 2);
    await this.appendNext(batch.slice(0, middle));
    await this.appendNext(batch.slice(middle));
  }
}
