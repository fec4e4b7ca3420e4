import { randomBytes } from 'node:crypto';
import { chmod, copyFile, mkdtemp, open as openFile, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { type Clock } from '../../src/kernel/clock.js';
import { newTenantId, newUuid, type TenantId } from '../../src/kernel/ids.js';
import { Unavailable } from '../../src/kernel/unavailable.js';
import { DataKeyMissing } from '../../src/platform/crypto/data-keys.js';
import { formatKeyMaterial, KeyMaterialError } from '../../src/kernel/key-material.js';
import { openVault, type OpenVault } from '../../src/platform/crypto/open-vault.js';
import { ERASED, type Place } from '../../src/platform/crypto/vault.js';
import { Database } from '../../src/platform/postgres/database.js';
import { createServiceDatabase, eventually, lockWaiters } from '../support/stack.js';

const IDENTITY = 'idn_0123456789abcdef0123456789abcdef';
const EMAIL = 'maria@example.org';
const PHONE = '+12025550123';
const PERSON = { email: EMAIL, phone_number: PHONE, full_name: 'Maria Müller' };

describe('the vault over Postgres', () => {
  const tenantId: TenantId = newTenantId();
  const time = { monotonic: 0 };
  const clock: Clock = { now: () => new Date(), monotonic: () => time.monotonic };
  const opened: OpenVault[] = [];
  let folder: string;
  let url: string;
  let database: Database;

  const open = async (keys: { file?: string; inline?: string } = {}): Promise<OpenVault> => {
    const config = { keys: { file: keys.file, inline: keys.inline }, dataDir: folder };
    const vault = await openVault(config, database, clock);
    opened.push(vault);
    return vault;
  };
  const placeOf = (changes: Partial<Place> = {}): Place => ({
    tenantId,
    stream: `identity-${tenantId}_1`,
    eventId: newUuid(),
    field: 'personal',
    ...changes,
  });

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'vault-'));
    url = await createServiceDatabase();
    database = new Database({ connectionString: url });
  }, 60_000);

  afterEach(async () => {
    for (const { close } of opened.splice(0)) close();
    await database.close();
    await rm(folder, { recursive: true });
  });

  it('opens on any instance what another sealed, also after a restart', async () => {
    const [one, other] = [await open(), await open()];
    const place = placeOf();
    const envelope = one.vault.seal(await one.vault.subjectKey(tenantId, IDENTITY), place, PERSON);
    expect(await other.vault.open(place, envelope)).toEqual(PERSON);
  });

  it('gives one key to all who ask at once, on every instance', async () => {
    const vaults = [await open(), await open(), await open()];
    const keyRequests = vaults.flatMap(({ vault }) =>
      Array.from({ length: 50 }, (_, index) => vault.subjectKey(tenantId, `idn_p${index % 10}`)),
    );
    const ids = new Set((await Promise.all(keyRequests)).map(({ id }) => id));
    expect(ids.size).toBe(10);
  });

  it('seals under the key that another instance made while it was about to, never under its own', async () => {
    const [one, other, later] = [await open(), await open(), await open()];
    const query = database.query.bind(database);
    const querySpy = jest.spyOn(database, 'query');
    querySpy.mockImplementation(async (text, ...parameters) => {
      if (text.includes('INSERT INTO data_keys')) {
        querySpy.mockRestore();
        await other.vault.subjectKey(tenantId, IDENTITY);
      }
      return query(text, ...parameters);
    });
    const place = placeOf();
    const envelope = one.vault.seal(await one.vault.subjectKey(tenantId, IDENTITY), place, PERSON);
    expect(await later.vault.open(place, envelope)).toEqual(PERSON);
  });

  it('makes a thousand keys in few statements', async () => {
    const { vault } = await open();
    const statements = jest.spyOn(database, 'query');
    await Promise.all(Array.from({ length: 1_000 }, (_, index) => vault.subjectKey(tenantId, `idn_b${index}`)));
    expect(statements.mock.calls.length).toBeLessThan(50);
  });

  it('opens what it has just sealed without asking for the key again', async () => {
    const { vault } = await open();
    const place = placeOf();
    const envelope = vault.seal(await vault.subjectKey(tenantId, IDENTITY), place, PERSON);
    const statements = jest.spyOn(database, 'query');
    expect(await vault.open(place, envelope)).toEqual(PERSON);
    expect(statements.mock.calls.filter(([text]) => text.includes('data_keys'))).toEqual([]);
  });

  it('does not open what was swapped between tenants, identities, events or fields', async () => {
    const { vault } = await open();
    const place = placeOf();
    const envelope = vault.seal(await vault.subjectKey(tenantId, IDENTITY), place, PERSON);
    const strangers: Place[] = [
      { ...place, tenantId: newTenantId() },
      { ...place, stream: `identity-${tenantId}_2` },
      { ...place, eventId: newUuid() },
      { ...place, field: 'access' },
    ];
    for (const stranger of strangers) await expect(vault.open(stranger, envelope)).rejects.toThrow();
    const otherKey = await vault.subjectKey(tenantId, 'idn_other');
    await expect(vault.open(place, { ...envelope, key: otherKey.id })).rejects.toThrow();
  });

  it('reads a destroyed key as erased, on every instance within a minute', async () => {
    const { vault } = await open();
    const place = placeOf();
    const envelope = vault.seal(await vault.subjectKey(tenantId, IDENTITY), place, PERSON);
    expect(await vault.open(place, envelope)).toEqual(PERSON);
    await database.query('DELETE FROM data_keys WHERE id = $1', [envelope.key]);
    await database.query('INSERT INTO destroyed_data_keys (id, destroyed_at) VALUES ($1, now())', [envelope.key]);
    time.monotonic += 60_000;
    expect(await vault.open(place, envelope)).toBe(ERASED);
    const next = await vault.subjectKey(tenantId, IDENTITY);
    expect(next.id).not.toBe(envelope.key);
  });

  it('does not take a lost key for a destroyed one', async () => {
    const { vault } = await open();
    const place = placeOf();
    const envelope = vault.seal(await vault.subjectKey(tenantId, IDENTITY), place, PERSON);
    await expect(vault.open(place, { ...envelope, key: newUuid() })).rejects.toThrow(DataKeyMissing);
  });

  it('refuses a row that was put in the place of another', async () => {
    const { vault } = await open();
    const [one, other] = ['idn_one', 'idn_other'];
    const first = await vault.subjectKey(tenantId, one);
    const second = await vault.subjectKey(tenantId, other);
    await database.query('UPDATE data_keys SET wrapped = (SELECT wrapped FROM data_keys WHERE id = $2) WHERE id = $1', [
      first.id,
      second.id,
    ]);
    const fresh = await open();
    await expect(fresh.vault.subjectKey(tenantId, one)).rejects.toThrow(Unavailable);
    expect((await fresh.vault.subjectKey(tenantId, other)).id).toBe(second.id);
  });

  describe('at start', () => {
    const keys = (root: Buffer, versions: Record<number, Buffer>): string =>
      formatKeyMaterial({
        source: 'KEYS',
        indexRoot: root,
        encryptionKeys: new Map(Object.entries(versions).map(([version, key]) => [Number(version), key])),
      });
    const [root, first, second] = [randomBytes(32), randomBytes(32), randomBytes(32)];
    const checkValues = () => database.query('SELECT * FROM key_check_values ORDER BY name');

    it.each([
      ['another index root', { inline: keys(randomBytes(32), { 1: first }) }, /index_root is not the key/],
      ['another root and a new version', { inline: keys(randomBytes(32), { 1: first, 2: second }) }, /index_root/],
      ['another key-encryption key', { inline: keys(root, { 1: second }) }, /encryption_key_1 is not the key/],
      ['another key and a new version', { inline: keys(root, { 1: second, 2: second }) }, /encryption_key_1/],
      ['a missing version that rows are under', { inline: keys(root, { 2: second }) }, /lacks version 1/],
    ])('refuses %s, and then still takes the right keys and a second version', async (_, wrong, message) => {
      const { vault } = await open({ inline: keys(root, { 1: first }) });
      await vault.tenantKey(tenantId, 'texts');
      const before = await checkValues();
      await expect(open(wrong)).rejects.toThrow(message);
      await expect(open(wrong)).rejects.toThrow(KeyMaterialError);
      expect(await checkValues()).toEqual(before);
      await expect(open({ inline: keys(root, { 1: first, 2: randomBytes(32) }) })).resolves.toBeDefined();
    });

    it('refuses a file that shares no version with what was seen before, also while nothing is wrapped', async () => {
      await open({ inline: keys(root, { 1: first }) });
      const before = await checkValues();
      const strange = { inline: keys(root, { 2: second, 3: second }) };
      await expect(open(strange)).rejects.toThrow(
        /none of this deployment's versions \(1\); restore the right key file/,
      );
      expect(await checkValues()).toEqual(before);
    });

    it('lets one of two different files that come first at the same moment decide', async () => {
      await open({ inline: keys(root, { 1: first }) });
      await database.query('TRUNCATE key_check_values');
      const both = [keys(root, { 1: first, 2: first }), keys(root, { 1: first, 2: second })];
      const attempts = await database.transaction(async (reader) => {
        // Both may read the empty table, and neither may write to it yet.
        await reader.query('LOCK TABLE key_check_values IN SHARE MODE');
        const opening = both.map((inline) => open({ inline }));
        await lockWaiters(database, 2);
        return opening;
      });
      const ends = await Promise.allSettled(attempts);
      const refusals = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason as unknown] : []));
      expect(refusals).toEqual([expect.any(KeyMaterialError)]);
    });

    it('refuses to make new keys where data is under lost ones', async () => {
      await open();
      await rm(join(folder, 'keys.json'));
      await expect(open()).rejects.toThrow(/restore keys\.json/);
    });

    it('takes a second version and seals new keys under it, opening what the first wrapped', async () => {
      const old = await open({ inline: keys(root, { 1: first }) });
      const place = placeOf();
      const envelope = old.vault.seal(await old.vault.tenantKey(tenantId, 'texts'), place, 'old');
      old.close();
      await eventually('the end of the old instance', async () => {
        return (await database.query('SELECT 1 FROM key_instances')).length === 0;
      });
      const renewed = await open({ inline: keys(root, { 1: first, 2: second }) });
      expect(await renewed.vault.open(place, envelope)).toBe('old');
      await renewed.vault.subjectKey(tenantId, IDENTITY);
      const rows = await database.query<{ version: number }>(
        'SELECT encryption_key_version AS version FROM data_keys ORDER BY version',
      );
      expect(rows.map(({ version }) => version)).toEqual([1, 2]);
    });

    it('keeps the embedded keys readable by their owner only, in a file that may be copied', async () => {
      await open();
      const file = join(folder, 'keys.json');
      expect((await stat(file)).mode & 0o777).toBe(0o600);
      await writeFile(join(folder, 'copy.json'), await readFile(file, 'utf8'));
      await expect(open({ file: join(folder, 'copy.json') })).resolves.toBeDefined();
    });

    it.each(['0644', '0660', '0604'])('refuses embedded keys with mode %s, which are open to others', async (mode) => {
      await open();
      const file = join(folder, 'keys.json');
      await chmod(file, Number.parseInt(mode, 8));
      const refusal = open();
      await expect(refusal).rejects.toThrow(KeyMaterialError);
      await expect(refusal).rejects.toThrow(`${file} has the mode ${mode}`);
      await expect(refusal).rejects.toThrow(`chmod 600 ${file}`);
      expect(await readdir(folder)).toEqual(['keys.json']);
      await copyFile(file, join(folder, 'given.json'));
      await expect(open({ file: join(folder, 'given.json') })).resolves.toBeDefined();
      await chmod(file, 0o600);
      await expect(open()).resolves.toBeDefined();
    });

    it('takes embedded keys on a file system without modes, where all that is new looks open', async () => {
      await open();
      const file = join(folder, 'keys.json');
      await chmod(file, 0o666);
      const handle = await openFile(file);
      await handle.close();
      const prototype = Object.getPrototypeOf(handle) as { stat(): Promise<{ mode: number }> };
      const looked = jest.spyOn(prototype, 'stat').mockResolvedValue({ mode: 0o100666 });
      await expect(open().finally(() => looked.mockRestore())).resolves.toBeDefined();
    });
  });

  it('holds no plaintext of keys or people in Postgres', async () => {
    const { vault, hashes } = await open();
    await vault.subjectKey(tenantId, hashes.identityId(tenantId, EMAIL, PHONE));
    const rows = await database.query<{ row: string }>('SELECT data_keys::text AS row FROM data_keys');
    const text = rows.map(({ row }) => row).join('\n');
    expect(text).not.toContain('maria');
    expect(text).not.toContain('2025550123');
  });
});
