import { join } from 'node:path';
import { type Figure } from './figures.js';
import { measureEmmett, measurePgbench } from './measure.js';
import { type BenchOptions } from './options.js';
import { type PgbenchJob, pgbenchInstalled } from './peers/pgbench.js';
import { type PeerDatabase } from './stage/cluster.js';

/**
 * Measures the debit alone by other programs, in process or by Postgres' own tool. Emmett also runs with one debit at a time,
 * where none of its appends conflicts. The better figure counts.
 */
export const measurePeers = async (
  { database }: { readonly database: PeerDatabase },
  options: BenchOptions,
  folder: string,
  rate: number,
): Promise<Figure[]> => {
  const { url: databaseUrl, pid } = database;
  const { seconds, warmupSeconds, connections } = options;
  const figures: Figure[] = [];
  for (const [tenants, concurrency] of [
    [1, 1],
    [1, connections],
    [options.tenants, connections],
  ] as const) {
    figures.push(await measureEmmett({ databaseUrl, tenants, concurrency, warmupSeconds, seconds }, pid));
  }
  if (!pgbenchInstalled()) {
    console.log('pgbench is not installed here: that comparison is left out');
    return figures;
  }
  for (const tenants of [1, options.tenants]) {
    const job: PgbenchJob = { databaseUrl, folder: join(folder, 'pgbench'), tenants, clients: connections, seconds };
    figures.push(await measurePgbench(job, pid));
    figures.push(await measurePgbench({ ...job, rate }, pid));
  }
  return figures;
};
