import { type StoredEvent } from '../../kernel/events.js';
import { type Delivery, type EventStore } from '../eventstore/event-store.js';

export interface Batch {
  readonly events: readonly StoredEvent[];
  /** Every matching event up to here is in this batch or an earlier one; undefined where nothing was said of it. */
  readonly position: bigint | undefined;
  /** Whether all that was in the log when the feed began has been handed out with this batch. */
  readonly caughtUp: boolean;
}

export interface FeedOptions {
  readonly store: EventStore;
  readonly streamPrefixes: readonly string[];
  readonly eventTypes?: readonly string[] | undefined;
  /** Exclusive. */
  readonly after: bigint | undefined;
  readonly signal: AbortSignal;
  /** Greatest weight of a batch; an event weighs 1 and an eighth for each element of an array in its data (2,000). */
  readonly maxWeight?: number;
  /** Whether a batch ends with this event, whatever else has arrived. */
  readonly endsBatch?: ((event: StoredEvent) => boolean) | undefined;
}

const ELEMENTS_OF_WEIGHT_ONE = 8;

/** Events that carry lists are big, and their statements too. */
const weightOf = ({ data }: StoredEvent): number => {
  let weight = 1;
  for (const name in data as Record<string, unknown>) {
    const value = (data as Record<string, unknown>)[name];
    if (Array.isArray(value)) weight += value.length / ELEMENTS_OF_WEIGHT_ONE;
  }
  return weight;
};

export const later = (one: bigint | undefined, other: bigint): bigint =>
  one === undefined || other > one ? other : one;

/** A subscription cut into batches: whatever has arrived since the last one was taken, up to a limit. */
export class SubscriptionBuffer {
  private readonly arrived: Delivery[] = [];
  private readonly stop = new AbortController();
  private readonly maxWeight: number;
  private weight = 0;
  /** Of the events that wait, how many end a batch. */
  private ends = 0;
  private problem: Error | undefined;
  private ended = false;
  private woken = false;
  private wakeReader: (() => void) | undefined;
  private wakePump: (() => void) | undefined;
  private whenFilled: (() => void) | undefined;

  constructor(private readonly options: FeedOptions) {
    this.maxWeight = options.maxWeight ?? 2_000;
    void this.pump();
  }

  /** How many events wait. */
  get waiting(): number {
    return this.arrived.length;
  }

  /**
   * The next batch as soon as there is something, an empty one after `patienceMs`, undefined once the signal has aborted.
   * Throws what the subscription threw.
   */
  async next(patienceMs?: number): Promise<Batch | undefined> {
    if (this.arrived.length === 0 && !this.ended && !this.woken) await this.arrival(patienceMs);
    this.woken = false;
    if (this.arrived.length > 0) {
      const batch = this.take();
      this.wakePump?.();
      return batch;
    }
    if (this.problem !== undefined) throw this.problem;
    return this.ended ? undefined : { events: [], position: undefined, caughtUp: false };
  }

  /** Resolves as soon as a whole batch waits; of all calls the last one counts. */
  filled(): Promise<void> {
    return new Promise((resolve) => {
      if (this.hasWholeBatch()) resolve();
      else this.whenFilled = resolve;
    });
  }

  /** Lets who waits for a batch, or comes next, have one at once, empty or not. */
  wake(): void {
    this.woken = true;
    this.wakeReader?.();
  }

  /** Says that no matching event lies between what was handed out last and this position. */
  confirm(position: bigint): void {
    this.arrived.push({ kind: 'checkpoint', position });
    this.wakeReader?.();
  }

  close(): void {
    this.stop.abort();
    this.wakePump?.();
  }

  private arrival(patienceMs: number | undefined): Promise<void> {
    return new Promise((resolve) => {
      const timer = patienceMs === undefined ? undefined : setTimeout(resolve, patienceMs);
      this.wakeReader = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  private take(): Batch {
    const events: StoredEvent[] = [];
    let position: bigint | undefined;
    let caughtUp = false;
    let weight = 0;
    let taken = 0;
    for (const delivery of this.arrived) {
      if (weight >= this.maxWeight) break;
      taken += 1;
      if (delivery.kind === 'event') {
        events.push(delivery.event);
        weight += weightOf(delivery.event);
        position = later(position, delivery.event.position);
        if (this.isEnd(delivery)) {
          this.ends -= 1;
          break;
        }
      } else if (delivery.kind === 'checkpoint') position = later(position, delivery.position);
      else caughtUp = true;
    }
    this.arrived.splice(0, taken);
    this.weight -= weight;
    return { events, position, caughtUp };
  }

  private accept(delivery: Delivery): void {
    this.arrived.push(delivery);
    if (delivery.kind === 'event') this.weight += weightOf(delivery.event);
    if (this.isEnd(delivery)) this.ends += 1;
  }

  private isEnd(delivery: Delivery): boolean {
    return delivery.kind === 'event' && this.options.endsBatch?.(delivery.event) === true;
  }

  private hasWholeBatch(): boolean {
    return this.weight >= this.maxWeight || this.ends > 0;
  }

  private async pump(): Promise<void> {
    const { store, streamPrefixes, eventTypes, after, signal } = this.options;
    const subscription = { streamPrefixes, eventTypes, after, signal: AbortSignal.any([signal, this.stop.signal]) };
    try {
      for await (const page of store.subscribeToAllInPages(subscription)) {
        for (const delivery of page) this.accept(delivery);
        this.wakeReader?.();
        if (this.hasWholeBatch()) this.whenFilled?.();
        if (this.weight >= 2 * this.maxWeight && !subscription.signal.aborted) {
          await new Promise<void>((resolve) => (this.wakePump = resolve));
        }
      }
    } catch (error) {
      this.problem = error instanceof Error ? error : new Error(String(error));
    }
    this.ended = true;
    this.wakeReader?.();
  }
}
