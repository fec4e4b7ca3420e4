import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../src/platform/embedded/ports.js';
import { bareEnvironment, built } from './built.js';
import { eventually, TestProcess } from './processes.js';

/** The contents of DATA_DIR/demo-account.json. */
export interface DemoAccount {
  readonly base_url: string;
  readonly tenant_id: string;
  readonly api_key: string;
  readonly operator_token_command: string;
  readonly token_url: string;
}

/** Milliseconds, on a machine that does much else; how soon it is ready on an idle one is told by the bench. */
export const READY_WITHIN = 60_000;

export interface ServiceOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** Default: a new folder, removed by `remove`. Give an earlier one to start over the same data. */
  readonly dataDir?: string;
  readonly port?: number;
}

export interface Service {
  readonly baseUrl: string;
  readonly port: number;
  readonly dataDir: string;
  readonly pid: number;
  /** What it printed so far. */
  output(): string;
  /** The account made at the first start of an embedded deployment; throws where there is none. */
  demo(): DemoAccount;
  /** SIGTERM; resolves with the exit status when it has ended. */
  stop(): Promise<number | undefined>;
  kill9(): Promise<void>;
  signal(name: NodeJS.Signals): void;
  pause(): void;
  resume(): void;
  ended(): Promise<number | undefined>;
  /** Starts it again over the same data, on the same port. */
  restart(env?: Readonly<Record<string, string>>): Promise<Service>;
  /** Removes its data folder; stop it first. */
  remove(): void;
}

export const newDataDir = (): string => mkdtempSync(join(tmpdir(), 'kyc-data-'));

/** The program as a child process, without waiting for anything: for tests of how it fails to start. */
export const spawnService = (env: Readonly<Record<string, string>>): TestProcess =>
  new TestProcess(process.execPath, [built('src/main.js')], { ...bareEnvironment(), ...env });

const answersReady = async (baseUrl: string): Promise<boolean> =>
  (await fetch(`${baseUrl}/health/ready`, { signal: AbortSignal.timeout(2_000) })).status === 200;

const untilReady = async (service: TestProcess, baseUrl: string): Promise<void> => {
  await eventually('the service', () => !service.running || answersReady(baseUrl), READY_WITHIN).catch(
    (error: unknown) => {
      throw new Error(`the service did not become ready in ${READY_WITHIN} ms:\n${service.output}`, { cause: error });
    },
  );
  if (!service.running) throw new Error(`the service ended instead of becoming ready:\n${service.output}`);
};

/** Starts the whole service as users do and waits until it is ready. */
export const startService = async (options: ServiceOptions = {}): Promise<Service> => {
  const dataDir = options.dataDir ?? newDataDir();
  const port = options.port ?? (await freePort());
  const baseUrl = `http://127.0.0.1:${port}`;
  const service = spawnService({ DATA_DIR: dataDir, PORT: String(port), ...options.env });
  await untilReady(service, baseUrl).catch(async (error: unknown) => {
    await service.stop(5_000);
    throw error;
  });
  return {
    baseUrl,
    port,
    dataDir,
    pid: service.pid,
    output: () => service.output,
    demo: () => JSON.parse(readFileSync(join(dataDir, 'demo-account.json'), 'utf8')) as DemoAccount,
    stop: () => service.stop(),
    kill9: () => service.kill9(),
    signal: (name) => service.signal(name),
    pause: () => service.pause(),
    resume: () => service.resume(),
    ended: () => service.ended(),
    restart: (env = options.env ?? {}) => startService({ ...options, dataDir, port, env }),
    remove: () => rmSync(dataDir, { recursive: true, force: true }),
  };
};
