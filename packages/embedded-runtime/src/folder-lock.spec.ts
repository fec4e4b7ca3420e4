import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FolderLock, type HeldPipe, lifeWithoutReader } from './folder-lock.js';

describe('the lock of a folder', () => {
  let folder: string;
  let lock: FolderLock;
  const open: HeldPipe[] = [];

  const hold = async (purpose: string): Promise<HeldPipe> => {
    const pipe = await lock.hold(purpose);
    open.push(pipe);
    return pipe;
  };
  const close = (pipe: HeldPipe): void => {
    open.splice(open.indexOf(pipe), 1);
    pipe.close();
  };
  const lives = async (): Promise<string[]> =>
    Promise.all((await lock.holders('')).map((holder) => lock.lifeOf(holder)));

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'kyc-lock-'));
    lock = await FolderLock.of(folder);
  });
  afterEach(() => {
    for (const pipe of open.splice(0)) pipe.close();
    rmSync(folder, { recursive: true });
  });

  it('knows its holder by process and machine while it lives', async () => {
    const pipe = await hold('program');
    const [holder] = await lock.holders('program');
    expect(holder).toMatchObject({ path: pipe.path, purpose: 'program', pid: String(process.pid) });
    expect(holder && lock.describe(holder)).toBe(`pid ${process.pid}`);
    expect(await lives()).toEqual(['alive']);
    close(pipe);
    expect(await lives()).toEqual(['gone']);
  });

  it('is held on by a child that inherited it', async () => {
    const pipe = await hold('program');
    const child = spawn('sleep', ['600'], { stdio: ['ignore', 'ignore', 'ignore', pipe.descriptor] });
    close(pipe);
    expect(await lives()).toEqual(['alive']);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(await lives()).toEqual(['gone']);
  });

  it('is won by nobody while two hold it, and by the one that is left, which removes what the other left', async () => {
    const [one, other] = [await hold('program'), await hold('program')];
    expect(await lock.rivals(one, 'program')).toMatchObject({ wins: false, living: [{ path: other.path }] });
    expect(await lock.rivals(other, 'program')).toMatchObject({ wins: false, living: [{ path: one.path }] });
    close(other);
    expect(await lock.rivals(one, 'program')).toEqual({ wins: true, living: [] });
    expect(existsSync(other.path)).toBe(false);
  });

  it('is not won by one whose pipe a winner has removed', async () => {
    const pipe = await hold('program');
    rmSync(pipe.path);
    expect(await lock.rivals(pipe, 'program')).toMatchObject({ wins: false });
  });

  it('takes a file system of this machine for what it is, whatever another start of it was called', async () => {
    const pipe = await hold('program');
    close(pipe);
    renameSync(pipe.path, pipe.path.replace(/[^_]+(_[^_]+)$/, 'earlier$1'));
    expect(await lives()).toEqual(['gone']);
  });

  it.each([
    ['gone', 'on a file system of this machine alone', true, 'b', '2'],
    ['gone', 'on the same mount since the same start', false, 'a', '1'],
    ['unknown', 'on another mount', false, 'a', '2'],
    ['unknown', 'on another machine', false, 'b', '1'],
    ['unknown', 'where the start has no number', false, 'unknown', '1'],
  ] as const)('holds one without a reader for %s %s', (life, _where, isLocal, boot, device) => {
    const here = { isLocal, device: '1', boot: boot === 'unknown' ? boot : 'a' };
    expect(lifeWithoutReader({ boot, device }, here)).toBe(life);
  });
});
