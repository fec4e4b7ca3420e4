import { join } from 'node:path';
import { type Account, openAccount, signInOperator } from '../../src/demo/account.js';
import { type ServiceClient } from '../../src/demo/service-client.js';
import { freePort } from '../../src/platform/embedded/ports.js';
import { type BenchOptions } from '../options.js';
import { type BareServer, fillBare, startBare } from '../peers/bare.js';
import { type Contestant } from '../rounds.js';
import { type PeerDatabase, startPeerDatabase } from './cluster.js';
import { ingestIdentities } from './seed.js';
import { type BenchedService, startService } from './service.js';

const CREDITS = 1_000_000_000;

/** Opened at a time. */
const ACCOUNTS_AT_ONCE = 8;

const openAccounts = async (operator: ServiceClient, count: number): Promise<Account[]> => {
  const accounts: Account[] = [];
  while (accounts.length < count) {
    const names = Array.from(
      { length: Math.min(ACCOUNTS_AT_ONCE, count - accounts.length) },
      (_, index) => accounts.length + index,
    );
    const opening = names.map((index) => openAccount(operator, { name: `Bench ${index}`, credits: CREDITS }));
    accounts.push(...(await Promise.all(opening)));
  }
  return accounts;
};

/** Everything that is measured, running side by side: the service, the bare handler, and a Postgres for the peers. */
export class Stage {
  private identities = 0;
  private hot: Account | undefined;
  private others: readonly Account[] = [];
  private started: BenchedService | undefined;
  private bare: BareServer | undefined;
  private peers: PeerDatabase | undefined;

  constructor(private readonly folder: string) {}

  get description(): string {
    const store = process.env['EVENTSTORE_URL'] === undefined ? 'the embedded node' : 'the server at EVENTSTORE_URL';
    return `event store: ${store}; Postgres with fsync on, the same settings for all`;
  }

  get database(): PeerDatabase {
    return present(this.peers);
  }

  /** Starts it all, opens the accounts and ingests the identities. */
  async open({ tenants, identities }: BenchOptions): Promise<void> {
    this.peers = await startPeerDatabase(this.folder);
    await fillBare(this.peers.url, 0, 0);
    this.bare = await startBare(this.peers.url);
    this.started = await this.start(await freePort());
    console.log(`the service was ready after ${this.started.startSeconds.toFixed(1)} s`);
    const operator = await signInOperator(this.started.deployment);
    [this.hot, ...this.others] = await openAccounts(operator, tenants + 1);
    await this.growTo(identities);
  }

  serviceContestants(): Contestant[] {
    const { port, pid } = present(this.started);
    const common = { program: 'service', port, path: '/api/v1/check-eligibility', pids: [pid] };
    return [
      { ...common, apiKeys: [present(this.hot).apiKey] },
      { ...common, apiKeys: this.others.map(({ apiKey }) => apiKey) },
    ];
  }

  contestants(): Contestant[] {
    const { port, pid } = present(this.bare);
    const pids = [pid, this.database.pid];
    return [{ program: 'bare Fastify', port, path: '/check', pids, apiKeys: ['bare'] }, ...this.serviceContestants()];
  }

  async growTo(identities: number): Promise<void> {
    const count = identities - this.identities;
    if (count <= 0) return;
    await ingestIdentities(present(this.hot), present(this.started).port, this.identities, count);
    await fillBare(this.database.url, this.identities, count);
    this.identities = identities;
  }

  /** Stops the service and starts it again over the same data; seconds until it was ready. */
  async restart(): Promise<number> {
    const running = present(this.started);
    await running.stop();
    this.started = await this.start(running.port);
    return this.started.startSeconds;
  }

  /** Stops whatever was started. */
  async close(): Promise<void> {
    await this.started?.stop();
    await this.bare?.stop();
    await this.peers?.stop();
  }

  private start(port: number): Promise<BenchedService> {
    return startService(join(this.folder, 'service'), join(this.folder, 'service.log'), port);
  }
}

const present = <Part>(part: Part | undefined): Part => {
  if (part === undefined) throw new Error('the stage is not open');
  return part;
};
