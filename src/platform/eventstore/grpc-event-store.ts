import {
  AccessDeniedError,
  BACKWARDS,
  END,
  FORWARDS,
  type ResolvedEvent,
  START,
  StreamDeletedError,
  StreamNotFoundError,
  type StreamingRead,
} from '@eventstore/db-client';
import { type Clock, systemClock } from '../../kernel/clock.js';
import { type NewEvent, type StoredEvent } from '../../kernel/events.js';
import { invariant } from '../../kernel/invariant.js';
import { Unavailable } from '../../kernel/unavailable.js';
import { AppendChannel } from './append-channel.js';
import { type ConnectionSettings, readConnectionString } from './connection-settings.js';
import { deliverAll, toStoredEvent } from './deliveries.js';
import {
  type AllSubscriptionOptions,
  AppendRefused,
  type AppendOptions,
  type AppendResult,
  type Delivery,
  EventStore,
  type ExpectedRevision,
  type ReadOptions,
  WrongExpectedRevision,
} from './event-store.js';
import { HealthProbe } from '../health-probe.js';
import { NodeClient } from './node-client.js';
import { truncateStream } from './truncation.js';

export interface GrpcEventStoreOptions {
  /** `esdb://` or `esdb+discover://`, as @eventstore/db-client takes it. */
  readonly connectionString: string;
  readonly clock?: Clock;
  /** Default budget of a call, milliseconds (1,500). */
  readonly budgetMs?: number;
  /** How often the store is asked whether it is there, milliseconds (500). */
  readonly probeEveryMs?: number;
}

const PAGE_SIZE = 500;
const PROBE_BUDGET_MS = 1_000;

/**
 * The event store over gRPC: reads and subscriptions by @eventstore/db-client, appends over a BatchAppend call of our
 * own on the same connection. One in a process is enough and all that is meant.
 */
export class GrpcEventStore extends EventStore {
  private readonly settings: ConnectionSettings;
  private readonly budgetMs: number;
  private readonly channel: AppendChannel;
  private readonly probe: HealthProbe;
  private client: NodeClient;
  private readAt = 0;

  constructor(options: GrpcEventStoreOptions) {
    super();
    const clock = options.clock ?? systemClock;
    this.settings = readConnectionString(options.connectionString);
    this.budgetMs = options.budgetMs ?? 1_500;
    this.client = new NodeClient(this.settings);
    this.channel = new AppendChannel(() => this.client.openAppendCall());
    this.probe = new HealthProbe({
      clock,
      probe: () => this.lastPosition(PROBE_BUDGET_MS),
      lastReplyAt: () => this.lastReplyAt,
      renew: () => this.renew(),
      ...(options.probeEveryMs === undefined ? {} : { intervalMs: options.probeEveryMs }),
    });
  }

  get healthy(): boolean {
    return this.probe.healthy;
  }

  override get silentFor(): number {
    return performance.now() - this.lastReplyAt;
  }

  async append(
    stream: string,
    events: readonly NewEvent[],
    expected: ExpectedRevision,
    options: AppendOptions = {},
  ): Promise<AppendResult> {
    invariant(events.length > 0, 'an append has events');
    this.assertHealthy();
    const outcome = await this.channel.append(stream, events, expected, options.budgetMs ?? this.budgetMs);
    if (outcome.kind === 'wrong_revision') throw new WrongExpectedRevision(stream, expected, outcome.actual);
    if (outcome.kind === 'refused') throw new AppendRefused(stream, outcome.reason);
    // A store may leave the position out of its answer to a repeated append; the head lies at or after it.
    return { revision: outcome.revision, position: outcome.position ?? (await this.head()) ?? 0n };
  }

  async read(stream: string, options: ReadOptions = {}): Promise<StoredEvent[]> {
    const events: StoredEvent[] = [];
    for await (const page of this.readPages(stream, options)) events.push(...page);
    return events;
  }

  async *readPages(stream: string, options: ReadOptions = {}): AsyncGenerator<readonly StoredEvent[]> {
    let { from } = options;
    let wanted = options.maxCount ?? Infinity;
    while (wanted > 0) {
      const size = Math.min(PAGE_SIZE, wanted);
      const page = await this.readPage(stream, { ...options, ...(from === undefined ? {} : { from }), maxCount: size });
      if (page.length > 0) yield page;
      const last = page.at(-1);
      if (last === undefined || page.length < size) return;
      wanted -= page.length;
      from = options.direction === 'backwards' ? last.revision - 1n : last.revision + 1n;
      if (from < 0n) return;
    }
  }

  async *subscribeToAll(options: AllSubscriptionOptions): AsyncGenerator<Delivery> {
    for await (const page of this.subscribeToAllInPages(options)) yield* page;
  }

  override subscribeToAllInPages(options: AllSubscriptionOptions): AsyncIterable<readonly Delivery[]> {
    this.assertHealthy();
    return deliverAll(this.client, options);
  }

  override async truncateBefore(stream: string, revision: bigint): Promise<void> {
    this.assertHealthy();
    await truncateStream(this.client, stream, revision, this.budgetMs);
  }

  head(): Promise<bigint | undefined> {
    this.assertHealthy();
    return this.lastPosition(this.budgetMs);
  }

  async close(): Promise<void> {
    this.probe.stop();
    this.channel.close();
    await this.client.close();
  }

  private get lastReplyAt(): number {
    return Math.max(this.readAt, this.channel.lastReplyAt);
  }

  private assertHealthy(): void {
    if (!this.probe.healthy) throw new Unavailable('event_store', { cause: new Error('the health probe fails') });
  }

  /** A new connection, with a new search for the leader where the store is a cluster. */
  private renew(): void {
    const before = this.client;
    this.client = new NodeClient(this.settings);
    this.channel.reset();
    before.close().catch(() => undefined);
  }

  private async readPage(stream: string, options: ReadOptions & { maxCount: number }): Promise<StoredEvent[]> {
    this.assertHealthy();
    const backwards = options.direction === 'backwards';
    const reading = this.client.readStream(stream, {
      direction: backwards ? BACKWARDS : FORWARDS,
      fromRevision: options.from ?? (backwards ? END : START),
      maxCount: options.maxCount,
    });
    return this.collect(reading, options.budgetMs ?? this.budgetMs);
  }

  private async lastPosition(budgetMs: number): Promise<bigint | undefined> {
    const reading = this.client.readAll({ direction: BACKWARDS, fromPosition: END, maxCount: 1 });
    return (await this.collect(reading, budgetMs))[0]?.position;
  }

  private async collect(reading: StreamingRead<ResolvedEvent>, budgetMs: number): Promise<StoredEvent[]> {
    // An error that comes after the iteration ended has no listener but this one, and would end the process.
    reading.on('error', () => undefined);
    const timer = setTimeout(() => reading.destroy(new Error(`no answer within ${budgetMs} ms`)), budgetMs);
    const events: StoredEvent[] = [];
    try {
      for await (const { event, commitPosition } of reading) {
        if (event !== undefined) events.push(toStoredEvent(event, commitPosition));
      }
      this.readAt = performance.now();
      return events;
    } catch (error) {
      if (error instanceof StreamNotFoundError || error instanceof StreamDeletedError) return [];
      if (error instanceof AccessDeniedError) throw error;
      throw new Unavailable('event_store', { cause: error });
    } finally {
      clearTimeout(timer);
      reading.cancel().catch(() => undefined);
    }
  }
}
