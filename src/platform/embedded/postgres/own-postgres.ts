import { randomBytes } from 'node:crypto';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PostgresCluster } from './cluster.js';
import { freePort } from '../ports.js';
import { StartupError } from '../startup-error.js';
import { type Report, Supervisor } from '../supervisor.js';

export interface OwnPostgres {
  /** Connection string of one of the databases that were asked for. */
  url(database: string): string;
  stop(): Promise<void>;
}

/** A shutdown writes a checkpoint; one that takes longer is cut short and recovered from at the next start. */
const PATIENCE_SECONDS = 15;

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

/** Random, known to this folder only: loopback is open to every user of the machine. */
const passwordOf = async (folder: string, cluster: string): Promise<string> => {
  const file = join(folder, 'postgres-password');
  if (await exists(file)) return (await readFile(file, 'utf8')).trim();
  if (await exists(cluster)) {
    throw new StartupError(
      `${file} is missing beside its database: restore it from the back-up that the folder came from.`,
    );
  }
  const password = randomBytes(24).toString('hex');
  await writeFile(file, `${password}\n`, { mode: 0o600, flag: 'wx', flush: true });
  return password;
};

/**
 * Runs a Postgres in `dataDirectory`/postgres, on a free port of loopback, with these databases, and keeps it running until it is
 * stopped. The caller holds the lock of the folder. The first start makes it; the same port is kept over restarts of the server.
 */
export const startOwnPostgres = async (
  dataDirectory: string,
  databases: readonly string[],
  report: Report,
): Promise<OwnPostgres> => {
  const directory = join(dataDirectory, 'postgres');
  const password = await passwordOf(dataDirectory, directory);
  const cluster = await PostgresCluster.prepare({ directory, password, port: await freePort() });
  let graceMs: number | undefined;
  const supervisor = new Supervisor(
    'the embedded Postgres',
    async (signal) => {
      const server = await cluster.start({ signal, graceMs });
      // What the server leaves behind when it dies has nobody to wait for.
      graceMs = 0;
      return server;
    },
    report,
  );
  await supervisor.begin();
  const postgres: OwnPostgres = {
    url: (database) => cluster.url(database),
    stop: () => supervisor.stop(PATIENCE_SECONDS),
  };
  try {
    for (const database of databases) await cluster.ensureDatabase(database);
  } catch (error) {
    await postgres.stop();
    throw error;
  }
  return postgres;
};
