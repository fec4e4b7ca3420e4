import { LRUCache } from 'lru-cache';
import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { type Clock } from '../kernel/clock.js';
import { type Recorded, tenantOfStream } from '../kernel/events.js';
import { type TenantId } from '../kernel/ids.js';
import { Unavailable } from '../kernel/unavailable.js';
import { AggregateStore } from '../log/append/aggregate-store.js';
import { type Aggregates } from '../log/append/aggregates.js';
import { EventStore } from '../platform/eventstore/event-store.js';
import { Follower, type FollowerLog, type Following } from '../log/follow/follower.js';
import { type Batch } from '../log/follow/page-buffer.js';
import { LOGGER } from '../observability/logging.js';
import { type Config } from '../platform/config/config.js';
import { CLOCK, CONFIG } from '../platform/tokens.js';
import { ApiKeyOwners } from './api-key-owners.js';
import { accountCategory } from './domain/account.category.js';
import { type AccountCommand } from './domain/account.commands.js';
import { ACCOUNT_STREAM_PREFIX, type AccountEvent, accountStream } from './domain/account.events.js';
import { type AccountRecord, applyStored } from './domain/account-record.js';

/** Most accounts kept in memory. A new one evicts the one loaded first. */
const MAX_ACCOUNTS = 20_000;
/** After so long a stall or silence of the store, deliveries may be missing. A change must take effect within 1 s. */
const MAX_STALL_MS = 900;
const TICK_MS = 200;
/** How long a record just read from its stream is trusted while there is no live subscription. */
const TRUST_AFTER_READ_MS = 400;

interface Entry {
  readonly record: AccountRecord;
  /** Time of the last read of its stream, on Clock.monotonic. */
  readAt: number;
}

interface Load {
  readonly promise: Promise<AccountRecord | undefined>;
  /** The highest revision known to exist. A read that ends below it is repeated. */
  atLeast: bigint;
}

/**
 * Keeps the accounts that this instance has read in memory. A live subscription to the account streams updates them.
 * While the subscription is down or the process stalls, a record is read again before it is trusted. So every
 * instance refuses a revoked key or a suspended account within a second.
 */
@Injectable()
export class AccountDirectory implements Following, OnApplicationBootstrap, OnApplicationShutdown {
  readonly name = 'accounts';
  private readonly accounts: Aggregates<AccountRecord, AccountCommand, AccountEvent>;
  private readonly entries = new LRUCache<TenantId, Entry>({ max: MAX_ACCOUNTS });
  private readonly loads = new Map<TenantId, Load>();
  private readonly follower: Follower;
  private ticker: NodeJS.Timeout | undefined;
  private lastTick = 0;
  /** An undefined position means the beginning of an empty log. */
  private followedTo: { readonly position: bigint | undefined } | undefined;
  private generation = 0;
  private appendedTo: bigint | undefined;

