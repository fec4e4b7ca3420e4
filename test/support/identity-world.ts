import { aggregatesOf } from './aggregates.js';
import { pino } from 'pino';
import { type ReadModels } from '../../src/log/project/projection.js';
import { type IngestionKey, EligibilityQueries } from '../../projections/eligibility/eligibility.queries.js';
import { entryIdOf } from '../../src/audit/domain/audit.events.js';
import { type AuditBatch, type AuditEntry, AuditTrail } from '../../src/kernel/access.js';
import { type NewEvent } from '../../src/kernel/events.js';
import { newTenantId, newUuid, type TenantId } from '../../src/kernel/ids.js';
import { type Job, JobQueue } from '../../src/kernel/jobs.js';
import { type Unavailable } from '../../src/kernel/unavailable.js';
import { AcceptIngestionHandler } from '../../src/identity/accept-ingestion.handler.js';
import {
  type AcceptedIngestion,
  AcceptIngestion,
  type PersonalData,
  ProcessIngestion,
  type SuppliedRecord,
} from '../../src/identity/commands.js';
import { type IdentityCommand } from '../../src/identity/domain/identity.commands.js';
import { identityStream, PERSONAL_FIELD } from '../../src/identity/domain/identity.events.js';
import { type Identity } from '../../src/identity/domain/identity.js';
import { type RecordError } from '../../src/identity/domain/ingestion.events.js';
import { type Ingestion } from '../../src/identity/domain/ingestion.js';
import { IdentityRepository } from '../../src/identity/identity-repository.js';
import { IngestionRepository } from '../../src/identity/ingestion-repository.js';
import { IngestionJobs } from '../../src/identity/ingestion-jobs.js';
import { ProcessIngestionHandler } from '../../src/identity/process-ingestion.handler.js';
import { type Envelope } from '../../src/kernel/envelope.js';
import { HmacKeyedHashes } from '../../src/platform/crypto/keyed-hashes.js';
import { type DataKey, ERASED, type Place, Vault } from '../../src/platform/crypto/vault.js';
import { type ExpectedRevision } from '@kyc/esdb-client/requests';
import { type AppendOptions, type AppendResult } from '../../src/platform/eventstore/event-store.js';
import { type Snapshots } from '../../src/log/append/snapshots.js';
import { LegibleVault } from './accounts-world.js';
import { ManualClock } from './manual-clock.js';
import { Hold } from './hold.js';
import { MemorySnapshots } from './memory-snapshots.js';
import { SimulatedEventStore, type SimulationOptions } from './simulated-event-store.js';
import { Metrics } from '../../src/observability/metrics.js';

/** The simulated store. A test can hold the next append that begins with an event of a given type. */
class HoldingEventStore extends SimulatedEventStore {
  private readonly holds = new Map<string, Hold>();

  hold(type: string): Hold {
    const hold = new Hold();
    this.holds.set(type, hold);
    return hold;
  }

  override async append(
    stream: string,
    events: readonly NewEvent[],
    expected: ExpectedRevision,
    options?: AppendOptions,
  ): Promise<AppendResult> {
    const type = events[0]?.type ?? '';
    const hold = this.holds.get(type);
    this.holds.delete(type);
    await hold?.pass();
    return super.append(stream, events, expected, options);
  }
}

/** Seals in readable form, with one key for each person until its destruction. */
export class PersonVault extends Vault {
  /** The error of every key look-up, where set. */
  outage: Unavailable | undefined;
  /** Holds the next look-up of a person's key. */
  hold: Hold | undefined;
  private readonly legible = new LegibleVault();
  private readonly destroyed = new Set<string>();
  private readonly keys = new Map<string, DataKey>();

  tenantKey(tenantId: TenantId): Promise<DataKey> {
    return this.legible.tenantKey(tenantId);
  }

  async subjectKey(tenantId: TenantId, identityId: string): Promise<DataKey> {
    const { hold } = this;
    this.hold = undefined;
    await hold?.pass();
    if (this.outage !== undefined) throw this.outage;
    const name = `${tenantId} ${identityId}`;
    const key = this.keys.get(name) ?? { id: newUuid() };
    this.keys.set(name, key);
    return key;
  }

  answerKey(tenantId: TenantId, email: string, phone: string): Promise<DataKey> {
    return this.subjectKey(tenantId, `${email} ${phone}`);
  }

  seal(key: DataKey, place: Place, value: unknown): Envelope {
    return this.legible.seal(key, place, value);
  }

  open(place: Place, envelope: Envelope): Promise<unknown> {
    if (this.outage !== undefined) return Promise.reject(this.outage);
    return this.destroyed.has(envelope.key) ? Promise.resolve(ERASED) : this.legible.open(place, envelope);
  }

  destroy(keyIds: readonly string[]): void {
    for (const id of keyIds) this.destroyed.add(id);
    for (const [name, { id }] of this.keys) if (this.destroyed.has(id)) this.keys.delete(name);
  }
}

export class RecordingAuditTrail extends AuditTrail {
  /** The error of every recording, where set. */
  outage: Unavailable | undefined;
  readonly entries = new Map<string, AuditEntry>();

  record(entry: AuditEntry): Promise<void> {
    if (this.outage !== undefined) return Promise.reject(this.outage);
    this.entries.set(entry.entryId, entry);
    return Promise.resolve();
  }

  async recordBatch({ batchId, entries, ...common }: AuditBatch): Promise<void> {
    for (const { index, identityHash } of entries)
      await this.record({ ...common, entryId: entryIdOf(batchId, index), identityHash });
  }

  seal(): never {
    throw new Error('identities charge for nothing');
  }

  recordedAt(): never {
    throw new Error('identities charge for nothing');
  }
}

