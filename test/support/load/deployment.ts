import { pidAnchorsFile, verifierFiles } from '../certificate.js';
import { randomBytes } from 'node:crypto';
import {
  createServiceDatabase,
  type EventStoreNode,
  type RedisServer,
  type Service,
  startEventStore,
  startRedis,
  startService,
} from '../stack.js';
import { LogReader } from '../checks/log-reader.js';
import { WEBHOOK_SECRET } from '../payments/signature.js';
import { Http } from './http.js';
import { Operator } from './tenants.js';

/** The waiting times of the charging protocol at a twentieth, so that tests need not wait. */
export const SCALED_TIMING = {
  TIMING_OPERATION_DEADLINE_MS: '1500',
  TIMING_ANSWER_DEADLINE_MS: '2000',
  TIMING_SETTLE_WITHIN_MS: '250',
  TIMING_FOREIGN_DEDUCTION_MS: '2250',
  TIMING_SWEEP_EVERY_MS: '250',
} as const;

/** Deletion and erasure in seconds. The limit for keys in memory is scaled with the lifetime of those keys. */
export const SCALED_ERASURE = {
  TIMING_GRACE_PERIOD_MS: '700',
  TIMING_KEYS_FORGOTTEN_MS: '1500',
  TIMING_AGE_EVERY_MS: '250',
} as const;

/** For tests of results rather than speed, so that a busy machine has enough time. */
export const LONG_STORE_BUDGET_MS = { TIMING_STORE_BUDGET_MS: '30000' } as const;

export const newKeys = (): string =>
  JSON.stringify({
    index_root: randomBytes(32).toString('base64'),
    encryption_keys: { 1: randomBytes(32).toString('base64') },
  });

const verifier = verifierFiles();

/** What every service of the tests needs over these stores. */
export const environmentOver = (databaseUrl: string, eventStore: string) => ({
  DATABASE_URL: databaseUrl,
  EVENTSTORE_URL: eventStore,
  KEYS: newKeys(),
  WEBHOOKS_ALLOW_LOOPBACK: 'true',
  STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
  PID_TRUST_ANCHORS: pidAnchorsFile(),
  VERIFIER_CERT_FILE: verifier.certFile,
  VERIFIER_KEY_FILE: verifier.keyFile,
});

export interface DeploymentOptions {
  readonly instances?: number;
  readonly redis?: boolean;
  readonly env?: Readonly<Record<string, string>>;
  /** Maps Postgres's address to the address that the services use. The default is Postgres's own. */
  readonly reachPostgres?: (databaseUrl: string) => Promise<string>;
  readonly databaseUrl?: string;
  /** Maps an event store's connection string to the one that the services use. The default is the store's own. */
  readonly reachEventStore?: (connectionString: string) => Promise<string>;
}

/** Instances of the service over the same stores, which the test owns. */
export class Deployment {
  private constructor(
    readonly databaseUrl: string,
    readonly eventStore: EventStoreNode,
    readonly redis: RedisServer | undefined,
    /** The environment of every instance. */
    readonly env: Readonly<Record<string, string>>,
    readonly services: Service[],
    readonly https: readonly Http[],
    readonly operator: Operator,
    readonly log: LogReader,
  ) {}

  static async start(options: DeploymentOptions = {}): Promise<Deployment> {
    const databaseUrl = options.databaseUrl ?? (await createServiceDatabase());
    const [eventStore, redis] = await Promise.all([
      startEventStore(),
      options.redis === true ? startRedis() : undefined,
    ]);
    const env = {
      ...environmentOver(
        (await options.reachPostgres?.(databaseUrl)) ?? databaseUrl,
        (await options.reachEventStore?.(eventStore.connectionString)) ?? eventStore.connectionString,
      ),
      ...(redis === undefined ? {} : { REDIS_URL: redis.url }),
      ...options.env,
    };
    // All instances start at once. The first one creates the projections' tables.
    const starts = await Promise.allSettled(
      Array.from({ length: options.instances ?? 1 }, () => startService({ env })),
    );
    const services = starts.flatMap((start) => (start.status === 'fulfilled' ? [start.value] : []));
    const failed = starts.find((start) => start.status === 'rejected');
    if (failed !== undefined) {
      await Promise.all([...services, eventStore, ...(redis === undefined ? [] : [redis])].map((part) => part.stop()));
      throw new Error('an instance did not start', { cause: failed.reason });
    }
    const https = services.map((service) => new Http(service.baseUrl, 512, service.devSecret()));
    const [first] = https;
    if (first === undefined) throw new Error('a deployment has an instance');
    const operator = await Operator.admin(first);
    return new Deployment(
      databaseUrl,
      eventStore,
      redis,
      env,
      services,
      https,
      operator,
      new LogReader(eventStore.connectionString),
    );
  }

  get http(): Http {
    return this.instance(0).http;
  }

  instance(index: number): { readonly service: Service; readonly http: Http } {
    const service = this.services[index];
    const http = this.https[index];
    if (service === undefined || http === undefined) throw new Error(`there is no instance ${index}`);
    return { service, http };
  }

  /** Restarts an ended instance on the same port, in the same environment but for `changes`. */
  async restart(index: number, changes: Readonly<Record<string, string>> = {}): Promise<void> {
    this.services[index] = await this.instance(index).service.restart({ ...this.env, ...changes });
  }

  async stop(): Promise<void> {
    for (const http of this.https) http.close();
    await this.log.close();
    await Promise.all(this.services.map((service) => service.stop()));
    for (const service of this.services) service.remove();
    await this.eventStore.stop();
    await this.redis?.stop();
  }
}
