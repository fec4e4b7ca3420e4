import { aggregatesOf } from '../support/aggregates.js';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import fc from 'fast-check';
import { auditPage } from '../../projections/ledger/audit-log.queries.js';
import { LoggedAuditTrail } from '../../src/audit/logged-audit-trail.js';
import { type AccessDetails, entryIdOf } from '../../src/audit/domain/audit.events.js';
import { WritePositions } from '../../src/log/append/write-positions.js';
import { AcceptIngestionHandler } from '../../src/identity/accept-ingestion.handler.js';
import { AcceptIngestion, ProcessIngestion } from '../../src/identity/commands.js';
import { IdentityRepository } from '../../src/identity/identity-repository.js';
import { type IngestionJobs } from '../../src/identity/ingestion-jobs.js';
import { IngestionRepository } from '../../src/identity/ingestion-repository.js';
import { ProcessIngestionHandler } from '../../src/identity/process-ingestion.handler.js';
import { newTenantId, newUuid, type TenantId } from '../../src/kernel/ids.js';
import { Unavailable } from '../../src/kernel/unavailable.js';
import { type Config } from '../../src/platform/config/config.js';
import { openVault, type OpenVault } from '../../src/platform/crypto/open-vault.js';
import { GrpcEventStore } from '../../src/platform/eventstore/grpc-event-store.js';
import { person, supplied } from '../support/identity-world.js';
import { RetentionWorld } from '../support/retention-world.js';

jest.setTimeout(180_000);

const WAIT_BUDGET_MS = 30_000;

/** A connection of a process that dies: nothing is written any more after so many appends, perhaps but the one under way. */
class DyingStore extends GrpcEventStore {
  constructor(
    connectionString: string,
    private appendsLeft: number,
    private lastLands: boolean,
  ) {
    super({ connectionString, budgetMs: WAIT_BUDGET_MS });
  }

  override async append(...parts: Parameters<GrpcEventStore['append']>): ReturnType<GrpcEventStore['append']> {
    this.appendsLeft -= 1;
    if (this.appendsLeft >= 0) return super.append(...parts);
    if (this.lastLands) {
      this.lastLands = false;
      await super.append(...parts);
    }
    throw new Unavailable('event_store');
  }
}

let world: RetentionWorld;
let vault: OpenVault;
let folder: string;

beforeAll(async () => {
  world = await RetentionWorld.open();
  folder = await mkdtemp(join(tmpdir(), 'audit-batches-'));
  const keys = { file: undefined, inline: undefined };
  vault = await openVault({ keys, dataDir: folder }, world.database, world.clock);
});

afterAll(async () => {
  vault.close();
  await world.close();
  await rm(folder, { recursive: true });
});

/** What one process ingests with. */
const processOver = (store: GrpcEventStore) => {
  const config = { timing: { storeBudget: WAIT_BUDGET_MS } } as Config;
  const aggregates = aggregatesOf(store, world.clock, world.snapshots);
  const trail = new LoggedAuditTrail(aggregates, vault.vault, vault.hashes, new WritePositions(), config);
  const ingestions = new IngestionRepository(aggregates);
  const jobs = { enqueue: () => Promise.resolve() } as unknown as IngestionJobs;
  const identities = new IdentityRepository(aggregates);
  const logger = { error: () => undefined } as never;
  return {
    accepting: new AcceptIngestionHandler(vault.vault, vault.hashes, ingestions, trail, jobs, world.clock),
    processing: new ProcessIngestionHandler(vault.vault, ingestions, identities, world.clock, logger),
  };
};

const people = (count: number) => Array.from({ length: count }, (_, index) => person(`p${index}`));

interface Upload {
  readonly tenantId: TenantId;
  readonly ingestionId: string;
  readonly count: number;
}

const batch = ({ tenantId, ingestionId, count }: Upload, userAgent: string): AcceptIngestion =>
  new AcceptIngestion({
    tenantId,
    ingestionId,
    kind: 'batch',
    recordsReceived: count,
    records: people(count).map((personal, recordIndex) => supplied({ recordIndex, personal })),
    errors: [],
    access: { requestId: newUuid(), ipAddress: '127.0.0.1', userAgent, actorId: 'key', startedAt: 0 },
  });

const newUpload = (count: number): Upload => ({ tenantId: newTenantId(), ingestionId: newUuid(), count });

/** The whole log as its callers see it, opened. */
const auditedBy = async (tenantId: TenantId, limit = 1_000) => {
  await world.caughtUp();
  const range = { tenantId, start: new Date(0), end: new Date('2100-01-01T00:00:00.000Z') };
  const { total, entries } = await auditPage(world.readModels, range, { limit, offset: 0 });
  const details = await Promise.all(
    entries.map(({ stream, eventId, access }) =>
      vault.vault.open({ tenantId, stream, eventId, field: 'access' }, access),
    ),
  );
  return { total, entries, details: details as AccessDetails[] };
};

const hashesOf = (count: number): string[] =>
  people(count).map(({ email, phone_number: phone }) => vault.hashes.identityHash(email, phone));

describe('the audit log of a batch', () => {
  it('shows an entry for each record, the last one first, which opens to whom and by whom it was', async () => {
    const upload = newUpload(20);
    await processOver(world.store).accepting.execute(batch(upload, 'loader'));
    expect(await world.store.read(`audit-${upload.tenantId}`)).toHaveLength(1);
    const { total, entries, details } = await auditedBy(upload.tenantId);
    expect(total).toBe(20);
    expect(entries.map(({ eventId }) => eventId)).toEqual(
      Array.from({ length: 20 }, (_, index) => entryIdOf(upload.ingestionId, index)).reverse(),
    );
    expect(details).toEqual(
      hashesOf(20)
        .reverse()
        .map((identityHash) => ({ identityHash, ipAddress: '127.0.0.1', userAgent: 'loader' })),
    );
  });

  it('stands in a few events, each small enough for the store, however long a caller names itself', async () => {
    const upload = newUpload(1_000);
    await processOver(world.store).accepting.execute(batch(upload, 'x'.repeat(512)));
    const events = await world.store.read(`audit-${upload.tenantId}`);
    expect(events.length).toBeLessThan(6);
    for (const { data, metadata } of events)
      expect(Buffer.byteLength(JSON.stringify(data)) + Buffer.byteLength(JSON.stringify(metadata))).toBeLessThan(
        256 * 1_024,
      );
    expect((await auditedBy(upload.tenantId)).total).toBe(1_000);
  });

  it('has each record exactly once, wherever in the batch a process died before another one went on', async () => {
    const count = 700;
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: 5 }), fc.boolean(), async (appends, lastLands) => {
        const upload = newUpload(count);
        const dying = new DyingStore(world.connectionString, appends, lastLands);
        await processOver(dying)
          .accepting.execute(batch(upload, 'x'.repeat(512)))
          .catch((error: unknown) => expect(error).toBeInstanceOf(Unavailable));
        await dying.close();
        const { accepting, processing } = processOver(world.store);
        await accepting.execute(batch(upload, 'another'));
        await processing.execute(new ProcessIngestion(upload));
        const { total, entries, details } = await auditedBy(upload.tenantId);
        expect(total).toBe(count);
        expect(new Set(entries.map(({ eventId }) => eventId)).size).toBe(count);
        expect(new Set(details.map(({ identityHash }) => identityHash))).toEqual(new Set(hashesOf(count)));
      }),
      {
        numRuns: 6,
        examples: [
          [1, false],
          [0, true],
        ],
      },
    );
    await world.expectRebuildEqual();
  });
});
