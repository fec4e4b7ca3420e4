import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bareEnvironment, built, builtPackage } from '../built.js';
import { LogReader } from '../checks/log-reader.js';
import { reached } from '../faults/slow-stores.js';
import { type Ground, ofTheRun } from '../of-the-run.js';
import { ownPort } from '../ports.js';
import { READY_WITHIN } from '../processes.js';
import { createDatabase, createServiceDatabase, eventually } from '../stack.js';
import { environmentOver, LONG_STORE_BUDGET_MS, SCALED_ERASURE } from './deployment.js';
import { Http } from './http.js';
import { Operator } from './tenants.js';

/** In a quick one nothing that a spec waits for takes longer than seconds. It erases what was deleted just now, too. */
const SETTINGS = {
  usual: LONG_STORE_BUDGET_MS,
  quick: { ...LONG_STORE_BUDGET_MS, ...SCALED_ERASURE, TIMING_CHECKPOINT_EVERY_MS: '1000' },
};
type Pace = keyof typeof SETTINGS;

interface Word {
  readonly baseUrl: string;
  readonly devSecret: string;
  readonly eventStore: string;
  /** Of the service. */
  readonly env: Readonly<Record<string, string>>;
}

const outputIn = (folder: string): string => readFileSync(join(folder, 'output'), 'utf8').slice(-4_000);

const isReady = async (baseUrl: string): Promise<boolean> => {
  const answer = await fetch(`${baseUrl}/health/ready`, { signal: AbortSignal.timeout(10_000) });
  return answer.status === 200;
};

const start = async (pace: Pace, { folder, run }: Ground): Promise<Word> => {
  const [databaseUrl, log, port, storePort] = await Promise.all([
    createServiceDatabase(),
    createDatabase(),
    ownPort(),
    ownPort(),
  ]);
  const node = { EVENTSTORE_PORT: String(storePort), EVENTSTORE_INSECURE: 'true', DATABASE_URL: log };
  const command = [process.execPath, builtPackage('event-store-node', 'main.js')];
  run({ command, signal: 'TERM', options: { env: { ...bareEnvironment(), ...node } } });
  const eventStore = await reached(`esdb://127.0.0.1:${storePort}?tls=false`);
  const env = { ...environmentOver(databaseUrl, eventStore), ...SETTINGS[pace] };
  const own = { ...bareEnvironment(), ...env, DATA_DIR: join(folder, 'data'), PORT: String(port) };
  run({ command: [process.execPath, built('src/main.js')], signal: 'TERM', options: { env: own } });
  const baseUrl = `http://127.0.0.1:${port}`;
  await eventually('the deployment of this worker', () => isReady(baseUrl), READY_WITHIN).catch((error: unknown) => {
    throw new Error(`the deployment of this worker did not become ready:\n${outputIn(folder)}`, { cause: error });
  });
  const file = join(folder, 'data', 'development-identity-provider.json');
  const { dev_secret: devSecret } = JSON.parse(readFileSync(file, 'utf8')) as { dev_secret: string };
  return { baseUrl, devSecret, eventStore, env };
};

/**
 * One instance, which the spec files of a worker use one after the other. Earlier files leave accounts, people
 * and events behind: a test counts what belongs to its own accounts.
 */
export class SharedDeployment {
  private constructor(
    readonly env: Readonly<Record<string, string>>,
    readonly http: Http,
    readonly operator: Operator,
    readonly log: LogReader,
  ) {}

  static async take(pace: Pace = 'usual'): Promise<SharedDeployment> {
    const { baseUrl, devSecret, eventStore, env } = await ofTheRun(
      `${pace}-deployment-${process.env['JEST_WORKER_ID'] ?? ''}`,
      (ground) => start(pace, ground),
    );
    const http = new Http(baseUrl, 512, devSecret);
    return new SharedDeployment(env, http, await Operator.admin(http), new LogReader(eventStore));
  }

  get databaseUrl(): string {
    return this.env['DATABASE_URL'] ?? '';
  }

  /** Others use it after this file. */
  async leave(): Promise<void> {
    this.http.close();
    await this.log.close();
  }
}
