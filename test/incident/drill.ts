import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CreditRepository } from '../../src/credits/credit-repository.js';
import { AdjustCredits } from '../../src/credits/domain/credits.commands.js';
import { systemClock } from '../../src/kernel/clock.js';
import { type CommandMetadata } from '../../src/kernel/events.js';
import { type TenantId } from '../../src/kernel/ids.js';
import { GrpcEventStore } from '../../src/platform/eventstore/grpc-event-store.js';
import { aggregatesOf } from '../support/aggregates.js';
import { newKeys } from '../support/load/deployment.js';
import { Http, NoAnswer } from '../support/load/http.js';
import { enquiry, person } from '../support/load/people.js';
import { ingestAll, type Operator, type Tenant } from '../support/load/tenants.js';
import { copyOfVersion, type OtherVersion, withSignError } from '../support/other-version.js';
import { type Service, startService } from '../support/service.js';
import { type Ran, runCommand } from '../support/service-command.js';
import {
  createDatabase,
  type EventStoreNode,
  newDataDir,
  type RedisServer,
  sleep,
  startEventStore,
  startRedis,
} from '../support/stack.js';

/** Milliseconds for one command, and for an append of many adjustments, also on a busy machine. */
const COMMAND_WITHIN = 180_000 + 5 * Number(process.env['INCIDENT_EVENTS'] ?? 0);
const ADJUST_WITHIN = 60_000;

export interface Instance {
  readonly service: Service;
  readonly http: Http;
}

/** A deployment in which a release with a wrong ledger serves, and the release that mends it waits. */
export class Drill {
  private readonly started: Instance[] = [];

  private constructor(
    readonly broken: OtherVersion,
    readonly mended: OtherVersion,
    private readonly eventStore: EventStoreNode,
    private redis: RedisServer | undefined,
    private readonly keys: string,
    private env: Record<string, string>,
  ) {}

  static async begin(): Promise<Drill> {
    const [eventStore, redis] = [await startEventStore(), await startRedis()];
    const keys = mkdtempSync(join(tmpdir(), 'kyc-keys-'));
    const file = join(keys, 'keys.json');
    writeFileSync(file, newKeys(), { mode: 0o600 });
    return new Drill(withSignError(), copyOfVersion(), eventStore, redis, keys, {
      DATABASE_URL: await createDatabase(),
      EVENTSTORE_URL: eventStore.connectionString,
      ...(redis && { REDIS_URL: redis.url }),
      KEY_FILE: file,
      TIMING_DRIFT_EVERY_MS: '50',
      TIMING_STORE_BUDGET_MS: '30000',
      WEBHOOKS_ALLOW_LOOPBACK: 'true',
    });
  }

  get databaseUrl(): string {
    return this.env['DATABASE_URL'] ?? '';
  }

  /** Where the processes and commands that start from now on find Postgres. */
  moveTo(databaseUrl: string): void {
    this.env = { ...this.env, DATABASE_URL: databaseUrl };
  }

  /** Resolves once it is ready. */
  async start({ program }: OtherVersion, port: number): Promise<Instance> {
    const service = await startService({ env: this.env, port, dataDir: newDataDir(), program });
    const instance = { service, http: new Http(service.baseUrl, 64, service.devSecret()) };
    this.started.push(instance);
    return instance;
  }

  /** Its process has ended already. */
  async startAgain(instance: Instance): Promise<Instance> {
    const again = { ...instance, service: await instance.service.restart(this.env) };
    this.started.push(again);
    return again;
  }

  /** Adjusts an account's credits by the service's own ledger, as another instance would, in no time. */
  async adjust(tenantId: TenantId, amount: number, times: number): Promise<void> {
    const store = new GrpcEventStore({ connectionString: this.eventStore.connectionString, budgetMs: ADJUST_WITHIN });
    const ledger = new CreditRepository(store, aggregatesOf(store), systemClock);
    const metadata: CommandMetadata = { requestId: randomUUID(), actor: { type: 'system', id: 'drill' } };
    const adjustments = Array.from({ length: times }, () => {
      const adjustment = { reference: randomUUID(), amount, reason: null };
      return ledger.execute(new AdjustCredits(tenantId, adjustment, metadata), ADJUST_WITHIN);
    });
    await Promise.all(adjustments);
    await store.close();
  }

  async loseRedis(): Promise<void> {
    await this.redis?.kill9();
  }

  /** An empty one. */
  async bringRedisBack(): Promise<void> {
    this.redis = await startRedis(this.redis?.port);
  }

