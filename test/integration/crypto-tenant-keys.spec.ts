import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newTenantId, newUuid, tenantIdOf, type TenantId } from '../../src/kernel/ids.js';
import { HeldKey } from '../../src/platform/crypto/data-keys.js';
import { openVault, type OpenVault } from '../../src/platform/crypto/open-vault.js';
import { destroyOldAuditKeys, takeSealsIn } from '../../src/platform/crypto/tenant-keys.js';
import { ERASED, type Place } from '../../src/platform/crypto/vault.js';
import { Database } from '../../src/platform/postgres/database.js';
import { createServiceDatabase, lockWaiters } from '../support/stack.js';

const LEASE = 2 ** 20;
const MOST = 2 ** 30;

describe('the keys of tenants in Postgres', () => {
  const opened: OpenVault[] = [];
  let now = new Date('2026-11-30T12:00:00.000Z');
  let folder: string;
  let database: Database;

  beforeEach(async () => {
    now = new Date('2026-11-30T12:00:00.000Z');
    folder = await mkdtemp(join(tmpdir(), 'tenant-keys-'));
    database = new Database({ connectionString: await createServiceDatabase(), budgetMs: 10_000 });
  }, 60_000);

  afterEach(async () => {
    for (const { close } of opened.splice(0)) close();
    await database.close();
    await rm(folder, { recursive: true });
  });

  const open = async (): Promise<OpenVault> => {
    const clock = { now: () => now, monotonic: () => performance.now() };
    const vault = await openVault({ keys: { file: undefined, inline: undefined }, dataDir: folder }, database, clock);
    opened.push(vault);
    return vault;
  };
  const placeOf = (tenantId: TenantId): Place => ({
    tenantId,
    stream: `audit-${tenantId}`,
    eventId: newUuid(),
    field: 'access',
  });
  const rows = () =>
    database.query<{ id: string; subject: string; leased: string }>(
      'SELECT id::text, subject, seals_leased AS leased FROM data_keys ORDER BY subject COLLATE "C"',
    );

  it('turn with the month on every instance at once, for all tenants, without one refusal', async () => {
    const vaults = [await open(), await open(), await open()];
    const tenants = Array.from({ length: 300 }, () => newTenantId());
    const takeAll = () =>
      Promise.all(
        vaults.flatMap(({ vault }, index) =>
          // Each instance meets the tenants in another order.
          [...tenants.slice(index * 100), ...tenants.slice(0, index * 100)].map((one) => vault.tenantKey(one, 'audit')),
        ),
      );
    await takeAll();
    now = new Date('2026-12-01T00:00:00.000Z');
    expect(new Set((await takeAll()).map(({ id }) => id)).size).toBe(tenants.length);
    const made = await rows();
    expect(made).toHaveLength(2 * tenants.length);
    expect(new Set(made.map(({ leased }) => Number(leased)))).toEqual(new Set([vaults.length * LEASE]));
  });

  it('are followed by another of the same month where one is used up, by whichever instances', async () => {
    const tenantId = newTenantId();
    const first = await (await open()).vault.tenantKey(tenantId, 'audit');
    await database.query('UPDATE data_keys SET seals_leased = $1', [MOST - LEASE]);
    const second = await open();
    expect((await second.vault.tenantKey(tenantId, 'audit')).id).toBe(first.id);
    const third = await (await open()).vault.tenantKey(tenantId, 'audit');
    expect(third.id).not.toBe(first.id);
    expect((await rows()).map(({ subject, leased }) => [subject, Number(leased)])).toEqual([
      ['/audit/2026-11', MOST],
      ['/audit/2026-11/2', LEASE],
    ]);
  });

  it('give no more than there is to instances that ask at the same moment', async () => {
    await (await open()).vault.tenantKey(newTenantId(), 'audit');
    const [key] = await rows();
    await database.query('UPDATE data_keys SET seals_leased = 0');
    const asking = Array.from({ length: 20 }, () => takeSealsIn(database)([key?.id ?? ''], 3, 30));
    const granted = (await Promise.all(asking)).filter((ids) => ids.size === 1);
    expect(granted).toHaveLength(10);
  });

  it('are made, and leased, in one order everywhere, so that instances that want the same ones wait in turn', async () => {
    const { vault } = await open();
    const [first, last] = [tenantIdOf(`00000000${newUuid().slice(8)}`), newTenantId()];
    const insert = `INSERT INTO data_keys (id, tenant_id, subject, encryption_key_version, wrapped)
                    VALUES ($1, $2, '/audit/2026-11', 1, '')`;
    let making: Promise<unknown> = Promise.resolve();
    const blocked = database.transaction(async (other) => {
      await other.query(insert, [newUuid(), last]);
      making = Promise.all([vault.tenantKey(last, 'audit'), vault.tenantKey(first, 'audit')]);
      await lockWaiters(database);
      await other.query(`SET LOCAL lock_timeout = '200ms'`);
      await other.query(insert, [newUuid(), first]);
    });
    await expect(blocked).rejects.toThrow(/lock timeout/);
    await making;

    const [low, high] = ['00000000-0000-4000-8000-000000000000', 'ffffffff-ffff-4fff-bfff-ffffffffffff'] as const;
    await database.query('DELETE FROM data_keys');
    await database.query(insert, [high, last]);
    await database.query(insert, [low, first]);
    let leasing: Promise<unknown> = Promise.resolve();
    const held = database.transaction(async (other) => {
      await other.query('SELECT 1 FROM data_keys WHERE id = $1 FOR UPDATE', [high]);
      leasing = takeSealsIn(database)([high, low], LEASE, MOST);
      await lockWaiters(database);
      await other.query('SELECT 1 FROM data_keys WHERE id = $1 FOR UPDATE NOWAIT', [low]);
    });
    await expect(held).rejects.toThrow(/could not obtain lock/);
    expect(await leasing).toEqual(new Set([low, high]));
  });

  it('open what was sealed under the one key that a tenant had before', async () => {
    const { vault, ring } = await open();
    const tenantId = newTenantId();
    const owner = { id: newUuid(), tenantId, subject: '' };
    const { version, wrapped, bytes } = ring.generate(owner);
    await database.query(
      'INSERT INTO data_keys (id, tenant_id, subject, encryption_key_version, wrapped) VALUES ($1, $2, $3, $4, $5)',
      [owner.id, tenantId, '', version, wrapped],
    );
    const place = placeOf(tenantId);
    const envelope = vault.seal(new HeldKey(owner.id, bytes), place, 'old');
    expect(await vault.open(place, envelope)).toBe('old');
    expect((await vault.tenantKey(tenantId, 'audit')).id).not.toBe(owner.id);
  });

  it('of audit entries are destroyed once the last of their month was surely purged; the others stay', async () => {
    const tenantId = newTenantId();
    const seal = async (purpose: 'audit' | 'texts') => {
      const { vault } = await open();
      const place = placeOf(tenantId);
      return { place, envelope: vault.seal(await vault.tenantKey(tenantId, purpose), place, purpose) };
    };
    const [entry, text] = [await seal('audit'), await seal('texts')];
    now = new Date('2026-12-31T00:00:00.000Z');
    const later = await seal('audit');
    await destroyOldAuditKeys(database, new Date('2026-12-31T23:59:59.999Z'), now);
    expect(await rows()).toHaveLength(3);
    await destroyOldAuditKeys(database, new Date('2027-01-01T00:00:00.000Z'), now);
    const { vault } = await open();
    expect(await vault.open(entry.place, entry.envelope)).toBe(ERASED);
    expect(await vault.open(text.place, text.envelope)).toBe('texts');
    expect(await vault.open(later.place, later.envelope)).toBe('audit');
  });
});
