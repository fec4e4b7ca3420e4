// Starts a Postgres for a benchmark and measures its processor time.
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@kyc/embedded-runtime/ports';
import { PostgresCluster } from '@kyc/embedded-runtime/postgres/cluster';

export const startPostgres = async ({ databases, settings }) => {
  const folder = mkdtempSync(join(tmpdir(), 'bench-postgres-'));
  // Under root, Postgres runs as another user and must pass through this folder.
  chmodSync(folder, 0o711);
  const directory = join(folder, 'postgres');
  const cluster = await PostgresCluster.prepare({ directory, password: 'bench', port: await freePort(), settings });
  const server = await cluster.start();
  for (const database of databases) await cluster.ensureDatabase(database);
  const stop = async () => {
    await server.stop();
    rmSync(folder, { recursive: true });
  };
  const pid = Number(readFileSync(join(directory, 'postmaster.pid'), 'utf8').split('\n')[0]);
  return { url: (database) => cluster.url(database), pid, stop };
};

const processes = () => readdirSync('/proc').filter((name) => /^\d+$/.test(name));

/** The processor time of these processes so far, in milliseconds. */
const processorTime = (isMeant) => {
  let total = 0;
  for (const pid of processes()) {
    try {
      if (isMeant(pid)) total += Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
    } catch {
      // The process has ended.
    }
  }
  return total;
};

/** The processor time of the sessions of a database, in milliseconds. */
export const timeOfSessions = (database) =>
  processorTime((pid) => {
    const title = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    return title.startsWith('postgres: ') && title.includes(` ${database} `);
  });