/** A queue that loses every job. Only tests look at the jobs it received. */
class LosingQueue extends JobQueue {
  readonly given: Job[] = [];

  enqueue(_queue: string, job: Job): Promise<void> {
    this.given.push(job);
    return Promise.resolve();
  }

  work(): void {
    throw new Error('tests run jobs themselves');
  }

  override depths(): Promise<ReadonlyMap<string, never>> {
    return Promise.resolve(new Map<string, never>());
  }
  health(): Promise<'up' | 'degraded'> {
    return Promise.resolve('up');
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

class EmptyIndex extends EligibilityQueries {
  constructor() {
    super({} as ReadModels);
  }

  override status(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  override due(): Promise<readonly IngestionKey[]> {
    return Promise.resolve([]);
  }
}

const CAUSE = { requestId: '0123456789abcdef', actor: { type: 'tenant', id: 'key-1' } } as const;

/** The configuration of notices, as by default. */
export const NOTICES = { noticeDays: { first: 30, last: 7 } } as const;

export const person = (name = 'maria'): PersonalData => ({
  email: `${name}@example.org`,
  phone_number: '+12025550123',
  full_name: name,
});

export const supplied = (changes: Partial<SuppliedRecord> = {}): SuppliedRecord => ({
  recordIndex: 0,
  personal: person(),
  kycStatus: 'APPROVED',
  tier: 'Tier2',
  kycExpiresAt: undefined,
  ...changes,
});

/** The identity slice over an event store in memory, with access to every part. */
export class IdentityWorld<PossibleVault extends Vault = PersonVault> {
  readonly tenantId: TenantId;
  readonly vault: PossibleVault;
  readonly hashes: HmacKeyedHashes;
  readonly clock = new ManualClock();
  readonly audit = new RecordingAuditTrail();
  readonly queue = new LosingQueue();
  readonly store: HoldingEventStore;
  readonly snapshots: Snapshots;
  readonly identities: IdentityRepository;
  readonly ingestions: IngestionRepository;
  private readonly accepting: AcceptIngestionHandler;
  private readonly processing: ProcessIngestionHandler;

  /** `like`: a world whose tenant and keys this one takes over. */
  constructor(
    options: SimulationOptions = {},
    like: Partial<Pick<IdentityWorld<PossibleVault>, 'tenantId' | 'vault' | 'hashes' | 'snapshots'>> = {},
  ) {
    this.tenantId = like.tenantId ?? newTenantId();
    this.hashes = like.hashes ?? new HmacKeyedHashes(Buffer.alloc(32, 1));
    this.vault = like.vault ?? (new PersonVault() as Vault as PossibleVault);
    this.store = new HoldingEventStore(options);
    this.snapshots = like.snapshots ?? new MemorySnapshots();
    const aggregates = aggregatesOf(this.store, this.clock, this.snapshots);
    this.identities = new IdentityRepository(aggregates);
    this.ingestions = new IngestionRepository(aggregates);
    // The jobs never execute a command in these tests, so the bus is left out.
    const jobs = new IngestionJobs(this.queue, new EmptyIndex(), undefined as never, this.clock, new Metrics());
    this.accepting = new AcceptIngestionHandler(this.vault, this.hashes, this.ingestions, this.audit, jobs, this.clock);
    this.processing = new ProcessIngestionHandler(
      this.vault,
      this.ingestions,
      this.identities,
      this.clock,
      pino({ level: 'silent' }),
    );
  }

  accept(
    records: readonly SuppliedRecord[],
    ingestionId = newUuid(),
    errors: readonly RecordError[] = [],
  ): Promise<AcceptedIngestion> {
    return this.accepting.execute(
      new AcceptIngestion({
        tenantId: this.tenantId,
        ingestionId,
        kind: records.length + errors.length === 1 ? 'single' : 'batch',
        recordsReceived: records.length + errors.length,
        records,
        errors,
        access: {
          requestId: CAUSE.requestId,
          ipAddress: '127.0.0.1',
          userAgent: 'test',
          actorId: 'key-1',
          startedAt: 0,
        },
      }),
    );
  }

  process(ingestionId: string): Promise<void> {
    return this.processing.execute(new ProcessIngestion({ tenantId: this.tenantId, ingestionId }));
  }

  /** Accepts and processes one record. */
  async ingest(record: SuppliedRecord): Promise<Ingestion> {
    const { ingestionId } = await this.accept([record]);
    await this.process(ingestionId);
    return this.ingestion(ingestionId);
  }

  async ingestion(ingestionId: string): Promise<Ingestion> {
    return (await this.ingestions.load(this.tenantId, ingestionId)).state;
  }

  identityId({ email, phone_number: phone }: PersonalData = person()): string {
    return this.hashes.identityId(this.tenantId, email, phone);
  }

  async identity(of: PersonalData = person()): Promise<Identity> {
    return (await this.identities.load(this.tenantId, this.identityId(of))).state.identity;
  }

  async command(command: (identityId: string) => IdentityCommand, of: PersonalData = person()): Promise<Identity> {
    const identityId = this.identityId(of);
    const target = { tenantId: this.tenantId, identityId };
    return (await this.identities.execute(target, command(identityId), CAUSE)).state.identity;
  }

  /** The content of an identity's newest record. */
  async record(of: PersonalData = person()): Promise<unknown> {
    const stream = identityStream(this.tenantId, this.identityId(of));
    const events = (this.store.streams.get(stream) ?? []).filter(({ data }) => PERSONAL_FIELD in (data as object));
    const latest = events.at(-1);
    if (latest === undefined) return undefined;
    const place = { tenantId: this.tenantId, stream, eventId: latest.id, field: PERSONAL_FIELD };
    return this.vault.open(place, (latest.data as { personal: Envelope }).personal);
  }
}
