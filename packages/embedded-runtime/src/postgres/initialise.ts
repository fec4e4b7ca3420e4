import { chown, mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Account, launchAs } from './account.js';
import { type PostgresBinaries } from './binaries.js';
import { childEnvironment } from '../child-environment.js';
import { SupervisedProcess } from '../supervised-process.js';
import { StartupError } from '../startup-error.js';

export const SUPERUSER = 'kyc';
const INITDB_SECONDS = 60;

const syncFolder = async (path: string): Promise<void> => {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
};

const giveTo = async (account: Account | undefined, path: string): Promise<void> => {
  if (account !== undefined) await chown(path, account.uid, account.gid);
};

interface NewCluster {
  readonly binaries: PostgresBinaries;
  readonly account: Account | undefined;
  readonly directory: string;
  readonly password: string;
  /** The descriptor through which the caller holds the folder. */
  readonly inherits: number;
}

const runInitdb = async ({ binaries, account, directory, password, inherits }: NewCluster): Promise<void> => {
  const command = [
    '/bin/sh',
    '-c',
    'printf "%s\\n" "$CLUSTER_PASSWORD" | "$@"',
    'sh',
    binaries.initdb,
    '--pgdata',
    directory,
    '--username',
    SUPERUSER,
    '--pwfile',
    '/dev/stdin',
    '--auth',
    'scram-sha-256',
    '--encoding',
    'UTF8',
    '--locale',
    'C',
    '--no-instructions',
  ];
  const initdb = new SupervisedProcess({
    ...launchAs(account, command, [binaries.initdb, directory]),
    environment: { ...childEnvironment(), LC_ALL: 'C', CLUSTER_PASSWORD: password },
    signals: ['TERM'],
    inherits,
  });
  const overdue = setTimeout(() => void initdb.stop(1), INITDB_SECONDS * 1_000);
  await initdb.ended;
  clearTimeout(overdue);
  const made = await readFile(join(directory, 'PG_VERSION'), 'utf8').catch(() => undefined);
  if (initdb.status !== 0 || made === undefined) {
    throw new StartupError(`The embedded Postgres could not be set up in ${directory}:\n${initdb.lastWords}`);
  }
};

/**
 * Creates the cluster where there is none. It is built in another folder and moved when complete. An interrupted start
 * therefore leaves nothing that looks like a cluster.
 */
export const initialiseCluster = async (cluster: NewCluster): Promise<void> => {
  const { account, directory } = cluster;
  const unfinished = `${directory}.unfinished`;
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { recursive: true, mode: 0o700 });
  await giveTo(account, unfinished);
  await runInitdb({ ...cluster, directory: unfinished });
  await rename(unfinished, directory);
  await syncFolder(dirname(directory));
};
