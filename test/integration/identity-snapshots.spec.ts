import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EligibilityQueries } from '../../projections/eligibility/eligibility.queries.js';
import { ApplyRetentionHandler } from '../../src/identity/apply-retention.handler.js';
import { ApplyRetention } from '../../src/identity/commands.js';
import { GRACE_PERIOD } from '../../src/identity/domain/identity.js';
import { ErasureCertificates } from '../../src/identity/erasure-certificates.js';
import { IdentityEraser, surelyForgottenWithin } from '../../src/identity/identity-eraser.js';
import { type Config } from '../../src/platform/config/config.js';
import { DataKeyShredder } from '../../src/platform/crypto/data-key-shredder.js';
import { openVault, type OpenVault } from '../../src/platform/crypto/open-vault.js';
import { SigningKeys } from '../../src/platform/crypto/signing-keys.js';
import { PostgresSnapshots } from '../../src/log/append/snapshots.js';
import { Database } from '../../src/platform/postgres/database.js';
import { ManualClock } from '../support/manual-clock.js';
import { erasureStepsOf } from '../support/erasure-steps.js';
import { IdentityWorld, NOTICES, person, supplied } from '../support/identity-world.js';
import { createServiceDatabase, eventually } from '../support/stack.js';

describe('the snapshot of an identity in Postgres', () => {
  let folder: string;
  let database: Database;
  let opened: OpenVault;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'snapshots-'));
    database = new Database({ connectionString: await createServiceDatabase(), budgetMs: 10_000 });
    const keys = { file: undefined, inline: undefined };
    opened = await openVault({ keys, dataDir: folder }, database, new ManualClock());
  }, 60_000);

  afterAll(async () => {
    opened.close();
    await database.close();
    await rm(folder, { recursive: true });
  });

  const inPostgres = async (): Promise<string> => {
    const rows = await database.query<{ text: string }>('SELECT state::text AS text FROM snapshots');
    return rows.map(({ text }) => text).join();
  };

  it('holds no envelope, and goes with the person but for ids of destroyed keys and the place of the certificate', async () => {
    const snapshots = new PostgresSnapshots(database, (error) => {
      throw error;
    });
    const world = new IdentityWorld({}, { vault: opened.vault, hashes: opened.hashes, snapshots });
    const { tenantId, identities, audit, clock } = world;
    const identityId = world.identityId();
    const shredder = new DataKeyShredder(database);
    const index = { reaches: () => Promise.resolve(true) } as unknown as EligibilityQueries;
    const config = { environment: 'sandbox' } as Config;
    const certificates = new ErasureCertificates(new SigningKeys(database, opened.ring), identities, config);
    const eraser = new IdentityEraser(
      identities,
      shredder,
      erasureStepsOf(database),
      index,
      certificates,
      audit,
      clock,
    );
    const handler = new ApplyRetentionHandler(identities, shredder, eraser, clock, NOTICES);
    const age = (change: 'decide_erasure' | 'erase') =>
      handler.execute(new ApplyRetention({ tenantId, identityId, change }));

    // So many that the last snapshot is made just before the deletion.
    for (let version = 0; version < 14; version += 1) await world.ingest(supplied());
    await eventually('the snapshot', async () => (await inPostgres()).includes('APPROVED'));
    expect(await inPostgres()).not.toContain('A256GCM');

    await world.command(() => ({ kind: 'delete', identityId, now: clock.now() }));
    clock.advance(GRACE_PERIOD);
    await age('decide_erasure');
    clock.advance(surelyForgottenWithin());
    await age('erase');
    await eventually('the snapshot of the erased', async () => (await inPostgres()).includes('"erased"'));
    expect(await inPostgres()).not.toMatch(/APPROVED|A256GCM/);
    expect(await inPostgres()).not.toContain(opened.hashes.identityHash(person().email, person().phone_number));
    expect((await certificates.latest(tenantId, identityId))?.certificate).toBeDefined();

    await world.ingest(supplied());
    expect(await world.record()).toMatchObject({ full_name: 'maria' });
  });
});
