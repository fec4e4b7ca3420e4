import { type Clock } from '../../kernel/clock.js';
import { type NewEvent } from '../../kernel/events.js';
import { Unavailable } from '../../kernel/unavailable.js';
import { type EventStore, WrongExpectedRevision } from './event-store.js';

const BATCH_BYTES = 512 * 1024;
const BATCH_EVENTS = 1_000;

interface Waiting {
  readonly event: NewEvent;
  readonly bytes: number;
  readonly deadline: number;
  readonly resolve: (position: bigint) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Appends to one stream that needs no decisions: what arrives while an append is in flight goes with the next one. Events
 * are unique by id where they are read, since a retried append may be written twice.
 */
export class GroupAppend {
  private queue: Waiting[] = [];
  private running = false;

  constructor(
    private readonly stream: string,
    private readonly store: EventStore,
    private readonly clock: Clock,
  ) {}

  get idle(): boolean {
    return !this.running;
  }

  /** Resolves when the event is durable, with the commit position of its batch; rejects with Unavailable within `budgetMs`, the outcome then being unknown. */
  append(event: NewEvent, bytes: number, budgetMs: number): Promise<bigint> {
    return new Promise((resolve, reject) => {
      this.queue.push({ event, bytes, deadline: this.clock.monotonic() + budgetMs, resolve, reject });
      if (!this.running) void this.run();
    });
  }

  private async run(): Promise<void> {
    this.running = true;
    await Promise.resolve();
    while (this.queue.length > 0) await this.appendNext(this.takeBatch());
    this.running = false;
  }

  private takeBatch(): Waiting[] {
    let bytes = 0;
    let count = 0;
    for (const waiting of this.queue) {
      if (count > 0 && (count >= BATCH_EVENTS || bytes + waiting.bytes > BATCH_BYTES)) break;
      bytes += waiting.bytes;
      count += 1;
    }
    return this.queue.splice(0, count);
  }

  private async appendNext(batch: readonly Waiting[]): Promise<void> {
    const now = this.clock.monotonic();
    const late = batch.filter((waiting) => waiting.deadline <= now);
    for (const waiting of late) waiting.reject(new Unavailable('event_store'));
    const due = batch.filter((waiting) => waiting.deadline > now);
    if (due.length === 0) return;
    // The batch ends with its most urgent member, so that nobody waits beyond what was promised.
    const budgetMs = Math.min(...due.map((waiting) => waiting.deadline)) - now;
    try {
      const { position } = await this.store.append(
        this.stream,
        due.map((waiting) => waiting.event),
        'any',
        { budgetMs },
      );
      for (const waiting of due) waiting.resolve(position);
    } catch (error) {
      if (error instanceof WrongExpectedRevision && due.length > 1) await this.appendApart(due);
      else for (const waiting of due) waiting.reject(error);
    }
  }

  /** Events of an earlier attempt and new ones are a conflict in one append; an event by itself never is. */
  private async appendApart(batch: readonly Waiting[]): Promise<void> {
    const middle = Math.ceil(batch.length / 2);
    await this.appendNext(batch.slice(0, middle));
    await this.appendNext(batch.slice(middle));
  }
}
