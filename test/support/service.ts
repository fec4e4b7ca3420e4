import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bareEnvironment, built } from './built.js';
import { ownPort } from './ports.js';
import { eventually, READY_WITHIN, TestProcess } from './processes.js';

/** The contents of DATA_DIR/demo-account.json. */
export interface DemoAccount {
  readonly base_url: string;
  readonly tenant_id: string;
  readonly api_key: string;
  readonly console_url: string;
  readonly dev_secret: string;
  readonly operator_token_command: string;
  readonly token_command: string;
  readonly token_url: string;
}

export interface ServiceOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** The default is a new folder, which `remove` deletes. Pass an earlier one to start over the same data. */
  readonly dataDir?: string;
  readonly port?: number;
  /** The program of another version. */
  readonly program?: string;
}

export interface Service {
  readonly baseUrl: string;
  readonly port: number;
  readonly dataDir: string;
  readonly pid: number;
  /** The output so far. */
  output(): string;
  /** The account created at the first start of an embedded deployment. Throws where there is none. */
  demo(): DemoAccount;
  /** The secret of its development identity provider. It exists without a demo account too. */
  devSecret(): string;
  /** Sends SIGTERM. Resolves with the exit status when it has ended. */
  stop(): Promise<number | undefined>;
  kill9(): Promise<void>;
  signal(name: NodeJS.Signals): void;
  pause(): void;
  resume(): void;
  ended(): Promise<number | undefined>;
  /** Restarts it over the same data, on the same port. */
  restart(env?: Readonly<Record<string, string>>): Promise<Service>;
  /** Removes its data folder. Stop the service first. */
  remove(): void;
}

export const newDataDir = (): string => mkdtempSync(join(tmpdir(), 'kyc-data-'));

/** The program as a child process, without waiting. For tests of its start and of failures to start. */
export const spawnService = (
  env: Readonly<Record<string, string>>,
  program: string = built('src/main.js'),
): TestProcess => new TestProcess(process.execPath, [program], { ...bareEnvironment(), ...env });

const answersReady = async (baseUrl: string): Promise<boolean> =>
  (await fetch(`${baseUrl}/health/ready`, { signal: AbortSignal.timeout(10_000) })).status === 200;

const untilReady = async (service: TestProcess, baseUrl: string): Promise<void> => {
  await eventually('the service', () => !service.running || answersReady(baseUrl), READY_WITHIN).catch(
    (error: unknown) => {
      throw new Error(`the service did not become ready in ${READY_WITHIN} ms:\n${service.output}`, { cause: error });
    },
  );
  if (!service.running) throw new Error(`the service ended instead of becoming ready:\n${service.output}`);
};

/** Starts the whole service in the way of its users and waits until it is ready. */
export const startService = async (options: ServiceOptions = {}): Promise<Service> => {
  const dataDir = options.dataDir ?? newDataDir();
  const port = options.port ?? (await ownPort());
  const baseUrl = `http://127.0.0.1:${port}`;
  const service = spawnService({ DATA_DIR: dataDir, PORT: String(port), ...options.env }, options.program);
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
    devSecret: () => {
      const file = join(dataDir, 'development-identity-provider.json');
      return (JSON.parse(readFileSync(file, 'utf8')) as { dev_secret: string }).dev_secret;
    },
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
