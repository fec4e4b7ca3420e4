import { type NewEvent, type StoredEvent } from '../../src/kernel/events.js';
import { Unavailable } from '../../src/kernel/unavailable.js';
import { type AllSubscriptionOptions, type ExpectedRevision } from '@kyc/esdb-client/requests';
import {
  type AppendOptions,
  type AppendResult,
  type Delivery,
  EventStore,
  type ReadOptions,
  WrongExpectedRevision,
} from '../../src/platform/eventstore/event-store.js';

/** The fate of an append: acknowledged, written but not acknowledged, or lost on the way. */
export type Fate = 'acknowledged' | 'acknowledgement_lost' | 'request_lost';

export interface SimulationOptions {
  readonly fate?: () => Fate;
  readonly readFails?: () => boolean;
  /** Turns of the event loop that a call takes. */
  readonly delay?: () => number;
  /** Additional milliseconds of an append. An append over its budget is given up, and written later where its fate says so. */
  readonly latencyMs?: () => number;
  /** The budget of an append without its own, in milliseconds. The default of 20,000 is longer than any test waits. */
  readonly budgetMs?: number;
  /** Recognises an identical append. Where false, the append conflicts with itself. */
  readonly recognisesRepeats?: boolean;
  /** The store's clock. */
  readonly now?: () => Date;
}

/** Number of events in a page of a read. */
export const PAGE = 7;

const sleep = (ms: number): Promise<void> => new Promise((resume) => setTimeout(resume, ms));

const within = async <Result>(budgetMs: number, work: Promise<Result>): Promise<Result> => {
  let timer: NodeJS.Timeout | undefined;
  const givenUp = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Unavailable('event_store')), budgetMs);
  });
  try {
    return await Promise.race([work, givenUp]);
  } finally {
    clearTimeout(timer);
  }
};

/** An event store in memory. Its streams behave as EventStoreDB's do, and it fails on request. */
export class SimulatedEventStore extends EventStore {
  readonly streams = new Map<string, StoredEvent[]>();
  healthy = true;
  private position = 0n;

  constructor(private readonly options: SimulationOptions = {}) {
    super();
  }

  append(
    stream: string,
    events: readonly NewEvent[],
    expected: ExpectedRevision,
    options: AppendOptions = {},
  ): Promise<AppendResult> {
    return within(options.budgetMs ?? this.options.budgetMs ?? 20_000, this.carryOut(stream, events, expected));
  }

  async read(stream: string, options: ReadOptions = {}): Promise<StoredEvent[]> {
    await this.pass();
    if (this.options.readFails?.() === true) throw new Unavailable('event_store');
    const events = [...(this.streams.get(stream) ?? [])];
    const { from, maxCount = Infinity } = options;
    if (options.direction === 'backwards') {
      return events
        .filter(({ revision }) => from === undefined || revision <= from)
        .reverse()
        .slice(0, maxCount);
    }
    return events.filter(({ revision }) => from === undefined || revision >= from).slice(0, maxCount);
  }

  async *readPages(stream: string, options: ReadOptions = {}): AsyncIterable<readonly StoredEvent[]> {
    const events = await this.read(stream, options);
    for (let index = 0; index < events.length; index += PAGE) yield events.slice(index, index + PAGE);
  }

  subscribeToAll(options: AllSubscriptionOptions): AsyncIterable<Delivery> {
    throw new Error(`not simulated: a subscription to ${options.streamPrefixes.join()}`);
  }

  async head(): Promise<bigint | undefined> {
    await this.pass();
    return this.position === 0n ? undefined : this.position;
  }

  async close(): Promise<void> {
    await this.pass();
  }

  private async carryOut(
    stream: string,
    events: readonly NewEvent[],
    expected: ExpectedRevision,
  ): Promise<AppendResult> {
    const fate = this.options.fate?.() ?? 'acknowledged';
    const latencyMs = this.options.latencyMs?.() ?? 0;
    await this.pass();
    if (latencyMs > 0) await sleep(latencyMs);
    if (fate === 'request_lost') throw new Unavailable('event_store');
    const result = this.write(stream, events, expected);
    await this.pass();
    if (fate === 'acknowledgement_lost') throw new Unavailable('event_store');
    return result;
  }

  private write(stream: string, events: readonly NewEvent[], expected: ExpectedRevision): AppendResult {
    const log = this.streams.get(stream) ?? [];
    const actual = BigInt(log.length) - 1n;
    const start = typeof expected === 'bigint' ? expected + 1n : expected === 'no_stream' ? 0n : actual + 1n;
    const repeated = events.every((event, index) => log[Number(start) + index]?.id === event.id);
    if (repeated && events.length > 0 && this.options.recognisesRepeats !== false) {
      return { revision: start + BigInt(events.length) - 1n, position: this.position };
    }
    if (start !== actual + 1n) {
      throw new WrongExpectedRevision(stream, expected, actual === -1n ? 'no_stream' : actual);
    }
    for (const event of events) {
      this.position += 1n;
      log.push({ ...event, stream, revision: BigInt(log.length), position: this.position, created: this.now() });
    }
    this.streams.set(stream, log);
    return { revision: BigInt(log.length) - 1n, position: this.position };
  }

  private now(): Date {
    return this.options.now?.() ?? new Date();
  }

  private async pass(): Promise<void> {
    const turns = this.options.delay?.() ?? 0;
    for (let turn = 0; turn < turns; turn += 1) await new Promise((resume) => setImmediate(resume));
  }
}
