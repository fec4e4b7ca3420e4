import { mkdir, realpath, rm, stat, unlink, writeFile } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { StartupError } from './startup-error.js';

/** Another process has the folder. */
export class DataDirectoryInUse extends StartupError {}

/** How to start the program that wants the folder, as its advice spells it. */
export interface Program {
  readonly command: string;
  /** A setting that lets a second one run beside the first. */
  readonly besides: string;
}

const SERVICE: Program = { command: 'npm start', besides: 'PORT=3001' };

export interface DataDirectory {
  /** Its real path. */
  readonly path: string;
  release(): Promise<void>;
}

const ANSWER_MS = 300;

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

/** Postgres runs as another user where the service is root, and must pass through; what is secret has modes of its own. */
const mode = (): number => (process.getuid?.() === 0 ? 0o711 : 0o700);

/** Node's own recursive mkdir never returns where a parent refuses new folders with ENOENT, as /proc does. */
const makeFolder = async (path: string): Promise<void> => {
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
    await rm(probe);
    return await realpath(path);
  } catch (error) {
    throw explain(path, program, error);
  }
};

/**
 * A name that only one process can listen on; the kernel frees it when that process ends, however it ends. It is derived from the
 * folder itself, so that two paths to one folder are one lock.
 */
const lockAddress = async (path: string): Promise<string> => {
  const { dev, ino } = await stat(path);
  const name = `kyc-attestation-network-${dev}-${ino}`;
  return process.platform === 'linux' ? `\0${name}` : join(tmpdir(), `${name}.lock`);
};

const listen = (address: string): Promise<Server> =>
  new Promise((resolve, reject) => {
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.end(String(process.pid));
    });
    server.once('error', reject);
    server.listen({ path: address, exclusive: true }, () => {
      server.unref();
      resolve(server);
    });
  });

type Holder = { readonly kind: 'alive'; readonly pid: string | undefined } | { readonly kind: 'gone' };

const holderOf = (address: string): Promise<Holder> =>
  new Promise((resolve) => {
    const socket = connect(address);
    const conclude = (holder: Holder): void => {
      socket.destroy();
      resolve(holder);
    };
    socket.once('data', (pid: Buffer) => conclude({ kind: 'alive', pid: pid.toString() }));
    socket.once('error', () => conclude({ kind: 'gone' }));
    // A holder that is stopped accepts and says nothing.
    socket.setTimeout(ANSWER_MS, () => conclude({ kind: 'alive', pid: undefined }));
  });

const lock = async (address: string, path: string, { command, besides }: Program): Promise<Server> => {
  try {
    return await listen(address);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    const holder = await holderOf(address);
    if (holder.kind === 'alive') {
      const who = holder.pid === undefined ? 'another process' : `another process (pid ${holder.pid})`;
      throw new DataDirectoryInUse(
        `The data folder ${path} is in use by ${who}: stop that one, or give this one a folder of its own, for example DATA_DIR=.data2 ${besides} ${command}.`,
        { cause: error },
      );
    }
    // Only a lock that is a file outlives its process.
    if (!address.startsWith('\0')) await unlink(address).catch(() => undefined);
    return listen(address);
  }
};

/** Makes the folder where it is missing and takes it for this process. Throws StartupError where another one has it. */
export const openDataDirectory = async (path: string, program = SERVICE): Promise<DataDirectory> => {
  const real = await makeWritable(path, program);
  const server = await lock(await lockAddress(real), real, program);
  return {
    path: real,
    release: () => new Promise((resolve) => server.close(() => resolve())),
  };
};
