import { randomInt } from 'node:crypto';
import { mkdir, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { FolderLock, type HeldPipe, type Holder } from './folder-lock.js';
import { StartupError } from './startup-error.js';

/** Another process has the folder. */
export class DataDirectoryInUse extends StartupError {}

/** The program that wants the folder. The advice in error messages names it. */
export interface Program {
  readonly command: string;
  /** A setting that lets a second instance run beside the first. */
  readonly besides: string;
}

const SERVICE: Program = { command: 'npm start', besides: 'PORT=3001' };

export interface DataDirectory {
  /** The real path, without symbolic links. */
  readonly path: string;
  release(): Promise<void>;
}

const PURPOSE = 'program';
const ATTEMPTS = 5;
const MAX_PAUSE_MS = 200;

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

/**
 * Under root, Postgres runs as another user and must pass through this folder. Secret files have stricter modes of their own.
 */
const mode = (): number => (process.getuid?.() === 0 ? 0o711 : 0o700);

/** Node's own recursive mkdir never returns where a parent refuses new folders with ENOENT, as /proc does. */
export const makeFolder = async (path: string): Promise<void> => {
  try {
    await mkdir(path, { mode: mode() });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return;
    if (code !== 'ENOENT' || (await exists(dirname(path)))) throw error;
    await makeFolder(dirname(path));
    await mkdir(path, { mode: mode() });
  }
};

const explain = (path: string, { command }: Program, error: unknown): StartupError =>
  new StartupError(
    `The data folder ${path} is not writable (${(error as NodeJS.ErrnoException).code ?? String(error)}): give another one, for example DATA_DIR=~/kyc-data ${command}, or correct its owner and mode.`,
    { cause: error },
  );

const makeWritable = async (path: string, program: Program): Promise<string> => {
  const probe = join(path, '.writable');
  try {
    await makeFolder(path);
    await writeFile(probe, '');
    // Another instance may start at this moment and write its own probe.
    await rm(probe, { force: true });
    return await realpath(path);
  } catch (error) {
    throw explain(path, program, error);
  }
};

const refuse = async (
  path: string,
  { command, besides }: Program,
  lock: FolderLock,
  holder: Holder,
): Promise<never> => {
  const who = lock.describe(holder);
  if ((await lock.lifeOf(holder)) === 'unknown') {
    throw new StartupError(
      `The data folder ${path} was used by ${who}, and from here it cannot be told whether that one still runs: make sure that nothing uses the folder anywhere, delete the file ${holder.path}, then start again.`,
    );
  }
  throw new DataDirectoryInUse(
    `The data folder ${path} is in use by another process (${who}): stop that one, or give this one a folder of its own, for example DATA_DIR=.data2 ${besides} ${command}.`,
  );
};

/** Two instances that start at the same moment see each other and both step back. A random pause separates them. */
const take = async (path: string, program: Program, lock: FolderLock): Promise<HeldPipe> => {
  for (let attempt = 1; ; attempt += 1) {
    const pipe = await lock.hold(PURPOSE);
    const { living, wins } = await lock.rivals(pipe, PURPOSE);
    if (wins) return pipe;
    await giveBack(pipe);
    const [holder] = living;
    if (attempt >= ATTEMPTS && holder !== undefined) await refuse(path, program, lock, holder);
    await sleep(randomInt(MAX_PAUSE_MS));
  }
};

const giveBack = async (pipe: HeldPipe): Promise<void> => {
  await rm(pipe.path, { force: true });
  pipe.close();
};

/** Creates the folder where it is missing and takes it for this process. Throws StartupError where another process has it. */
export const openDataDirectory = async (path: string, program = SERVICE): Promise<DataDirectory> => {
  const real = await makeWritable(path, program);
  const pipe = await take(real, program, await FolderLock.of(real));
  return { path: real, release: () => giveBack(pipe) };
};
