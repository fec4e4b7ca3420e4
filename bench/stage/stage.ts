import { join } from 'node:path';
import { type KycClient } from '@kyc/client';
import { type Account, clientOf, openAccount, signInOperator } from '@kyc/tools/demo/account';
import { type Deployment } from '@kyc/tools/demo/running-service';
import { freePort } from '@kyc/embedded-runtime/ports';
import { announcedStores } from '@kyc/embedded-runtime/running-stores';
import { type BareServer, fillBare, startBare } from '../peers/bare.js';
import { type Contestant } from '../rounds.js';
import { type PeerDatabase, startPeerDatabase } from './cluster.js';
import { readKept, writeKept } from './kept.js';
import { ingestIdentities } from './seed.js';
import { type BenchedService, startService } from './service.js';
import { settle } from './settle.js';

const CREDITS = 1_000_000_000;

/** Number of accounts that are opened concurrently. */
const ACCOUNTS_AT_ONCE = 8;

const openAccounts = async (
  deployment: Deployment,
  operator: KycClient,
  first: number,
  end: number,
): Promise<Account[]> => {
  const accounts: Account[] = [];
  for (let from = first; from < end; from += ACCOUNTS_AT_ONCE) {
    const numbers = Array.from({ length: Math.min(ACCOUNTS_AT_ONCE, end - from) }, (_, offset) => from + offset);
    const opening = numbers.map((number) =>
      openAccount(deployment, operator, { name: `Bench ${number}`, credits: CREDITS }),
    );
    accounts.push(...(await Promise.all(opening)));
  }
  return accounts;
};

/**
 * Runs all measured programs side by side. The service uses the data in a folder, which another run can continue. The bare
 * handler and a Postgres for the peers run where they are requested.
 */
export class Stage {
  private found = 0;
  private accounts: readonly Account[] = [];
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

  /** The identities numbered below this are found. */
  get identities(): number {
    return this.found;
  }

  /** The account that ingests all identities. */
  get hot(): Account {
    return present(this.accounts[0]);
  }

  get baseUrl(): string {
    return present(this.started).deployment.base_url;
  }

  /** Starts the service and opens the accounts that an earlier run has not opened. */
  async open(tenants: number): Promise<void> {
    const kept = readKept(this.folder);
    this.found = kept.identities;
    this.started = await this.start(await freePort());
    console.log(
      `the service was ready after ${this.started.startSeconds.toFixed(1)} s, with ${this.found} identities of earlier runs`,
    );
    const { deployment } = this.started;
    const operator = await signInOperator(deployment);
    const known = kept.accounts.map((account) => ({
      ...account,
      client: clientOf(deployment.base_url, { apiKey: account.apiKey }),
    }));
    this.accounts = [...known, ...(await openAccounts(deployment, operator, known.length, tenants + 1))].slice(
      0,
      tenants + 1,
    );
    this.keep(known.length > this.accounts.length ? known : this.accounts);
  }

  /** Starts the peers. Their data are created anew in `folder`. */
  async openPeers(folder: string): Promise<void> {
    this.peers = await startPeerDatabase(folder);
    await fillBare(this.peers.url, 0, this.found);
    this.bare = await startBare(this.peers.url);
  }

  serviceContestants(): Contestant[] {
    const { port, pid } = present(this.started);
    const common = { program: 'service', port, path: '/api/v1/check-eligibility', pids: [pid] };
    return [
      { ...common, apiKeys: [this.hot.apiKey] },
      { ...common, apiKeys: this.accounts.slice(1).map(({ apiKey }) => apiKey) },
    ];
  }

  contestants(): Contestant[] {
    const { port, pid } = present(this.bare);
    const pids = [pid, this.database.pid];
    return [{ program: 'bare Fastify', port, path: '/check', pids, apiKeys: ['bare'] }, ...this.serviceContestants()];
  }

  /** Returns records per second. Undefined where the stage has as many identities already. */
  async growTo(identities: number): Promise<number | undefined> {
    const first = this.found;
    const count = identities - first;
    if (count <= 0) return undefined;
    const target = { baseUrl: this.baseUrl, account: this.hot };
    const perSecond = await ingestIdentities(target, first, count, (end) => this.grewTo(end));
    if (this.peers !== undefined) await fillBare(this.peers.url, first, count);
    await settle(await this.databaseUrl());
    return perSecond;
  }

  /** Records that the identities numbered below this are found. */
  grewTo(identities: number): void {
    this.found = identities;
    this.keep(readKept(this.folder).accounts);
  }

  /** The database of the read models in the service's embedded Postgres. */
  async databaseUrl(): Promise<string> {
    return present(await announcedStores(this.dataDir)).databaseUrl;
  }

  /** Restarts the service over the same data. Returns the seconds until it was ready. */
  async restart(): Promise<number> {
    const running = present(this.started);
    await running.stop();
    this.started = await this.start(running.port);
    return this.started.startSeconds;
  }

  /** Stops all started programs. */
  async close(): Promise<void> {
    await this.started?.stop();
    await this.bare?.stop();
    await this.peers?.stop();
  }

  private get dataDir(): string {
    return join(this.folder, 'service');
  }

  private keep(accounts: readonly { readonly tenantId: string; readonly apiKey: string }[]): void {
    writeKept(this.folder, { identities: this.found, accounts });
  }

  private start(port: number): Promise<BenchedService> {
    return startService(this.dataDir, join(this.folder, 'service.log'), port);
  }
}

const present = <Part>(part: Part | undefined): Part => {
  if (part === undefined) throw new Error('the stage is not open');
  return part;
};
