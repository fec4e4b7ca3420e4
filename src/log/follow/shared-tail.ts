import { type StoredEvent } from '../../kernel/events.js';
import { Unavailable } from '../../kernel/unavailable.js';
import { DelegatingEventStore } from '../../platform/eventstore/delegating-event-store.js';
import { type AllSubscriptionOptions, type RecordSubscriptionOptions } from '@kyc/esdb-client/requests';
import { type Delivery, type EventStore } from '../../platform/eventstore/event-store.js';
import { type LogRecord } from '@kyc/esdb-client/events';
import { storedEventOf } from '../../platform/eventstore/in-our-terms.js';

/** Limits of what waits for one subscriber. One that is slower reads on alone. */
export interface Waiting {
  readonly events: number;
  readonly bytes: number;
}

const MAX_WAITING: Waiting = { events: 4_096, bytes: 4 * 1024 * 1024 };
/** Milliseconds after which subscribers learn of a position without events for them. */
const CHECKPOINT_EVERY_MS = 100;

type Filter = Pick<AllSubscriptionOptions, 'streamPrefixes' | 'eventTypes'>;

/** The shared subscription leaves out the store's own streams. */
const EVERY_STREAM: Filter = { streamPrefixes: [''] };

const later = (one: bigint | undefined, other: bigint): bigint => (one === undefined || other > one ? other : one);

type Pages<Event> = AsyncIterable<readonly Delivery<Event>[]>;

/** What a subscriber is given of a record, which is decoded once for all that want it decoded. */
type Form<Event> = (record: LogRecord, decoded: () => StoredEvent) => Event;

/** One reader of the shared tail: what waits for it, from the moment at which it joined. */
class Subscriber<Event> {
  private page: Delivery<Event>[] = [];
  private bytes = 0;
  private wake: (() => void) | undefined;
  private problem: Error | undefined;
  private passed: bigint | undefined;
  private over = false;
  /** More waited than may wait. What this subscriber was given until then has to be read from the log. */
  overrun = false;

  constructor(
    private readonly filter: Filter,
    private readonly form: Form<Event>,
    private readonly most: Waiting,
  ) {}

  wants(type: string): boolean {
    return this.filter.eventTypes?.includes(type) ?? true;
  }

  wantsStream(stream: string): boolean {
    return this.filter.streamPrefixes.some((prefix) => stream.startsWith(prefix));
  }

  give(record: LogRecord, decoded: () => StoredEvent): void {
    this.passed = undefined;
    this.bytes += record.data.length;
    this.push({ kind: 'event', event: this.form(record, decoded) });
  }

  /** No event up to here is for this subscriber, but those it was given. */
  pass(position: bigint): void {
    this.passed = position;
  }

  pushCheckpoint(): void {
    if (this.passed === undefined) return;
    this.push({ kind: 'checkpoint', position: this.passed });
    this.passed = undefined;
    this.rouse();
  }

  rouse(): void {
    if (this.page.length > 0) this.wake?.();
  }

  end(problem?: Error): void {
    this.over = true;
    this.problem ??= problem;
    this.wake?.();
  }

  /** Everything that waits, at least one delivery. Undefined once it ended without an error, or was overrun. */
  async next(): Promise<readonly Delivery<Event>[] | undefined> {
    while (this.page.length === 0 && !this.over && !this.overrun)
      await new Promise<void>((resolve) => (this.wake = resolve));
    if (this.overrun) return undefined;
    if (this.page.length === 0) {
      if (this.problem !== undefined) throw this.problem;
      return undefined;
    }
    const { page } = this;
    this.page = [];
    this.bytes = 0;
    return page;
  }

  private push(delivery: Delivery<Event>): void {
    if (this.overrun) return;
    this.page.push(delivery);
    if (this.page.length <= this.most.events && this.bytes <= this.most.bytes) return;
    this.overrun = true;
    this.page = [];
    this.wake?.();
  }
}

type AnySubscriber = Subscriber<StoredEvent> | Subscriber<LogRecord>;

/** The one subscription behind all subscribers that have caught up. It begins at the end of the log. */
class Tail {
  private readonly subscribers = new Set<AnySubscriber>();
  private readonly byType = new Map<string, readonly AnySubscriber[]>();
  private readonly stopping = new AbortController();
  private timer: NodeJS.Timeout | undefined;
  private begun: () => void = () => undefined;
  /** Resolves once it delivers everything that is written from then on, or has ended. */
  readonly ready = new Promise<void>((resolve) => (this.begun = resolve));

  constructor(
    private readonly store: EventStore,
    private readonly ended: () => void,
  ) {}

  async run(): Promise<void> {
    let problem: Error = new Unavailable('event_store', { cause: new Error('the shared subscription ended') });
    try {
      const after = await this.store.head();
      this.begun();
      for await (const page of this.store.subscribeToRecords({ after, signal: this.stopping.signal })) this.share(page);
    } catch (error) {
      problem = error instanceof Error ? error : new Unavailable('event_store', { cause: error });
    }
    this.begun();
    this.ended();
    clearTimeout(this.timer);
    for (const subscriber of this.subscribers) subscriber.end(problem);
  }

  add(subscriber: AnySubscriber): void {
    this.subscribers.add(subscriber);
    this.byType.clear();
  }

  remove(subscriber: AnySubscriber): void {
    this.subscribers.delete(subscriber);
    this.byType.clear();
    if (this.subscribers.size > 0) return;
    this.ended();
    this.stopping.abort();
  }

