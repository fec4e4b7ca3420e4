import { readdir, readFile, readlink, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isAlive } from '../kept-process.js';

const GRACE_MS = 4_500;
const KILLED_MS = 3_000;

const sleep = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

const isNumber = (name: string): boolean => /^\d+$/.test(name);

/** Processes whose working folder is the cluster's: a server of Postgres and its helpers, whatever became of their parent. */
const workersOf = async (directory: string): Promise<number[]> => {
  const processes = (await readdir('/proc').catch(() => [])).filter(isNumber);
  const folders = await Promise.all(processes.map((pid) => readlink(`/proc/${pid}/cwd`).catch(() => '')));
  return processes.filter((_, index) => folders[index] === directory).map(Number);
};

/** Where there is no /proc, the lock file's process is all that can be known. */
const lockHolder = async (directory: string): Promise<number[]> => {
  if (process.platform === 'linux') return [];
  const pid = Number((await readFile(join(directory, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n')[0]);
  return Number.isInteger(pid) && pid > 1 && isAlive(pid) ? [pid] : [];
};

const leftovers = async (directory: string): Promise<number[]> => [
  ...(await workersOf(directory)),
  ...(await lockHolder(directory)),
];

const waitUntilGone = async (directory: string, milliseconds: number): Promise<number[]> => {
  const deadline = performance.now() + milliseconds;
  let left = await leftovers(directory);
  while (left.length > 0 && performance.now() < deadline) {
    await sleep(50);
    left = await leftovers(directory);
  }
  return left;
};

const kill = (pid: number): void => {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It ended by itself in between.
  }
};

/**
 * Clears what an earlier server left in the cluster's folder. Its processes end by themselves when their service is gone; what
 * is still there afterwards is killed, which loses nothing that was committed. The lock file goes too, since its process id
 * may belong to another program by now. Only for whoever holds the lock of the data folder.
 */
export const clearLeftovers = async (directory: string, graceMs = GRACE_MS): Promise<void> => {
  const stubborn = await waitUntilGone(directory, graceMs);
  stubborn.forEach(kill);
  if (stubborn.length > 0) await waitUntilGone(directory, KILLED_MS);
  await rm(join(directory, 'postmaster.pid'), { force: true });
};
