import { join } from 'node:path';
import { connectionStringOf, credentialsWith } from '@kyc/event-store-node/credentials';
import { announcedStores } from '@kyc/embedded-runtime/running-stores';
import { LogReader } from '../checks/log-reader.js';
import { type Stores } from '../checks/rebuilds.js';
import { Deployment, SCALED_TIMING } from '../load/deployment.js';
import { Http } from '../load/http.js';
import { type Random } from '../load/random.js';
import { Operator } from '../load/tenants.js';
import {
  eventually,
  type EventStoreNode,
  type RedisServer,
  type Service,
  sleep,
  startEventStore,
  startRedis,
  startService,
} from '../stack.js';
import { READY_WITHIN } from '../processes.js';
import { PostgresServer } from './postgres-server.js';
import { eventStoreNodeOf, postmasterOf, signalTree, variableOf } from './process-tree.js';

/** A running deployment whose parts can be killed and restarted. */
export interface Target {
  readonly name: string;
  readonly parts: readonly string[];
  readonly https: readonly Http[];
  readonly operator: Operator;
  /** Opens a reader of the log. After a restart of the store at another address it reads there. */
  openLog(): LogReader;
  /** The current addresses of its stores. */
  stores(): Promise<Stores>;
  /** Sends SIGKILL to one of its parts. Resolves when the part is ready again. */
  strike(part: string, random: Random): Promise<void>;
  stop(): Promise<void>;
}

const untilReady = (baseUrl: string): Promise<unknown> =>
  eventually(
    `readiness of ${baseUrl}`,
    async () => (await fetch(`${baseUrl}/health/ready`, { signal: AbortSignal.timeout(10_000) })).ok,
    READY_WITHIN,
  );

/** One service with everything embedded, as `npm start` runs it. */
export class EmbeddedTarget implements Target {
  readonly name = 'embedded';
  readonly parts = ['service', 'event store', 'postgres'] as const;

  private constructor(
    private service: Service,
    readonly https: readonly [Http],
    readonly operator: Operator,
  ) {}

  static async start(env: Readonly<Record<string, string>> = {}): Promise<EmbeddedTarget> {
    const service = await startService({ env: { ...SCALED_TIMING, LOG_LEVEL: 'warn', ...env } });
    const http = new Http(service.baseUrl, 256, service.devSecret());
    return new EmbeddedTarget(service, [http], await Operator.admin(http));
  }

  get dataDir(): string {
    return this.service.dataDir;
  }

  openLog(): LogReader {
    const node = eventStoreNodeOf(this.service.pid);
    const credentials = credentialsWith(variableOf(node, 'EVENTSTORE_PASSWORD'));
    return new LogReader(connectionStringOf(Number(variableOf(node, 'EVENTSTORE_PORT')), credentials));
  }

  async stores(): Promise<Stores> {
    const stores = await announcedStores(this.service.dataDir);
    if (stores === undefined) throw new Error('the service has not announced its stores');
    return stores;
  }

  async strike(part: string, random: Random): Promise<void> {
    if (part === 'service') {
      await this.service.kill9();
      await sleep(random.between(0, 300));
      this.service = await this.service.restart();
    } else if (part === 'event store') {
      process.kill(eventStoreNodeOf(this.service.pid), 'SIGKILL');
    } else {
      const postmaster = postmasterOf(join(this.service.dataDir, 'postgres'));
      if (random.next() < 0.5) process.kill(postmaster, 'SIGKILL');
      else signalTree(postmaster, 'SIGKILL');
    }
    await sleep(100);
    await untilReady(this.service.baseUrl);
  }

  /** Halts or resumes a store. */
  signalStore(part: 'event store' | 'postgres', signal: 'SIGSTOP' | 'SIGCONT'): void {
    if (part === 'event store') process.kill(eventStoreNodeOf(this.service.pid), signal);
    else signalTree(postmasterOf(join(this.service.dataDir, 'postgres')), signal);
  }

  async stop(): Promise<void> {
    for (const http of this.https) http.close();
    await this.service.stop();
    this.service.remove();
  }
}

/** Two services over separate store processes, with Redis where it is installed. */
export class SharedTarget implements Target {
  readonly name = 'two instances';
  readonly parts: readonly string[];

  private constructor(
    readonly deployment: Deployment,
    readonly postgres: PostgresServer,
    private eventStore: EventStoreNode,
    private redis: RedisServer | undefined,
  ) {
    this.parts = ['service', 'event store', 'postgres', ...(redis === undefined ? [] : ['redis'])];
  }

  static async start(env: Readonly<Record<string, string>> = {}): Promise<SharedTarget> {
    const postgres = await PostgresServer.start();
    const deployment = await Deployment.start({
      instances: 2,
      redis: true,
      databaseUrl: postgres.databaseUrl,
      env: { ...SCALED_TIMING, LOG_LEVEL: 'warn', ...env },
    });
    return new SharedTarget(deployment, postgres, deployment.eventStore, deployment.redis);
  }

  get https(): readonly Http[] {
    return this.deployment.https;
  }

  get operator(): Operator {
    return this.deployment.operator;
  }

  get store(): EventStoreNode {
    return this.eventStore;
  }

  openLog(): LogReader {
    return new LogReader(this.eventStore.connectionString);
  }

  stores(): Promise<Stores> {
    return Promise.resolve({
      databaseUrl: this.postgres.databaseUrl,
      eventStoreUrl: this.eventStore.connectionString,
    });
  }

  async strike(part: string, random: Random): Promise<void> {
    if (part === 'service') {
      const victim = random.between(0, 1);
      await this.deployment.instance(victim).service.kill9();
      await sleep(random.between(0, 1_000));
      await this.deployment.restart(victim);
    } else if (part === 'event store') {
      await this.killEventStore();
      await sleep(random.between(0, 1_000));
      await this.startEventStore();
    } else if (part === 'postgres') {
      await this.postgres.kill9(random.pick(['server', 'all']));
      await sleep(random.between(0, 1_000));
      await this.postgres.startAgain();
    } else {
      await this.killRedis();
      await sleep(random.between(0, 1_000));
      await this.startRedis();
    }
    await this.untilReady();
  }

  killEventStore(): Promise<void> {
    return this.eventStore.kill9();
  }

  async startEventStore(): Promise<void> {
    const { databaseUrl, port } = this.eventStore;
    this.eventStore = await startEventStore({ databaseUrl, port });
  }

  async killRedis(): Promise<void> {
    await this.redis?.kill9();
  }

  /** Starts an empty Redis, without the data of the earlier one. */
  async startRedis(): Promise<void> {
    this.redis = await startRedis(this.redis?.port);
  }

  pauseRedis(): void {
    this.redis?.pause();
  }

  resumeRedis(): void {
    this.redis?.resume();
  }

  async untilReady(): Promise<void> {
    const outputs = (): string =>
      this.deployment.services.map((service) => service.output().slice(-4_000)).join('\n--\n');
    await Promise.all(this.https.map(({ baseUrl }) => untilReady(baseUrl))).catch((error: unknown) => {
      throw new Error(`an instance did not become ready again:\n${outputs()}`, { cause: error });
    });
  }

  async stop(): Promise<void> {
    await this.deployment.stop();
    await this.eventStore.stop();
    await this.redis?.stop();
    await this.postgres.stop();
  }
}