  private share(page: readonly Delivery<LogRecord>[]): void {
    let position: bigint | undefined;
    for (const delivery of page) {
      if (delivery.kind === 'caught_up') continue;
      position = later(position, delivery.kind === 'event' ? delivery.event.position : delivery.position);
      if (delivery.kind === 'event') this.give(delivery.event);
    }
    if (position === undefined) return;
    for (const subscriber of this.subscribers) {
      subscriber.rouse();
      subscriber.pass(position);
    }
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      for (const subscriber of this.subscribers) subscriber.pushCheckpoint();
    }, CHECKPOINT_EVERY_MS).unref();
  }

  /** All subscribers of events get the same object, which is decoded only where one wants it. */
  private give(record: LogRecord): void {
    let event: StoredEvent | undefined;
    const decoded = (): StoredEvent => (event ??= storedEventOf(record));
    for (const subscriber of this.wanting(record.type))
      if (subscriber.wantsStream(record.stream)) subscriber.give(record, decoded);
  }

  private wanting(type: string): readonly AnySubscriber[] {
    const known = this.byType.get(type) ?? [...this.subscribers].filter((subscriber) => subscriber.wants(type));
    this.byType.set(type, known);
    return known;
  }
}

/**
 * Followers of the log that have caught up share one subscription of the store, and each event is decoded once for all of
 * them. A subscriber reads alone until it has caught up, and again when it is too slow: it delays no other.
 */
export class SharedTailEventStore extends DelegatingEventStore {
  private tail: Tail | undefined;

  constructor(
    store: EventStore,
    private readonly mostWaiting = MAX_WAITING,
  ) {
    super(store);
  }

  override async *subscribeToAll(options: AllSubscriptionOptions): AsyncGenerator<Delivery> {
    for await (const page of this.subscribeToAllInPages(options)) yield* page;
  }

  override subscribeToAllInPages(options: AllSubscriptionOptions): AsyncGenerator<readonly Delivery[]> {
    const alone = (after: bigint | undefined) => this.store.subscribeToAllInPages({ ...options, after });
    return this.follow(new Reader(options.after, alone), options, (_, decoded) => decoded(), options.signal);
  }

  override subscribeToRecords({
    after,
    signal,
  }: RecordSubscriptionOptions): AsyncGenerator<readonly Delivery<LogRecord>[]> {
    const alone = (from: bigint | undefined) =>
      this.store.subscribeToRecords({ after: from, ...(signal === undefined ? {} : { signal }) });
    return this.follow(new Reader(after, alone), EVERY_STREAM, (record) => record, signal);
  }

  private async *follow<Event extends StoredEvent | LogRecord>(
    reader: Reader<Event>,
    filter: Filter,
    form: Form<Event>,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<readonly Delivery<Event>[]> {
    yield* reader.catchUp();
    while (signal?.aborted !== true) yield* this.share(reader, new Subscriber(filter, form, this.mostWaiting), signal);
  }

  /** Ends when the subscriber was overrun, or its signal aborted. */
  private async *share<Event extends StoredEvent | LogRecord>(
    reader: Reader<Event>,
    subscriber: Subscriber<Event>,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<readonly Delivery<Event>[]> {
    const stop = (): void => subscriber.end();
    signal?.addEventListener('abort', stop, { once: true });
    const tail = this.running();
    tail.add(subscriber as AnySubscriber);
    try {
      await tail.ready;
      // What was written before is read alone; what comes meanwhile waits for this subscriber.
      yield* reader.catchUp(false);
      for (let page = await subscriber.next(); page !== undefined; page = await subscriber.next()) {
        const rest = reader.rest(page);
        if (rest.length > 0) yield rest;
      }
    } finally {
      signal?.removeEventListener('abort', stop);
      tail.remove(subscriber as AnySubscriber);
    }
  }

  private running(): Tail {
    if (this.tail !== undefined) return this.tail;
    const tail: Tail = new Tail(this.store, () => {
      if (this.tail === tail) this.tail = undefined;
    });
    this.tail = tail;
    void tail.run();
    return tail;
  }
}

/** Where one subscriber stands, over all the subscriptions that serve it. */
class Reader<Event extends StoredEvent | LogRecord> {
  constructor(
    private position: bigint | undefined,
    private readonly alone: (after: bigint | undefined) => Pages<Event>,
  ) {}

  /** Reads alone up to the present end of the log. */
  async *catchUp(withCaughtUp = true): AsyncGenerator<readonly Delivery<Event>[]> {
    for await (const page of this.alone(this.position)) {
      const isCaughtUp = page.some(({ kind }) => kind === 'caught_up');
      const given = withCaughtUp ? page : page.filter(({ kind }) => kind !== 'caught_up');
      for (const delivery of given) this.moveTo(delivery);
      if (given.length > 0) yield given;
      if (isCaughtUp) return;
    }
  }

  /** The deliveries that it has not had. */
  rest(page: readonly Delivery<Event>[]): readonly Delivery<Event>[] {
    const rest = page.filter((delivery) => {
      if (delivery.kind === 'caught_up') return false;
      const at = delivery.kind === 'event' ? delivery.event.position : delivery.position;
      return this.position === undefined || at > this.position;
    });
    for (const delivery of rest) this.moveTo(delivery);
    return rest;
  }

  private moveTo(delivery: Delivery<Event>): void {
    if (delivery.kind === 'event') this.position = later(this.position, delivery.event.position);
    if (delivery.kind === 'checkpoint') this.position = later(this.position, delivery.position);
  }
}
