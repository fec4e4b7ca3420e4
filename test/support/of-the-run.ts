import { spawn, type SpawnOptions } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually, READY_WITHIN } from './processes.js';

/** The process id of the whole run: jest itself when this is a worker, otherwise this process. */
const runOwner = (): number => {
  const parent = readFileSync(`/proc/${process.ppid}/cmdline`, 'utf8');
  return parent.includes('jest') ? process.ppid : process.pid;
};

/** Ends a program after the run, however the run ended, and removes its folder. */
const SEXTON = `
while kill -0 "$1" 2>/dev/null; do sleep 0.5; done
kill -s QUIT "$2" 2>/dev/null; sleep 1; kill -s KILL "$2" 2>/dev/null; rm -rf "$3"
`;

/** A program that several spec files use. It ends with the run. */
export interface Program {
  readonly command: readonly string[];
  readonly options?: Pick<SpawnOptions, 'cwd' | 'env' | 'uid' | 'gid'>;
}

/** Where a shared server keeps its files, and how it starts its programs. */
export interface Ground {
  readonly folder: string;
  /** Its output goes to `output` in the folder. */
  run(program: Program): void;
}

const groundIn = (folder: string): Ground => ({
  folder,
  run: ({ command: [program = '', ...args], options }) => {
    const output = openSync(join(folder, 'output'), 'a', 0o600);
    const child = spawn(program, args, { ...options, detached: true, stdio: ['ignore', output, output] });
    closeSync(output);
    const sexton = ['-c', SEXTON, 'sh', String(runOwner()), String(child.pid), folder];
    spawn('/bin/sh', sexton, { detached: true, stdio: 'ignore' }).unref();
    child.unref();
  },
});

/**
 * What one server of a run says of itself. The first spec file that needs it starts it, in whichever worker; the others wait for
 * its word. A start that fails is tried again by the next one.
 */
export const ofTheRun = async <Word>(name: string, start: (ground: Ground) => Promise<Word>): Promise<Word> => {
  const folder = join(tmpdir(), `kyc-tests-${runOwner()}-${name}`);
  const file = join(folder, 'word');
  try {
    mkdirSync(folder, { mode: 0o711 });
  } catch {
    const read = (): Word => JSON.parse(readFileSync(file, 'utf8')) as Word;
    return eventually(`${name}, started by another spec file`, read as () => Word & {}, 2 * READY_WITHIN);
  }
  try {
    const word = await start(groundIn(folder));
    writeFileSync(`${file}.new`, JSON.stringify(word), { mode: 0o600 });
    renameSync(`${file}.new`, file);
    return word;
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
};
