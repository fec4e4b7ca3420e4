import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const MAIN = join(import.meta.dirname, '..', '..', 'src', 'main.js');
const READY_MS = 120_000;
const POLL_MS = 20;
const STOP_MS = 60_000;

/** The contents of DATA_DIR/demo-account.json. */
export interface Deployment {
  readonly base_url: string;
  readonly token_url: string;
  readonly dev_secret: string;
  readonly tenant_id: string;
}

export interface BenchedService {
  readonly deployment: Deployment;
  readonly port: number;
  readonly pid: number;
  /** Seconds from the start of the process until it was ready. */
  readonly startSeconds: number;
  stop(): Promise<void>;
}

/** The service's environment. It takes nothing from the tester's configuration except the event store to measure. */
const environment = (dataDir: string, port: number): Record<string, string> => ({
  PATH: process.env['PATH'] ?? '',
  HOME: process.env['HOME'] ?? '/',
  DATA_DIR: dataDir,
  PORT: String(port),
  ...(process.env['EVENTSTORE_URL'] === undefined ? {} : { EVENTSTORE_URL: process.env['EVENTSTORE_URL'] }),
});

const isReady = async (port: number): Promise<boolean> => {
  try {
    return (await fetch(`http://127.0.0.1:${port}/health/ready`, { signal: AbortSignal.timeout(2_000) })).ok;
  } catch {
    return false;
  }
};

/**
 * On the first start the file appears shortly after the service is ready. On later starts it may still name an earlier port.
 */
const deploymentIn = async (dataDir: string, port: number, deadline: number): Promise<Deployment> => {
  const file = join(dataDir, 'demo-account.json');
  while (!existsSync(file) && performance.now() < deadline) await sleep(POLL_MS);
  const { token_url, dev_secret, tenant_id } = JSON.parse(readFileSync(file, 'utf8')) as Deployment;
  const base_url = `http://127.0.0.1:${port}`;
  return { base_url, token_url: new URL(new URL(token_url).pathname, base_url).href, dev_secret, tenant_id };
};

/**
 * Starts the service over `dataDir` in the way of its users. Its output goes to the file `log`. Throws where it does not become
 * ready.
 */
export const startService = async (dataDir: string, log: string, port: number): Promise<BenchedService> => {
  mkdirSync(dirname(log), { recursive: true });
  const output = openSync(log, 'a');
  const startedAt = performance.now();
  const service = spawn(process.execPath, [MAIN], {
    env: environment(dataDir, port),
    stdio: ['ignore', output, output],
  });
  closeSync(output);
  const ended = once(service, 'exit');
  const stop = async (): Promise<void> => {
    service.kill('SIGTERM');
    const overdue = setTimeout(() => service.kill('SIGKILL'), STOP_MS);
    await ended;
    clearTimeout(overdue);
  };
  while (!(await isReady(port))) {
    if (service.exitCode === null && performance.now() - startedAt < READY_MS) await sleep(POLL_MS);
    else {
      await stop();
      throw new Error(`the service did not become ready:\n${readFileSync(log, 'utf8').slice(-4_000)}`);
    }
  }
  const startSeconds = (performance.now() - startedAt) / 1_000;
  const deployment = await deploymentIn(dataDir, port, startedAt + READY_MS);
  return { deployment, port, pid: service.pid ?? 0, startSeconds, stop };
};