  constructor(
    private readonly store: EventStore,
    aggregates: AggregateStore,
    private readonly owners: ApiKeyOwners,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) log: FollowerLog,
    @Inject(CONFIG) private readonly config: Pick<Config, 'timing'>,
  ) {
    this.accounts = aggregates.of(accountCategory);
    this.follower = new Follower(this, { store, log });
  }

  onApplicationBootstrap(): void {
    this.lastTick = this.clock.monotonic();
    this.ticker = setInterval(() => this.tick(), TICK_MS);
    this.ticker.unref();
    this.follower.start();
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.ticker);
    await this.follower.stop();
  }

  readonly pages: Following['pages'] = (store, after, signal) =>
    store.subscribeToAllInPages({ streamPrefixes: [ACCOUNT_STREAM_PREFIX], after, signal });

  /** The first time it clears the records read earlier: they may lack an event before the first position. */
  begin(head: bigint | undefined): Promise<bigint | undefined> {
    if (this.followedTo === undefined) {
      this.generation += 1;
      this.entries.clear();
      this.owners.learnsAfter(head);
      this.followedTo = { position: head };
    }
    return Promise.resolve(this.followedTo.position);
  }

  take({ events, position }: Batch): Promise<void> {
    for (const event of events) this.delivered(event as Recorded<AccountEvent>);
    if (position !== undefined) this.followedTo = { position };
    return Promise.resolve();
  }

  private get live(): boolean {
    return this.follower.state === 'live';
  }

  /** Whether this instance learns of changes made elsewhere within a second. */
  get current(): boolean {
    const ran = this.clock.monotonic() - this.lastTick <= MAX_STALL_MS;
    return ran && this.live && this.store.healthy && this.store.sinceLastReplyMs <= MAX_STALL_MS;
  }

  /** The record if it needs no read. Every authenticated request takes this path. */
  trusted(tenantId: TenantId): AccountRecord | undefined {
    const entry = this.entries.get(tenantId);
    if (entry === undefined) return undefined;
    return this.current || this.wasReadJustNow(entry) ? entry.record : undefined;
  }

  /** The account, or undefined if there is none. Throws Unavailable if its stream cannot be read. */
  async find(tenantId: TenantId): Promise<AccountRecord | undefined> {
    return this.trusted(tenantId) ?? this.load(tenantId);
  }

  /** Notes an append of this instance to the account's stream. From then on no older record is returned. */
  appended({ tenantId, revision }: AccountRecord, position: bigint, events: readonly AccountEvent[]): void {
    for (const event of events) this.learnKey(tenantId, event);
    if (this.appendedTo === undefined || this.appendedTo < position) this.appendedTo = position;
    const entry = this.entries.get(tenantId);
    if (entry !== undefined && entry.record.revision < revision) this.entries.delete(tenantId);
    this.expect(tenantId, revision);
  }

  /** Log position of this instance's last append to an account. */
  get lastAppended(): bigint | undefined {
    return this.appendedTo;
  }

  private wasReadJustNow(entry: Entry): boolean {
    return this.clock.monotonic() - entry.readAt <= TRUST_AFTER_READ_MS;
  }

  private load(tenantId: TenantId): Promise<AccountRecord | undefined> {
    const running = this.loads.get(tenantId);
    if (running !== undefined) return running.promise;
    const promise = this.read(tenantId).finally(() => this.loads.delete(tenantId));
    this.loads.set(tenantId, { promise, atLeast: -1n });
    return promise;
  }

  private async read(tenantId: TenantId): Promise<AccountRecord | undefined> {
    const generation = this.generation;
    const deadline = this.clock.monotonic() + this.config.timing.storeBudget;
    // While other processes append, a read may already be out of date when it ends.
    while (this.clock.monotonic() < deadline) {
      const known = this.entries.get(tenantId)?.record;
      const readAt = this.clock.monotonic();
      const record = known ?? (await this.accounts.load(accountStream(tenantId))).state;
      const complete = known === undefined || (await this.catchUp(known));
      if (!complete || record.revision < (this.loads.get(tenantId)?.atLeast ?? -1n)) continue;
      if (record.revision < 0n) return undefined;
      if (generation === this.generation) this.keep({ record, readAt });
      return record;
    }
    throw new Unavailable('event_store');
  }

  private async catchUp(record: AccountRecord): Promise<boolean> {
    const from = record.revision + 1n;
    for await (const page of this.store.readPages(accountStream(record.tenantId), { from })) {
      if (!page.every((event) => applyStored(record, event as Recorded<AccountEvent>))) return false;
    }
    return true;
  }

  private keep(entry: Entry): void {
    const { tenantId } = entry.record;
    this.entries.delete(tenantId);
    this.entries.set(tenantId, entry);
  }

  private expect(tenantId: TenantId, revision: bigint): void {
    const load = this.loads.get(tenantId);
    if (load !== undefined && load.atLeast < revision) load.atLeast = revision;
  }

  private learnKey(tenantId: TenantId, event: AccountEvent): void {
    if (event.type === 'ApiKeyIssued.v1') this.owners.learn(event.data.keyId, tenantId);
  }

  private delivered(stored: Recorded<AccountEvent>): void {
    const tenantId = tenantOfStream(stored.stream) as TenantId;
    this.learnKey(tenantId, stored);
    const entry = this.entries.get(tenantId);
    if (entry !== undefined && !applyStored(entry.record, stored)) this.entries.delete(tenantId);
    this.expect(tenantId, stored.revision);
  }

  /**
   * Subscribes again after a stall or while the store is unhealthy. After a stall, deliveries are still to come. An
   * unhealthy store may have dropped some.
   */
  private tick(): void {
    const now = this.clock.monotonic();
    if (now - this.lastTick > MAX_STALL_MS || (this.live && !this.store.healthy)) this.follower.restart();
    this.lastTick = now;
  }
}