  /** Runs a command of the runbook, by the mended release. */
  run(...words: string[]): Promise<Ran> {
    return runCommand(words, this.env, { program: this.mended.commands, timeout: COMMAND_WITHIN });
  }

  async end(): Promise<void> {
    for (const { http, service } of this.started) {
      http.close();
      await service.stop();
      service.remove();
    }
    await this.redis?.stop();
    await this.eventStore.stop();
    rmSync(this.keys, { recursive: true });
    this.broken.remove();
    this.mended.remove();
  }
}

/** An account with credits that knows one person. */
export const newTenant = async (operator: Operator, http: Http, credits: number): Promise<Tenant> => {
  const tenant = await operator.tenant({ credits, name: 'Drill' });
  await ingestAll(http, tenant, [person(1)]);
  return tenant;
};

const CALLS = [
  { path: '/api/v1/check-eligibility', body: enquiry(person(1)) },
  { path: '/billing/credits' },
  { path: '/billing/transactions?limit=1' },
] as const;
type Call = (typeof CALLS)[number];
const LANES = 2;
/** At a given rate: a lane for so many requests a second, so that an answer may take a fifth of a second. */
const OF_A_LANE = 5;

/** Milliseconds between two requests of a lane without a rate, between two rounds of a repeated one, and until it is a fault. */
const PACE = 10;
const ROUND = 100;
const WAIT_BUDGET_MS = 10_000;

/**
 * Asks without end, like a balancer over these instances. What one refuses, since its rows are another version's, it sends to
 * the next; what all refuse for the moment of a swap, it sends again. Any other answer but 200 is a fault.
 */
export class Asker {
  readonly faults: string[] = [];
  answered = 0;
  charged = 0;
  /** Milliseconds of the longest wait for an instance that does not refuse. */
  longestWait = 0;
  private readonly asking = new AbortController();
  private readonly running: Promise<unknown>;
  private readonly began = performance.now();
  private ended: number | undefined;

  /** `rate`: requests a second, sent when they are due. 0: as fast as two lanes ask with a rest after each answer. */
  constructor(
    private readonly tenant: Tenant,
    private readonly instances: () => readonly Http[],
    private readonly rate: number,
  ) {
    this.running = Promise.all(Array.from({ length: this.lanes }, (_, lane) => this.ask(lane)));
  }

  async stop(): Promise<void> {
    this.asking.abort();
    await this.running;
    this.ended ??= performance.now();
  }

  /** For which it has asked. */
  get seconds(): number {
    return ((this.ended ?? performance.now()) - this.began) / 1_000;
  }

  private get lanes(): number {
    return this.rate === 0 ? LANES : Math.ceil(this.rate / OF_A_LANE);
  }

  /** Until a lane's request of this number is due. */
  private async rest(lane: number, sent: number): Promise<void> {
    if (this.rate === 0) return sleep(PACE);
    const due = this.began + ((sent * this.lanes + lane) * 1_000) / this.rate;
    return sleep(Math.max(0, due - performance.now()));
  }

  private async ask(lane: number): Promise<void> {
    for (let turn = lane, sent = 1; !this.asking.signal.aborted; turn += 1, sent += 1) {
      const call = CALLS[turn % CALLS.length] ?? CALLS[0];
      const status = await this.statusOf(call, turn);
      if (status !== 200) this.faults.push(`${call.path}: ${status ?? 'no answer'}`);
      else this.answered += 1;
      if (status === 200 && 'body' in call) this.charged += 1;
      await this.rest(lane, sent);
    }
  }

  /** Undefined where a connection was made and broke: nobody knows whether the request was served. */
  private async statusOf(call: Call, turn: number): Promise<number | undefined> {
    const began = performance.now();
    for (let tried = turn; ; tried += 1) {
      const instances = this.instances();
      const status = await this.send(call, instances[tried % instances.length] as Http);
      const waited = performance.now() - began;
      if (status !== 503 || waited > WAIT_BUDGET_MS) return status;
      this.longestWait = Math.max(this.longestWait, waited);
      if ((tried - turn + 1) % instances.length === 0) await sleep(ROUND);
    }
  }

  /** An instance that does not listen yet counts as one that refuses. */
  private async send(call: Call, http: Http): Promise<number | undefined> {
    try {
      return (await http.send({ ...call, apiKey: this.tenant.apiKey })).status;
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error;
      return (error.cause as NodeJS.ErrnoException).code === 'ECONNREFUSED' ? 503 : undefined;
    }
  }
}
