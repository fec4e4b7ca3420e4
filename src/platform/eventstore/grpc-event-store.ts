import { isCluster } from '@kyc/esdb-client/leader-search';
import { type Clock, systemClock } from '../../kernel/clock.js';
import { type NewEvent, type StoredEvent } from '../../kernel/events.js';
import { invariant } from '../../kernel/invariant.js';
import { Unavailable } from '../../kernel/unavailable.js';
import { AppendChannel, type Appends } from '@kyc/esdb-client/append-channel';
import { type ConnectionSettings, readConnectionString } from '@kyc/esdb-client/connection-settings';
import {
  type AllSubscriptionOptions,
  type ExpectedRevision,
  type RecordSubscriptionOptions,
} from '@kyc/esdb-client/requests';
import {
  AppendRefused,
  type AppendOptions,
  type AppendResult,
  type Delivery,
  EventStore,
  type ReadOptions,
  WrongExpectedRevision,
} from './event-store.js';
import { type EventStoreClient } from '../config/config.js';
import { deliveriesOf, failed, storedEvents, translated } from './in-our-terms.js';
import { HealthProbe, probeBudgetOf } from '../health-probe.js';
import { Http2Appends } from '@kyc/esdb-client/http2-appends';
import { Http2Connection, type KeepAlive } from '@kyc/esdb-client/http2-connection';
import { Http2Reads } from '@kyc/esdb-client/http2-reads';
import { NodeClient } from '@kyc/esdb-client/node-client';
import { OfficialAppends } from '@kyc/esdb-client/official-appends';
import { OfficialReads } from '@kyc/esdb-client/official-reads';
import { onlyWanted, type Reads } from '@kyc/esdb-client/reads';
import { type LogRecord } from '@kyc/esdb-client/events';
import { truncateStream } from '@kyc/esdb-client/truncation';

export interface GrpcEventStoreOptions {
  /** `esdb://` or `esdb+discover://`, or with `kurrentdb`, `kurrent` or `kdb` in place of `esdb`. */
  readonly connectionString: string;
  /** `official`: appends, reads and subscriptions go through @eventstore/db-client too (default `direct`). */
  readonly client?: EventStoreClient;
  readonly clock?: Clock;
  /** Default budget of a call, in milliseconds (1,500). */
  readonly budgetMs?: number;
  /** Interval of the health probe, in milliseconds (500). */
  readonly probeEveryMs?: number;
  /** Pings of the `direct` client's connections (every 10 s, answered within 5 s). */
  readonly keepAlive?: KeepAlive;
}

const PAGE_SIZE = 500;
/** Milliseconds that a failed append says something of the store: an idle one may be well again. */
const FAILURE_COUNTS_FOR = 60_000;

/** Window of a catch-up. It is large, so that the store need not wait for each acknowledgement. */
const READ_WINDOW_BYTES = 1024 * 1024;

/**
 * The event store over gRPC. Appends, reads and subscriptions use HTTP/2 connections of our own. All other calls, and
 * the search for the node, use @eventstore/db-client. A process needs only one.
 */
export class GrpcEventStore extends EventStore {
  private readonly settings: ConnectionSettings;
  private readonly budgetMs: number;
  private readonly appends: Appends;
  private readonly reads: Reads;
  /** The official client does not give stored bytes. The connection opens with its first call. */
  private readonly records: Http2Reads;
  private readonly probe: HealthProbe;
  private readonly keepAlive: KeepAlive | undefined;
  private readonly clock: Clock;
  private client: NodeClient;
  private described: { readonly by: NodeClient; readonly server: string } | undefined;
  private failingSince: Date | undefined;
  /** On the monotonic clock. */
  private lastFailedAt = -Infinity;

  constructor(options: GrpcEventStoreOptions) {
    super();
    this.clock = options.clock ?? systemClock;
    this.settings = readConnectionString(options.connectionString);
    this.budgetMs = options.budgetMs ?? 1_500;
    this.keepAlive = options.keepAlive;
    this.client = new NodeClient(this.settings);
    // Reads have a connection of their own, so that no catch-up delays the answers to appends.
    this.records = new Http2Reads(this.connection(READ_WINDOW_BYTES));
    if (options.client === 'official') {
      this.appends = new OfficialAppends(() => this.client);
      this.reads = new OfficialReads(() => this.client);
    } else {
      this.appends = new AppendChannel(new Http2Appends(this.connection()));
      this.reads = this.records;
    }
    this.probe = new HealthProbe({
      clock: this.clock,
      probe: () => this.ask(),
      lastReplyAt: () => this.lastReplyAt,
      renew: () => this.renew(),
      // Of a cluster another node may lead by then.
      ...(isCluster(this.settings.membership) ? { renewAfter: 1 } : {}),
      ...(options.probeEveryMs === undefined ? {} : { intervalMs: options.probeEveryMs }),
    });
  }

