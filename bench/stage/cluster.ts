import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { freePort } from '@kyc/embedded-runtime/ports';
import { PostgresCluster } from '@kyc/embedded-runtime/postgres/cluster';

export interface PeerDatabase {
  readonly url: string;
  readonly pid: number;
  stop(): Promise<void>;
}

/** Starts a Postgres for the peers, with the programs and settings of the service's own (fsync on). */
export const startPeerDatabase = async (folder: string): Promise<PeerDatabase> => {
  const cluster = await PostgresCluster.prepare({
    directory: join(folder, 'peer-postgres'),
    password: randomBytes(16).toString('hex'),
    port: await freePort(),
  });
  const server = await cluster.start();
  await cluster.ensureDatabase('peers');
  return { url: cluster.url('peers'), pid: server.pid ?? 0, stop: () => server.stop(5) };
};
