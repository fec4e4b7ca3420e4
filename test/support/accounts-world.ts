import { type Envelope } from '../../src/kernel/envelope.js';
import { type StoredEvent } from '../../src/kernel/events.js';
import { newUuid, type TenantId } from '../../src/kernel/ids.js';
import { type AccountPage, AccountQueries } from '../../projections/accounts/accounts.queries.js';
import { type ReadModels } from '../../src/log/project/projection.js';
import { Unavailable } from '../../src/kernel/unavailable.js';
import { type DataKey, type Place, Vault } from '../../src/platform/crypto/vault.js';
import { type AllSubscriptionOptions } from '@kyc/esdb-client/requests';
import { type Delivery } from '../../src/platform/eventstore/event-store.js';
import { SimulatedEventStore, type SimulationOptions } from './simulated-event-store.js';

/** The simulated store with live subscriptions. A test can break or pause them. */
export class LiveEventStore extends SimulatedEventStore {
  /** Stops all deliveries, like a server that hangs. */
  held = false;
  /** The results of reads are delayed until this resolves. */
  answering: Promise<void> = Promise.resolve();
  reads = 0;
  /** Number of reads with a result that is not delivered yet. */
  underWay = 0;
  /** Position of the last event that a subscriber has handled. */
  handled = 0n;
  subscriptions = 0;
  private broken = false;

  constructor(options: SimulationOptions = {}) {
    super(options);
  }

  /** Ends every subscription with an error. While `down`, new ones fail too. */
  breakSubscriptions(down: boolean): void {
    this.broken = down;
    this.subscriptions = 0;
    this.breaking += 1;
  }
  private breaking = 0;

  override async read(...args: Parameters<SimulatedEventStore['read']>): Promise<StoredEvent[]> {
    this.reads += 1;
    const events = await super.read(...args);
    this.underWay += 1;
    await this.answering;
    this.underWay -= 1;
    return events;
  }

  override async *subscribeToAll(options: AllSubscriptionOptions): AsyncIterable<Delivery> {
    const { after, streamPrefixes, eventTypes, signal } = options;
    const breaking = this.breaking;
    let position = after ?? 0n;
    let live = false;
    if (!this.broken) this.subscriptions += 1;
    while (signal?.aborted !== true) {
      if (this.broken || breaking !== this.breaking) throw new Unavailable('event_store');
      const next = this.held ? undefined : this.after(position, streamPrefixes);
      if (next !== undefined) {
        position = next.position;
        if (eventTypes?.includes(next.type) !== false) yield { kind: 'event', event: next };
        this.handled = position;
      } else if (!live && !this.held) {
        live = true;
        yield { kind: 'caught_up' };
      } else {
        await new Promise((resume) => setTimeout(resume, 1));
      }
    }
  }

  private after(position: bigint, prefixes: readonly string[]): StoredEvent | undefined {
    return [...this.streams.entries()]
      .filter(([stream]) => prefixes.some((prefix) => stream.startsWith(prefix)))
      .flatMap(([, events]) => events)
      .filter((event) => event.position > position)
      .sort((left, right) => Number(left.position - right.position))[0];
  }
}

/** Seals in readable form. Opens an envelope only at the place that it was sealed for. */
export class LegibleVault extends Vault {
  tenantKey(tenantId: TenantId): Promise<DataKey> {
    return Promise.resolve({ id: tenantId });
  }

  subjectKey(): Promise<DataKey> {
    return Promise.resolve({ id: newUuid() });
  }

  answerKey(): Promise<DataKey> {
    return Promise.resolve({ id: newUuid() });
  }

  seal(key: DataKey, place: Place, value: unknown): Envelope {
    return { v: 1, alg: 'A256GCM', key: key.id, iv: JSON.stringify(place), ct: JSON.stringify(value) };
  }

  open(place: Place, envelope: Envelope): Promise<unknown> {
    if (envelope.iv !== JSON.stringify(place)) return Promise.reject(new Error('sealed for another place'));
    return Promise.resolve(JSON.parse(envelope.ct) as unknown);
  }
}

/** An index of accounts that a test fills by hand. */
export class ManualIndex extends AccountQueries {
  readonly owners = new Map<string, readonly TenantId[]>();
  readonly lookedUpKeyIds: string[] = [];
  questions = 0;
  caughtUp = true;

  constructor() {
    super({} as ReadModels);
  }

  override accountsWithKeys(keyIds: readonly string[]): Promise<ReadonlyMap<string, readonly TenantId[]>> {
    this.lookedUpKeyIds.push(...keyIds);
    this.questions += 1;
    return Promise.resolve(new Map(keyIds.map((keyId) => [keyId, this.owners.get(keyId) ?? []])));
  }

  override page(): Promise<AccountPage> {
    return Promise.resolve({ tenantIds: [], total: 0 });
  }

  override reaches(): Promise<boolean> {
    return Promise.resolve(this.caughtUp);
  }
}
