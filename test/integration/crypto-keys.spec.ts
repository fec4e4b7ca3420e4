import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { keysCommand, type KeysCommandContext } from '../../src/cli/keys.js';
import { systemClock } from '../../src/kernel/clock.js';
import { newTenantId, newUuid } from '../../src/kernel/ids.js';
import { formatKeyMaterial, KeyMaterialError, parseKeyMaterial } from '../../src/kernel/key-material.js';
import { embeddedKeyFile } from '../../src/platform/crypto/configured-keys.js';
import { openVault, type OpenVault } from '../../src/platform/crypto/open-vault.js';
import { SigningKeys } from '../../src/platform/crypto/signing-keys.js';
import { ERASED, type Place } from '../../src/platform/crypto/vault.js';
import { Database } from '../../src/platform/postgres/database.js';
import { LiveEventStore } from '../support/accounts-world.js';
import { PeriodicWork } from '../../src/platform/periodic/periodic-work.js';
import { createServiceDatabase, eventually } from '../support/stack.js';
import { unrecorded } from '../support/unrecorded.js';
import { LostKeys } from '../../src/platform/crypto/lost-keys.js';
import { categories } from '../../src/categories.js';

describe('npm run keys', () => {
  const tenantId = newTenantId();
  const opened: { readonly close: () => void | Promise<void> }[] = [];
  let folder: string;
  let database: Database;
  let lines: string[];

  const config = (inline?: string) => ({ keys: { file: undefined, inline }, dataDir: folder });
  const open = async (inline?: string): Promise<OpenVault> => {
    const vault = await openVault(config(inline), database, systemClock);
    const looking = new PeriodicWork({
      everyMs: 500,
      round: () => vault.watch.look(),
      isOurs: () => true,
      onSuccess: () => undefined,
      onFault: () => undefined,
    });
    looking.start();
    const running = { ...vault, close: () => looking.stop().then(vault.close) };
    opened.push(running);
    return running;
  };
  const keys = (command: string, options: { inline?: string; store?: LiveEventStore; waitBudget?: number } = {}) => {
    const context: KeysCommandContext = {
      config: config(options.inline),
      database,
      store: options.store ?? new LiveEventStore(),
      print: (line) => lines.push(line),
      lostKeys: new LostKeys(database, options.store ?? new LiveEventStore(), categories, {
        open: () => Promise.resolve(ERASED),
      }),
      ...unrecorded,
      ...(options.waitBudget === undefined ? {} : { waitBudget: options.waitBudget }),
    };
    return keysCommand(command.split(' '), { print: context.print, open: (work) => work(context) });
  };
  const placeOf = (eventId = newUuid()): Place => ({ tenantId, stream: 'identity-x_1', eventId, field: 'personal' });
  const versions = async (): Promise<number[]> =>
    (
      await database.query<{ version: number }>(
        'SELECT DISTINCT encryption_key_version AS version FROM data_keys ORDER BY version',
      )
    ).map(({ version }) => version);

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'keys-'));
    database = new Database({ connectionString: await createServiceDatabase(), budgetMs: 10_000 });
    lines = [];
  }, 60_000);

  afterEach(async () => {
    await Promise.all(opened.splice(0).map(({ close }) => close()));
    await database.close();
    await rm(folder, { recursive: true });
  });

  it('says what it takes', async () => {
    expect(await keys('nothing')).toBe(2);
    expect(lines[0]).toContain("unknown command 'nothing'");
    expect(await keys('status --fast')).toBe(2);
    expect(lines.join('\n')).toContain("unknown option '--fast'");
    lines = [];
    expect(await keys('--help')).toBe(0);
    for (const command of ['status', 'rotate', 'verify', 'reapply-erasures'])
      expect(lines.join('\n')).toContain(`  ${command} `);
  });

  it('status tells versions, the keys under each, and the instances that run', async () => {
    const { vault } = await open();
    await vault.tenantKey(tenantId, 'texts');
    expect(await keys('status')).toBe(0);
    expect(lines.join('\n')).toMatch(/version 1: 1 keys wrapped, in use\ninstance [0-9a-f-]{36} holds versions 1$/);
  });

  it('a start forgets instances that ended without a word a day ago, and no others', async () => {
    await open();
    const [dead, stale] = [newUuid(), newUuid()];
    const report = `INSERT INTO key_instances VALUES ($1, ARRAY[1], now() - $2::interval, 1)`;
    await database.query(report, [dead, '25 hours']);
    await database.query(report, [stale, '23 hours']);
    await open();
    const rows = await database.query<{ id: string }>('SELECT instance_id AS id FROM key_instances');
    const ids = rows.map(({ id }) => id);
    expect([ids.includes(dead), ids.includes(stale)]).toEqual([false, true]);
  });

  it('rotate wraps every key anew while the service serves, which takes up the new version by itself', async () => {
    const { vault, ring } = await open();
    const signing = new SigningKeys(database, ring);
    await signing.sign('erasure_certificate', { sub: 'before' });
    const people = Array.from({ length: 1_200 }, (_, index) => `idn_p${index}`);
    await Promise.all(people.map((identityId) => vault.subjectKey(tenantId, identityId)));
    const place = placeOf();
    const envelope = vault.seal(await vault.subjectKey(tenantId, 'idn_p7'), place, 'before');

    let serving = true;
    let served = 0;
    const traffic = (async () => {
      while (serving) {
        const now = placeOf();
        const key = await vault.subjectKey(tenantId, `idn_new${served}`);
        expect(await vault.open(now, vault.seal(key, now, served))).toBe(served);
        served += 1;
      }
    })();
    expect(await keys('rotate')).toBe(0);
    serving = false;
    await traffic;

    expect(served).toBeGreaterThan(0);
    expect(await versions()).toEqual([2]);
    expect(ring.newest).toBe(2);
    expect(lines.at(-1)).toBe('every key is under version 2; older versions may leave the key file');
    expect((await stat(embeddedKeyFile(folder))).mode & 0o777).toBe(0o600);
    // The old version may go: everything opens without it, also what was sealed before.
    const file = parseKeyMaterial(await readFile(embeddedKeyFile(folder), 'utf8'), 'file');
    const alone = new Map([...file.encryptionKeys].filter(([version]) => version === 2));
    await writeFile(embeddedKeyFile(folder), formatKeyMaterial({ ...file, encryptionKeys: alone }));
    const fresh = await open();
    expect(await fresh.vault.open(place, envelope)).toBe('before');
    await new SigningKeys(database, fresh.ring).sign('erasure_certificate', { sub: 'after' });
    expect((await new SigningKeys(database, fresh.ring).published()).keys).toHaveLength(1);
  }, 60_000);

  it('rotate goes on where an earlier one broke off, without a further version', async () => {
    const { vault } = await open();
    await Promise.all(Array.from({ length: 20 }, (_, index) => vault.subjectKey(tenantId, `idn_p${index}`)));
    expect(await keys('rotate')).toBe(0);
    const file = parseKeyMaterial(await readFile(embeddedKeyFile(folder), 'utf8'), 'file');
    expect([...file.encryptionKeys.keys()]).toEqual([1, 2]);
    // Rows of the first version again, as a crash in the middle leaves them.
    await Promise.all(opened.splice(0).map(({ close }) => close()));
    await writeFile(
      embeddedKeyFile(folder),
      formatKeyMaterial({ ...file, encryptionKeys: new Map([...file.encryptionKeys].slice(0, 1)) }),
    );
    await database.query('TRUNCATE data_keys');
    const old = await open();
    await old.vault.tenantKey(tenantId, 'texts');
    old.close();
    await writeFile(embeddedKeyFile(folder), formatKeyMaterial(file));
    await database.query('DELETE FROM key_instances');
    expect(await keys('rotate')).toBe(0);
    expect(await versions()).toEqual([2]);
    const after = parseKeyMaterial(await readFile(embeddedKeyFile(folder), 'utf8'), 'file');
    expect([...after.encryptionKeys.keys()]).toEqual([1, 2]);
  }, 60_000);

  it('rotate wraps nothing before every live instance holds the new version', async () => {
    const { vault } = await open();
    await vault.tenantKey(tenantId, 'texts');
    await database.query('INSERT INTO key_instances VALUES ($1, ARRAY[1], now(), 1)', [newUuid()]);
    await expect(keys('rotate', { waitBudget: 3_000 })).rejects.toThrow(/do not hold version 2/);
    expect(await versions()).toEqual([1]);
  }, 30_000);

  it('rotate waits for an instance that holds the new version and still wraps under the old one', async () => {
    const { vault, ring } = await open();
    await vault.tenantKey(tenantId, 'texts');
    const slow = newUuid();
    await database.query('INSERT INTO key_instances VALUES ($1, ARRAY[1, 2], now(), 1)', [slow]);
    const rotating = keys('rotate');
    await eventually('the new version', () => ring.wrapsUnder === 2);
    await sleep(1_000);
    expect(await versions()).toEqual([1]);
    await database.query('UPDATE key_instances SET wraps_under = 2 WHERE instance_id = $1', [slow]);
    expect(await rotating).toBe(0);
    expect(await versions()).toEqual([2]);
  }, 30_000);

  it('an instance wraps under a new version only once every live instance holds it', async () => {
    const root = randomBytes(32);
    const all = [1, 2].map((version) => [version, randomBytes(32)] as const);
    const material = (count: number): string =>
      formatKeyMaterial({ source: 'KEYS', indexRoot: root, encryptionKeys: new Map(all.slice(0, count)) });
    const old = await open(material(1));
    const renewed = await open(material(2));
    const place = placeOf();
    const envelope = renewed.vault.seal(await renewed.vault.subjectKey(tenantId, 'idn_a'), place, 'a');
    expect(await old.vault.open(place, envelope)).toBe('a');
    expect(await versions()).toEqual([1]);
    old.close();
    await eventually('the new version', () => renewed.ring.wrapsUnder === 2);
    await renewed.vault.subjectKey(tenantId, 'idn_b');
    expect(await versions()).toEqual([1, 2]);
  }, 30_000);

  it('an instance whose key file is broken serves on and is still waited for', async () => {
    await open();
    await writeFile(embeddedKeyFile(folder), '{');
    const reports = () =>
      database.query<{ seen: number }>('SELECT extract(epoch FROM seen_at)::float8 AS seen FROM key_instances');
    const [before] = await reports();
    await eventually('a later report', async () => {
      const [now] = await reports();
      return (now?.seen ?? 0) > (before?.seen ?? 0);
    });
  });

  it('rotate asks the operator for a new version where the keys stand in a variable', async () => {
    const material = (count: number): string =>
      formatKeyMaterial({ source: 'KEYS', indexRoot: root, encryptionKeys: new Map(versionsOfKeys.slice(0, count)) });
    const root = randomBytes(32);
    const versionsOfKeys = [1, 2].map((version) => [version, randomBytes(32)] as const);
    const { vault, close } = await open(material(1));
    await vault.tenantKey(tenantId, 'texts');
    close();
    await expect(keys('rotate', { inline: material(1) })).rejects.toThrow(KeyMaterialError);
    await database.query('DELETE FROM key_instances');
    await open(material(2));
    expect(await keys('rotate', { inline: material(2) })).toBe(0);
    expect(await versions()).toEqual([2]);
  });

  it('verify opens every key and names those that do not', async () => {
    const { vault } = await open();
    const good = await vault.subjectKey(tenantId, 'idn_good');
    const bad = await vault.subjectKey(tenantId, 'idn_bad');
    expect(await keys('verify')).toBe(0);
    await database.query('UPDATE data_keys SET wrapped = (SELECT wrapped FROM data_keys WHERE id = $1) WHERE id = $2', [
      good.id,
      bad.id,
    ]);
    expect(await keys('verify')).toBe(1);
    expect(lines).toEqual(['2 of 2 keys open', `key ${bad.id} does not open`, '1 of 2 keys open']);
  });

  it('reapply-erasures destroys again what a restored back-up has brought back', async () => {
    const { vault } = await open();
    const place = placeOf();
    const envelope = vault.seal(await vault.subjectKey(tenantId, 'idn_gone'), place, 'gone');
    const kept = vault.seal(await vault.subjectKey(tenantId, 'idn_kept'), place, 'kept');
    const store = new LiveEventStore();
    const data = {
      identityId: 'idn_1',
      identityHash: 'h',
      reason: 'deletion',
      decidedAt: new Date().toISOString(),
      dataKeyIds: [envelope.key],
    };
    const metadata = { $correlationId: 'r', actor: { type: 'system', id: 's' }, time: '', schemaVersion: 1 } as const;
    const event = { id: newUuid(), type: 'IdentityErasureDecided.v1', data, metadata };
    await store.append('identity-t_1', [event], 'no_stream');
    expect(await keys('reapply-erasures', { store })).toBe(0);
    expect(lines).toEqual(['1 erasures hold in this database']);
    const fresh = await open();
    expect(await fresh.vault.open(place, envelope)).toBe(ERASED);
    expect(await fresh.vault.open(place, kept)).toBe('kept');
  });
});
