import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type SupervisedProcess } from '@kyc/embedded-runtime/supervised-process';
import { PostgresCluster } from '@kyc/embedded-runtime/postgres/cluster';
import { ownPort } from '../ports.js';
import { postmasterOf, signalTree } from './process-tree.js';
import { reached } from './slow-stores.js';

const DATABASE = 'kyc';

/** A Postgres server of one test, which the test kills and stops. */
export class PostgresServer {
  private constructor(
    private readonly folder: string,
    readonly databaseUrl: string,
    private readonly cluster: PostgresCluster,
    private server: SupervisedProcess,
  ) {}

  static async start(): Promise<PostgresServer> {
    const folder = mkdtempSync(join(tmpdir(), 'kyc-postgres-'));
    // The server runs as another user where the tests run as root.
    chmodSync(folder, 0o711);
    const cluster = await PostgresCluster.prepare({
      directory: join(folder, 'postgres'),
      password: randomBytes(16).toString('hex'),
      port: await ownPort(),
    });
    const server = await cluster.start();
    await cluster.ensureDatabase(DATABASE);
    return new PostgresServer(folder, await reached(cluster.url(DATABASE)), cluster, server);
  }

  /** Where the server keeps its data, within a folder that goes with it. */
  get dataFolder(): string {
    return join(this.folder, 'postgres');
  }

  /** Sends SIGKILL to the server alone, or to it and all its processes at once. */
  async kill9(which: 'server' | 'all'): Promise<void> {
    const postmaster = postmasterOf(join(this.folder, 'postgres'));
    if (which === 'all') signalTree(postmaster, 'SIGKILL');
    else process.kill(postmaster, 'SIGKILL');
    await this.server.ended;
  }

  async startAgain(): Promise<void> {
    this.server = await this.cluster.start();
  }

  pause(): void {
    signalTree(postmasterOf(join(this.folder, 'postgres')), 'SIGSTOP');
  }

  resume(): void {
    signalTree(postmasterOf(join(this.folder, 'postgres')), 'SIGCONT');
  }

  async stop(): Promise<void> {
    await this.server.stop(2);
    rmSync(this.folder, { recursive: true, force: true });
  }
}