  get healthy(): boolean {
    return this.probe.healthy;
  }

  override get server(): string | undefined {
    return this.described?.server;
  }

  override get appendsFailSince(): Date | undefined {
    const isRecent = performance.now() - this.lastFailedAt < FAILURE_COUNTS_FOR;
    return isRecent ? this.failingSince : undefined;
  }

  override get sinceLastReplyMs(): number {
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
    const outcome = await this.appends
      .append(stream, events, expected, options.budgetMs ?? this.budgetMs)
      .catch((error: unknown) => {
        this.failingSince = this.appendsFailSince ?? this.clock.now();
        this.lastFailedAt = performance.now();
        return failed(error);
      });
    if (outcome.kind !== 'refused') this.failingSince = undefined;
    if (outcome.kind === 'wrong_revision') throw new WrongExpectedRevision(stream, expected, outcome.actual);
    if (outcome.kind === 'refused') throw new AppendRefused(stream, outcome.reason);
    // A store may omit the position from its answer to a repeated append. The head of the log lies at or after it.
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
    return deliveriesOf(onlyWanted(this.reads.subscribeToAll(options), options));
  }

  override subscribeToRecords(options: RecordSubscriptionOptions): AsyncIterable<readonly Delivery<LogRecord>[]> {
    this.assertHealthy();
    return translated(this.records.subscribeToRecords(options));
  }

  override readRecord(stream: string, revision: bigint): Promise<LogRecord | undefined> {
    this.assertHealthy();
    return this.records.readRecord(stream, revision, this.budgetMs).catch(failed);
  }

  override async truncateBefore(stream: string, revision: bigint): Promise<void> {
    this.assertHealthy();
    await truncateStream(this.client, stream, revision, this.budgetMs).catch(failed);
  }

  head(): Promise<bigint | undefined> {
    this.assertHealthy();
    return this.lastPosition(this.budgetMs);
  }

  async close(): Promise<void> {
    this.probe.stop();
    this.appends.close();
    this.reads.close();
    this.records.close();
    await this.client.close();
  }

  private connection(windowBytes?: number): Http2Connection {
    const { keepAlive } = this;
    return new Http2Connection({
      settings: this.settings,
      resolve: () => this.client.endpoint(),
      connectionName: () => this.client.connectionName,
      ...(windowBytes === undefined ? {} : { windowBytes }),
      ...(keepAlive === undefined ? {} : { keepAlive }),
    });
  }

  private get lastReplyAt(): number {
    return Math.max(this.reads.lastReplyAt, this.appends.lastReplyAt);
  }

  private assertHealthy(): void {
    if (!this.probe.healthy) throw new Unavailable('event_store', { cause: new Error('the health probe fails') });
  }

  /** Opens a new connection. In a cluster it searches for the leader again. */
  private renew(): void {
    // A second search would begin where the first one did.
    if (this.client.searching) return;
    const before = this.client;
    this.client = new NodeClient(this.settings);
    this.appends.reset();
    this.reads.reset();
    this.records.reset();
    before.close().catch(() => undefined);
  }

  private async readPage(stream: string, options: ReadOptions & { maxCount: number }): Promise<StoredEvent[]> {
    this.assertHealthy();
    const { direction, from, maxCount, budgetMs = this.budgetMs } = options;
    const reading = { backwards: direction === 'backwards', from, maxCount };
    return storedEvents(await this.reads.readStream(stream, reading, budgetMs).catch(failed));
  }

  /** A server that was upgraded is another one behind a new connection. */
  private async ask(): Promise<void> {
    const by = this.client;
    await this.lastPosition(probeBudgetOf(this.budgetMs));
    if (this.described?.by === by) return;
    by.server().then(
      (server) => (this.described = { by, server }),
      () => undefined,
    );
  }

  private async lastPosition(budgetMs: number): Promise<bigint | undefined> {
    return (await this.reads.readLast(budgetMs).catch(failed))?.position;
  }
}
