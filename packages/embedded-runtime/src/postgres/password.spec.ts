import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StartupError } from '../startup-error.js';
import { passwordOf } from './password.js';

let folder = '';
const file = () => join(folder, 'postgres-password');
const cluster = () => join(folder, 'postgres');

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kyc-password-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('the password of the embedded Postgres', () => {
  it('is made once, and only its owner reads it', async () => {
    const password = await passwordOf(folder, cluster());
    expect(password).toMatch(/^[0-9a-f]{48}$/);
    await mkdir(cluster());
    expect(await passwordOf(folder, cluster())).toBe(password);
    expect((await stat(file())).mode & 0o777).toBe(0o600);
    expect(await readdir(folder)).toEqual(['postgres', 'postgres-password']);
  });

  it.each(['', '\n', 'f00'])('is made anew where a crash before the first database left %j', async (left) => {
    await writeFile(file(), left);
    const password = await passwordOf(folder, cluster());
    expect(password).toMatch(/^[0-9a-f]{48}$/);
    expect(await readFile(file(), 'utf8')).toBe(`${password}\n`);
  });

  it.each([undefined, '', 'a word that leaks'])('names the file beside a database where it is %j', async (left) => {
    await mkdir(cluster());
    if (left !== undefined) await writeFile(file(), left);
    const failure = await passwordOf(folder, cluster()).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(StartupError);
    expect((failure as Error).message).toContain(file());
    expect((failure as Error).message).not.toContain('leaks');
  });
});
