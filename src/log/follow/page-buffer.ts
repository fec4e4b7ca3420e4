import { type StoredEvent } from '../../kernel/events.js';
import { type Delivery } from '../../platform/eventstore/event-store.js';

export interface Batch<Event = StoredEvent> {
  readonly events: readonly Event[];
  /** Every matching event up to here is in this batch or an earlier one. Undefined if the position is unknown. */
  readonly position: bigint | undefined;
  /** Whether, with this batch, everything that was in the log at the start of the subscription has been returned. */
  readonly caughtUp: boolean;
}

/** How a subscription is cut into batches. */
export interface Cut<Event = StoredEvent> {
  /** Greatest weight of a batch (2,000). */
  readonly maxWeight?: number | undefined;
  /** By default 1, plus an eighth for each element of an array in the event's data. */
  readonly weightOf?: ((event: Event) => number) | undefined;
  /** Whether a batch ends with this event, even if more events have arrived. */
  readonly endsBatch?: ((event: Event) => boolean) | undefined;
}

export type Pages<Event> = (signal: AbortSignal) => AsyncIterable<readonly Delivery<Event>[]>;

const ELEMENTS_OF_WEIGHT_ONE = 8;

/** Events with lists are big, and so are their statements. */
export const weightOfEvent = ({ data }: Pick<StoredEvent, 'data'>): number => {
  let weight = 1;
  for (const name in data as Record<string, unknown>) {
    const value = (data as Record<string, unknown>)[name];
    if (Array.isArray(value)) weight += value.length / ELEMENTS_OF_WEIGHT_ONE;
  }
  return weight;
};

export const later = (one: bigint | undefined, other: bigint): bigint =>
  one === undefined || other > one ? other : one;

/** Cuts a subscription into batches. A batch holds the events that arrived since the last one, up to a limit. */
export class PageBuffer<Event extends { readonly position: bigint; readonly data: unknown } = StoredEvent> {
  private readonly arrived: Delivery<Event>[] = [];
  private readonly stop = new AbortController();
  private readonly maxWeight: number;
  private weight = 0;
  /** Number of buffered events that end a batch. */
  private ends = 0;
  private problem: Error | undefined;
  private ended = false;
  private wakeReader: (() => void) | undefined;
  private wakePump: (() => void) | undefined;
  private whenFilled: (() => void) | undefined;

  constructor(
    private readonly pages: Pages<Event>,
    private readonly signal: AbortSignal,
    private readonly cut: Cut<Event> = {},
  ) {
    this.maxWeight = cut.maxWeight ?? 2_000;
    void this.pump();
  }

  get waiting(): number {
    return this.arrived.length;
  }

  /**
   * The next batch as soon as there is a delivery, or an empty one after `patienceMs`. Undefined once the signal has
   * aborted. Throws the subscription's error.
   */
  async next(timeoutMs?: number): Promise<Batch<Event> | undefined> {
    if (this.arrived.length === 0 && !this.ended) await this.arrival(timeoutMs);
    if (this.arrived.length > 0) {
      const batch = this.take();
      this.wakePump?.();
      return batch;
    }
    if (this.problem !== undefined) throw this.problem;
    return this.ended ? undefined : { events: [], position: undefined, caughtUp: false };
  }

  /** Resolves as soon as a full batch waits. Only the last call counts. */
  filled(): Promise<void> {
    return new Promise((resolve) => {
      if (this.hasWholeBatch()) resolve();
      else this.whenFilled = resolve;
    });
  }

  close(): void {
    this.stop.abort();
    this.wakePump?.();
  }

  private arrival(timeoutMs: number | undefined): Promise<void> {
    return new Promise((resolve) => {
      const timer = timeoutMs === undefined ? undefined : setTimeout(resolve, timeoutMs);
      this.wakeReader = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  private take(): Batch<Event> {
    const events: Event[] = [];
    let position: bigint | undefined;
    let caughtUp = false;
    let weight = 0;
    let taken = 0;
    for (const delivery of this.arrived) {
      if (weight >= this.maxWeight) break;
      taken += 1;
      if (delivery.kind === 'event') {
        events.push(delivery.event);
        weight += this.weightOf(delivery.event);
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

  private accept(delivery: Delivery<Event>): void {
    this.arrived.push(delivery);
    if (delivery.kind === 'event') this.weight += this.weightOf(delivery.event);
    if (this.isEnd(delivery)) this.ends += 1;
  }

  private weightOf(event: Event): number {
    return this.cut.weightOf?.(event) ?? weightOfEvent(event);
  }

  private isEnd(delivery: Delivery<Event>): boolean {
    return delivery.kind === 'event' && this.cut.endsBatch?.(delivery.event) === true;
  }

  private hasWholeBatch(): boolean {
    return this.weight >= this.maxWeight || this.ends > 0;
  }

  private async pump(): Promise<void> {
    const signal = AbortSignal.any([this.signal, this.stop.signal]);
    try {
      for await (const page of this.pages(signal)) {
        for (const delivery of page) this.accept(delivery);
        this.wakeReader?.();
        if (this.hasWholeBatch()) this.whenFilled?.();
        if (this.weight >= 2 * this.maxWeight && !signal.aborted) {
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
