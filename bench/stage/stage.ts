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

  constructor(
    private readonly folder: string,
    private service: BenchedService,
    readonly database: PeerDatabase,
    private readonly bare: BareServer,
    private readonly hot: Account,
    private readonly others: readonly Account[],
  ) {}

  get description(): string {
    const store = process.env['EVENTSTORE_URL'] === undefined ? 'the embedded node' : 'the server at EVENTSTORE_URL';
    return `event store: ${store}; Postgres with fsync on, the same settings for all`;
  }

  serviceContestants(): Contestant[] {
    const path = '/api/v1/check-eligibility';
    const { port, pid } = this.service;
    const common = { program: 'service', port, path, pids: [pid] };
    return [
      { ...common, apiKeys: [this.hot.apiKey] },
      { ...common, apiKeys: this.others.map(({ apiKey }) => apiKey) },
    ];
  }

  contestants(): Contestant[] {
    const { port, pid } = this.bare;
    const bare = { program: 'bare Fastify', port, path: '/check', pids: [pid, this.database.pid], apiKeys: ['bare'] };
    return [bare, ...this.serviceContestants()];
  }

  async growTo(identities: number): Promise<void> {
    const [seeder] = this.others;
    const count = identities - this.identities;
    if (seeder === undefined || count <= 0) return;
    await ingestIdentities(seeder, this.service.port, this.identities, count);
    await fillBare(this.database.url, this.identities, count);
    this.identities = identities;
  }

  /** Stops the service and starts it again over the same data; seconds until it was ready. */
  async restart(): Promise<number> {
    await this.service.stop();
    this.service = await startService(
      join(this.folder, 'service'),
      join(this.folder, 'service.log'),
      this.service.port,
    );
    return this.service.startSeconds;
  }

  async close(): Promise<void> {
    await this.service.stop();
    await this.bare.stop();
    await this.database.stop();
  }
}

/** Starts it all, opens the accounts and ingests the identities. */
export const openStage = async (options: BenchOptions, folder: string): Promise<Stage> => {
  const database = await startPeerDatabase(folder);
  await fillBare(database.url, 0, 0);
  const bare = await startBare(database.url);
  const service = await startService(join(folder, 'service'), join(folder, 'service.log'), await freePort());
  console.log(`the service was ready after ${service.startSeconds.toFixed(1)} s`);
  const operator = await signInOperator(service.deployment);
  const [hot, ...others] = await openAccounts(operator, options.tenants + 1);
  if (hot === undefined) throw new Error('there is no account to measure with');
  const stage = new Stage(folder, service, database, bare, hot, others);
  await stage.growTo(options.identities);
  return stage;
};
