import { spawn, type SpawnOptions } from 'node:child_process';
import {
  appendFileSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually, READY_WITHIN } from './processes.js';

/** The process id of the whole run: jest itself when this is a worker, otherwise this process. */
const runOwner = (): number => {
  const parent = readFileSync(`/proc/${process.ppid}/cmdline`, 'utf8');
  return parent.includes('jest') ? process.ppid : process.pid;
};

/** Ends the programs after the run, however the run ended, and removes their folder. Each line of `pids` is a signal and a process. */
const CLEANUP_SCRIPT = `
while kill -0 "$1" 2>/dev/null && [ -d "$2" ]; do sleep 0.5; done
while read -r signal pid; do kill -s "$signal" "$pid" 2>/dev/null; done <"$2/pids"
sleep 1
while read -r signal pid; do kill -s KILL "$pid" 2>/dev/null; done <"$2/pids"
rm -rf "$2"
`;

/** A program that several spec files use. It ends with the run. */
export interface Program {
  readonly command: readonly string[];
  readonly options?: Pick<SpawnOptions, 'cwd' | 'env' | 'uid' | 'gid'>;
  /** What ends it within a second. */
  readonly signal: 'TERM' | 'QUIT';
}

/** Where a shared server keeps its files, and how it starts its programs. */
export interface Ground {
  readonly folder: string;
  /** Its output goes to `output` in the folder. */
  run(program: Program): void;
}

const pidsIn = (folder: string): string => join(folder, 'pids');

const groundIn = (folder: string): Ground => ({
  folder,
  run: ({ command: [program = '', ...args], options, signal }) => {
    const output = openSync(join(folder, 'output'), 'a', 0o600);
    const child = spawn(program, args, { ...options, detached: true, stdio: ['ignore', output, output] });
    closeSync(output);
    // Without a process id it did not start; who waits for it says so.
    child.on('error', (error) => appendFileSync(join(folder, 'output'), String(error)));
    if (child.pid !== undefined) appendFileSync(pidsIn(folder), `${signal} ${child.pid}\n`);
    child.unref();
  },
});

const begin = async <Word>(folder: string, start: (ground: Ground) => Promise<Word>): Promise<Word> => {
  const file = join(folder, 'word');
  writeFileSync(pidsIn(folder), '', { mode: 0o600 });
  const sexton = ['-c', CLEANUP_SCRIPT, 'sh', String(runOwner()), folder];
  spawn('/bin/sh', sexton, { detached: true, stdio: 'ignore' }).unref();
  try {
    const word = await start(groundIn(folder));
    writeFileSync(`${file}.new`, JSON.stringify(word), { mode: 0o600 });
    renameSync(`${file}.new`, file);
    return word;
  } catch (error) {
    for (const line of readFileSync(pidsIn(folder), 'utf8').split('\n').filter(Boolean))
      end(Number(line.split(' ')[1]));
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
};

const end = (pid: number): void => {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
};

/** Whether this caller made the folder. */
const isClaimed = (folder: string): boolean => {
  try {
    mkdirSync(folder, { mode: 0o711 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
};

/**
 * What one server of a run says of itself. The first spec file that needs it starts it, in whichever worker; the others wait for
 * its word, and the next one starts it where a start failed.
 */
export const ofTheRun = async <Word>(name: string, start: (ground: Ground) => Promise<Word>): Promise<Word> => {
  const folder = join(tmpdir(), `kyc-tests-${runOwner()}-${name}`);
  const file = join(folder, 'word');
  const mine = await eventually(
    `${name}, started by another spec file`,
    () => (isClaimed(folder) ? 'mine' : existsSync(file) && 'theirs'),
    2 * READY_WITHIN,
  );
  return mine === 'mine' ? begin(folder, start) : (JSON.parse(readFileSync(file, 'utf8')) as Word);
};
