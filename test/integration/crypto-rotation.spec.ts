import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, readlinkSync } from 'node:fs';
import { chmod, chown, lstat, mkdtemp, open, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { keysCommand } from '../../src/cli/keys.js';
import { systemClock } from '../../src/kernel/clock.js';
import { newTenantId, newUuid } from '../../src/kernel/ids.js';
import { createKeyMaterial } from '../../src/platform/crypto/key-file.js';
import {
  formatKeyMaterial,
  type KeyMaterial,
  KeyMaterialError,
  parseKeyMaterial,
} from '../../src/kernel/key-material.js';
import { addVersion } from '../../src/platform/crypto/key-rotation.js';
import { openVault } from '../../src/platform/crypto/open-vault.js';
import { ERASED } from '../../src/platform/crypto/vault.js';
import { verifyKeyMaterial } from '../../src/platform/crypto/verify-key-material.js';
import { Database } from '../../src/platform/postgres/database.js';
import { LiveEventStore } from '../support/accounts-world.js';
import { createServiceDatabase, eventually } from '../support/stack.js';
import { unrecorded } from '../support/unrecorded.js';
import { LostKeys } from '../../src/platform/crypto/lost-keys.js';
import { categories } from '../../src/categories.js';

const NOBODY = 65_534;
const isRoot = process.geteuid?.() === 0;

let folder: string;
let file: string;
let database: Database;
let lines: string[];

const rotate = (): Promise<number> => {
  const print = (line: string): void => void lines.push(line);
  const config = { keys: { file, inline: undefined }, dataDir: folder };
  const store = new LiveEventStore();
  const lostKeys = new LostKeys(database, store, categories, { open: () => Promise.resolve(ERASED) });
  return keysCommand(['rotate'], {
    print,
    open: (work) => work({ config, database, store, lostKeys, print, ...unrecorded }),
  });
};
const add = (stillAlone: () => Promise<void> = () => Promise.resolve()) => addVersion(file, database, stillAlone);
const inFile = async (): Promise<KeyMaterial> => parseKeyMaterial(await readFile(file, 'utf8'), file);
const versionsInFile = async (): Promise<number[]> => [...(await inFile()).encryptionKeys.keys()];
const checkValues = () => database.query('SELECT name, check_value FROM key_check_values ORDER BY name');
const wrapped = async (): Promise<number[]> =>
  (
    await database.query<{ version: number }>(
      'SELECT DISTINCT encryption_key_version AS version FROM data_keys ORDER BY version',
    )
  ).map(({ version }) => version);

/** Data keys under the first version, and no instance that runs. */
const someKeys = async (count = 5): Promise<void> => {
  const vault = await openVault({ keys: { file, inline: undefined }, dataDir: folder }, database, systemClock);
  await Promise.all(Array.from({ length: count }, () => vault.vault.tenantKey(newTenantId(), 'texts')));
  vault.close();
  await eventually('the end of the instance', async () => {
    return (await database.query('SELECT 1 FROM key_instances')).length === 0;
  });
};

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rotation-'));
  database = new Database({ connectionString: await createServiceDatabase(), budgetMs: 10_000 });
  lines = [];
  const material = await createKeyMaterial(folder);
  await verifyKeyMaterial(material, database);
  file = material.source;
}, 60_000);

afterEach(async () => {
  jest.restoreAllMocks();
  await database.close();
  await rm(folder, { recursive: true });
});

