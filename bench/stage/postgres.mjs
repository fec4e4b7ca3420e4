// A Postgres of a bench's own, and what it takes of the processor.
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@kyc/embedded-runtime/ports';
import { PostgresCluster } from '@kyc/embedded-runtime/postgres/cluster';

export const startPostgres = async ({ databases, settings }) => {
  const folder = mkdtempSync(join(tmpdir(), 'bench-postgres-'));
  // Postgres runs as another user where this one is root, and passes through.
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

/** Milliseconds that those processes have taken so far. */
const processorTime = (isMeant) => {
  let total = 0;
  for (const pid of processes()) {
    try {
      if (isMeant(pid)) total += Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
    } catch {
      // It has ended.
    }
  }
  return total;
};

/** Of a server with all its processes. */
export const timeOfServer = (postmaster) =>
  processorTime((pid) => {
    const parent = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ')[1];
    return Number(pid) === postmaster || Number(parent) === postmaster;
  });

/** Of the sessions of a database. */
export const timeOfSessions = (database) =>
  processorTime((pid) => {
    const title = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    return title.startsWith('postgres: ') && title.includes(` ${database} `);
  });
