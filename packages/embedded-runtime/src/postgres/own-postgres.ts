import { join } from 'node:path';
import { WAIT_SECONDS, PostgresCluster } from './cluster.js';
import { freePort } from '../ports.js';
import { passwordOf } from './password.js';
import { type Report, Supervisor } from '../supervisor.js';

export interface OwnPostgres {
  /** Connection string of one of the requested databases. */
  url(database: string): string;
  stop(): Promise<void>;
}

/**
 * Runs a Postgres in `dataDirectory`/postgres with these databases, on a free port of loopback, until it is stopped. The caller
 * holds the lock of the folder. The first start creates the cluster. Restarts of the server keep the same port.
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
      // A dead server's leftover processes have no service to wait for.
      graceMs = 0;
      return server;
    },
    report,
  );
  await supervisor.begin();
  const postgres: OwnPostgres = {
    url: (database) => cluster.url(database),
    stop: async () => {
      await supervisor.stop(WAIT_SECONDS);
      await cluster.clear(0);
    },
  };
  try {
    for (const database of databases) await cluster.ensureDatabase(database);
  } catch (error) {
    await postgres.stop();
    throw error;
  }
  return postgres;
};