describe('two rotations at once', () => {
  it('leave every key under one that stands in the file: the second changes nothing and says what to do', async () => {
    await someKeys();
    const slow = newUuid();
    await database.query('INSERT INTO key_instances VALUES ($1, ARRAY[1], now(), 1)', [slow]);
    const first = rotate();
    await eventually('the new version', async () => (await versionsInFile()).length === 2);
    await expect(rotate()).rejects.toThrow(/another rotation of these keys is running.*wait until that one has ended/);
    await database.query('DELETE FROM key_instances WHERE instance_id = $1', [slow]);
    expect(await first).toBe(0);
    expect(await versionsInFile()).toEqual([1, 2]);
    expect(await wrapped()).toEqual([2]);
  }, 30_000);

  it('that begin at the same moment are one', async () => {
    await someKeys();
    const ends = await Promise.allSettled([rotate(), rotate(), rotate()]);
    expect(ends.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected', 'rejected']);
    expect(await versionsInFile()).toEqual([1, 2]);
    expect(await wrapped()).toEqual([2]);
    await expect(verifyKeyMaterial(await inFile(), database)).resolves.toBeUndefined();
  }, 30_000);

  it('do no harm even where the lock was lost: a version is one key, and the file holds it', async () => {
    for (let round = 0; round < 10; round += 1) {
      const ends = await Promise.allSettled([add(), add(), add()]);
      const held = await inFile();
      await verifyKeyMaterial(held, database);
      for (const end of ends) {
        if (end.status === 'rejected') expect(end.reason).toBeInstanceOf(KeyMaterialError);
        else
          for (const [version, key] of end.value.encryptionKeys) expect(held.encryptionKeys.get(version)).toEqual(key);
      }
      expect(ends.map(({ status }) => status)).toContain('fulfilled');
    }
  }, 30_000);

  it('are none: one whose session is lost, and the lock with it, ends before the next few hundred keys', async () => {
    await someKeys(600);
    await database.query('INSERT INTO key_instances VALUES ($1, ARRAY[1, 2], now(), 1)', [newUuid()]);
    const first = rotate();
    await eventually('the new version', async () => (await versionsInFile()).length === 2);
    await database.query(`SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND database =
      (SELECT oid FROM pg_database WHERE datname = current_database())`);
    await database.query('UPDATE key_instances SET wraps_under = 2');
    await expect(first).rejects.toThrow(/unavailable/i);
    expect(await wrapped()).toEqual([1, 2]);
    await database.query('DELETE FROM key_instances');
    expect(await rotate()).toBe(0);
    expect(await versionsInFile()).toEqual([1, 2]);
    expect(await wrapped()).toEqual([2]);
  }, 30_000);
});

describe('a rotation that fails', () => {
  const leavesAllAsItWas = async (attempt: () => Promise<unknown>, message: RegExp): Promise<void> => {
    const [text, values] = [await readFile(file, 'utf8'), await checkValues()];
    await expect(attempt()).rejects.toThrow(message);
    expect(await readFile(file, 'utf8')).toBe(text);
    expect(await checkValues()).toEqual(values);
    expect(await readdir(folder)).toEqual(['keys.json']);
  };

  it('leaves file and check values as they were where the lock is lost before the file is replaced', async () => {
    await leavesAllAsItWas(() => add(() => Promise.reject(new Error('lost'))), /lost/);
    expect([...(await add()).encryptionKeys.keys()]).toEqual([1, 2]);
  });

  it('leaves them where the file is not the one that this deployment knows', async () => {
    const other = { ...(await inFile()), encryptionKeys: new Map([[1, randomBytes(32)]]) };
    await writeFile(file, formatKeyMaterial(other));
    await leavesAllAsItWas(add, /encryption_key_1 is not the key/);
    await leavesAllAsItWas(rotate, /encryption_key_1 is not the key/);
  });

  it('keeps what somebody else has written to the file meanwhile', async () => {
    const held = await inFile();
    const theirs = { ...held, encryptionKeys: new Map([...held.encryptionKeys, [2, randomBytes(32)] as const]) };
    const values = await checkValues();
    await expect(add(() => writeFile(file, formatKeyMaterial(theirs)))).rejects.toThrow(/was changed by somebody else/);
    expect(await inFile()).toEqual(theirs);
    expect(await checkValues()).toEqual(values);
    await verifyKeyMaterial(theirs, database);
  });

  it('never takes a version again that one which died has claimed', async () => {
    await someKeys();
    await database.query("INSERT INTO key_check_values VALUES ('encryption_key_2', 'of a key that is in no file')");
    expect(await rotate()).toBe(0);
    expect(lines[0]).toMatch(/^version 3 was added to /);
    expect(await versionsInFile()).toEqual([1, 3]);
    expect(await wrapped()).toEqual([3]);
  });
});

describe('a power cut', () => {
  /** What was made durable, with what the key file held at that moment. */
  const watchSyncs = async (): Promise<{ path: string; file: string }[]> => {
    const handle = await open('/dev/null');
    const prototype = Object.getPrototypeOf(handle) as { sync(this: { fd: number }): Promise<void> };
    await handle.close();
    const sync = prototype.sync;
    const seen: { path: string; file: string }[] = [];
    jest.spyOn(prototype, 'sync').mockImplementation(async function (this: { fd: number }) {
      const path = readlinkSync(`/proc/self/fd/${this.fd}`);
      await sync.call(this);
      seen.push({ path, file: existsSync(file) ? readFileSync(file, 'utf8') : '' });
    });
    return seen;
  };

  it('does not take back a version that was added: draft and folder are durable before anything is wrapped', async () => {
    const syncs = await watchSyncs();
    await add();
    const text = await readFile(file, 'utf8');
    expect(syncs[0]?.path).toContain(`${file}.`);
    expect(syncs[0]?.file).not.toBe(text);
    expect(syncs.at(-1)).toEqual({ path: folder, file: text });
  });

  it('does not take back keys that were made', async () => {
    await rm(file);
    const syncs = await watchSyncs();
    await createKeyMaterial(folder);
    expect(syncs[0]).toEqual({ path: expect.stringContaining(`${file}.`), file: '' });
    expect(syncs.at(-1)).toEqual({ path: folder, file: await readFile(file, 'utf8') });
  });

  it('does not take back a version that an interrupted rotation or somebody by hand has written', async () => {
    await someKeys();
    const held = await inFile();
    const more = { ...held, encryptionKeys: new Map([...held.encryptionKeys, [2, randomBytes(32)] as const]) };
    await writeFile(file, formatKeyMaterial(more));
    await database.query('INSERT INTO key_instances VALUES ($1, ARRAY[1, 2], now(), 1)', [newUuid()]);
    const syncs = await watchSyncs();
    const rotating = rotate();
    await eventually('both on disk', () => syncs.length === 2);
    expect(await wrapped()).toEqual([1]);
    expect(syncs.map(({ path }) => path)).toEqual([file, folder]);
    await database.query('UPDATE key_instances SET wraps_under = 2');
    expect(await rotating).toBe(0);
  });
});

describe('the new key file', () => {
  /** As a user who is neither root nor the owner. */
  const asNobody = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (isRoot) process.seteuid?.(NOBODY);
    try {
      return await work();
    } finally {
      if (isRoot) process.seteuid?.(0);
    }
  };

  it('has the mode and the owner of the old one', async () => {
    if (isRoot) await chown(file, 12_345, 23_456);
    await chmod(file, 0o440);
    const { mode, uid, gid } = await stat(file);
    await add();
    expect(await versionsInFile()).toEqual([1, 2]);
    expect(await stat(file)).toMatchObject({ mode, uid, gid });
  });

  it('comes where a link leads, which stays', async () => {
    const real = file;
    file = join(folder, 'link.json');
    await symlink(real, file);
    await add();
    expect((await lstat(file)).isSymbolicLink()).toBe(true);
    expect([...parseKeyMaterial(await readFile(real, 'utf8'), '').encryptionKeys.keys()]).toEqual([1, 2]);
  });

  it('cannot be written to a folder that this user may not write to, which is said, with what to do', async () => {
    await chmod(file, 0o644);
    await chmod(folder, 0o555);
    const refusal = await asNobody(add).catch((error: unknown) => error as Error);
    await chmod(folder, 0o755);
    expect(refusal).toBeInstanceOf(KeyMaterialError);
    expect((refusal as Error).message).toContain(`the folder ${folder} is not writable for this user`);
    expect((refusal as Error).message).toMatch(
      /run this as a user who may write to it, or where it is mounted writable/,
    );
    expect(await versionsInFile()).toEqual([1]);
  });

  (isRoot ? it : it.skip)('cannot be given to another user by one who may not, which is said', async () => {
    await chmod(file, 0o644);
    await chmod(folder, 0o777);
    await expect(asNobody(add)).rejects.toThrow(/belongs to user 0 and group 0.*rotate as that user or as root/);
    expect(await versionsInFile()).toEqual([1]);
    expect(await readdir(folder)).toEqual(['keys.json']);
  });
});
