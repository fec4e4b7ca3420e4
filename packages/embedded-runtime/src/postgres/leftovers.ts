import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type FolderLock, type Holder } from '../folder-lock.js';
import { INHERITED } from '../supervised-process.js';
import { StartupError } from '../startup-error.js';

const GRACE_MS = 4_500;
const KILLED_MS = 3_000;
const PURPOSE = 'postgres';
/** Index of the port's line in postmaster.pid, counted from zero. */
const PORT_LINE = 3;

const sleep = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** The purpose in the name of a server's pipe. It holds the port, so postmaster.pid can be matched to a server started here. */
export const purposeOf = (port: number): string => `${PURPOSE}-${port}`;

const waitUntilGone = async (lock: FolderLock, milliseconds: number): Promise<Holder[]> => {
  const deadline = performance.now() + milliseconds;
  let left = await lock.notGone(await lock.holders(PURPOSE));
  while (left.length > 0 && performance.now() < deadline) {
    await sleep(50);
    left = await lock.notGone(left);
  }
  return left;
};

/** The processes that hold this pipe as descriptor INHERITED. A process can get it there by inheritance alone. */
const heirsOf = async (pipe: string): Promise<number[]> => {
  const { dev, ino } = await stat(pipe);
  const processes = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
  const isHeir = await Promise.all(
    processes.map((pid) =>
      stat(`/proc/${pid}/fd/${INHERITED}`).then(
        (held) => held.dev === dev && held.ino === ino,
        () => false,
      ),
    ),
  );
  return processes.filter((_, index) => isHeir[index]).map(Number);
};

const kill = (pid: number): void => {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // The process ended by itself in between.
  }
};

const refuse = async (directory: string, lock: FolderLock, holder: Holder): Promise<never> => {
  const who = lock.describe(holder);
  if ((await lock.lifeOf(holder)) === 'unknown') {
    throw new StartupError(
      `A Postgres of an earlier start (${who}) used ${directory}, and from here it cannot be told whether it still runs: make sure that it does not, delete the file ${holder.path}, then start again.`,
    );
  }
  throw new StartupError(
    `A Postgres of an earlier start still uses ${directory}, started by ${who}: stop it or its container, then start again.`,
  );
};

/**
 * Removes the lock file of a server that is proved to be gone. Postgres itself would trust a process id of another namespace.
 */
const removeLockFile = async (directory: string, gone: readonly Holder[]): Promise<void> => {
  const file = join(directory, 'postmaster.pid');
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  });
  if (text === undefined) return;
  const port = text.split('\n')[PORT_LINE];
  // A crash of the machine may leave an empty file.
  const isOurs = gone.some(({ purpose }) => text === '' || purpose === purposeOf(Number(port)));
  if (!isOurs) {
    throw new StartupError(
      `A Postgres that this program did not start has used ${directory}, and may still run: make sure that none does, on no machine and in no container, delete the file ${file}, then start again.`,
    );
  }
  await rm(file);
};

/**
 * Clears the cluster's folder of what earlier servers left. Their processes end by themselves when their service is gone.
 * Processes that remain afterwards are killed, which loses no committed data. The caller must hold the lock of the data folder.
 * Throws StartupError where a server may still run.
 */
export const clearLeftovers = async (directory: string, lock: FolderLock, graceMs = GRACE_MS): Promise<void> => {
  let left = await waitUntilGone(lock, graceMs);
  if (left.length > 0) {
    for (const { path } of left) (await heirsOf(path)).forEach(kill);
    left = await waitUntilGone(lock, KILLED_MS);
  }
  const [holder] = left;
  if (holder !== undefined) await refuse(directory, lock, holder);
  const gone = await lock.holders(PURPOSE);
  await removeLockFile(directory, gone);
  for (const { path } of gone) await rm(path, { force: true });
};
