import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { dataDirectory } from '../data-directory.js';

const MAIN = join(import.meta.dirname, '../../../..', 'dist/src/main.js');
const PAST_CLOCK = join(import.meta.dirname, 'past-clock.js');
const READY_MS = 120_000;
const STOP_MS = 35_000;
const POLL_MS = 100;

/** What an embedded deployment says of itself in DATA_DIR/demo-account.json. */
export interface Deployment {
  readonly base_url: string;
  /** Absent, as the secret, where it has no development identity provider. */
  readonly token_url?: string;
  readonly dev_secret?: string;
  readonly tenant_id: string;
}

export interface DemoDeployment extends Deployment {
  /** Of the demo account. */
  readonly api_key: string;
}

export interface RunningService {
  readonly deployment: DemoDeployment;
  /** Whether it ran before. */
  readonly found: boolean;
  /** Ends it where it was started here. */
  release(): Promise<void>;
}

const isReady = async (deployment: Deployment): Promise<boolean> => {
  try {
    const url = new URL('/health/ready', deployment.base_url);
    return (await fetch(url, { signal: AbortSignal.timeout(2_000) })).ok;
  } catch {
    return false;
  }
};

const readyDeployment = async (dataDir: string): Promise<DemoDeployment | undefined> => {
  const text = await readFile(join(dataDir, 'demo-account.json'), 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  const deployment = JSON.parse(text) as DemoDeployment;
  return (await isReady(deployment)) ? deployment : undefined;
};

/** Starts it over this folder, with a clock that is so many days behind. */
export const startService = async (dataDir: string, daysAgo = 0): Promise<RunningService> => {
  const recentOutput: string[] = [];
  const clock = daysAgo === 0 ? [] : ['--import', `${pathToFileURL(PAST_CLOCK).href}?days=${daysAgo}`];
  const env = { WEBHOOKS_ALLOW_LOOPBACK: 'true', ...process.env, DATA_DIR: dataDir };
  const service = spawn(process.execPath, [...clock, MAIN], { env, stdio: 'pipe' });
  for (const output of [service.stdout, service.stderr])
    output.on('data', (text) => recentOutput.splice(0, recentOutput.length - 50, String(text)));
  const ended = once(service, 'exit');
  const release = async (): Promise<void> => {
    service.kill('SIGTERM');
    const overdue = setTimeout(() => service.kill('SIGKILL'), STOP_MS);
    await ended;
    clearTimeout(overdue);
  };
  const deadline = performance.now() + READY_MS;
  while (service.exitCode === null && performance.now() < deadline) {
    const deployment = await readyDeployment(dataDir);
    if (deployment !== undefined) return { deployment, found: false, release };
    await sleep(POLL_MS);
  }
  await release();
  throw new Error(`the service did not start:\n${recentOutput.join('')}`);
};

/** The service over the data folder: the one that runs, or else one that is started for as long as it is needed. */
export const ensureService = async (): Promise<RunningService> => {
  const dataDir = dataDirectory();
  const deployment = await readyDeployment(dataDir);
  if (deployment !== undefined) return { deployment, found: true, release: () => Promise.resolve() };
  return startService(dataDir);
};
