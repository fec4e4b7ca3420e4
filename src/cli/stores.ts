import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Config } from '../platform/config/config.js';
import { DataDirectoryInUse } from '@kyc/embedded-runtime/data-directory';
import { announcedStores } from '@kyc/embedded-runtime/running-stores';
import { type Runtime, startEmbedded } from '@kyc/embedded-runtime/runtime';
import { type Parts } from '@kyc/embedded-runtime/running-stores';
import { StartupError } from '@kyc/embedded-runtime/startup-error';
import { type Report } from '@kyc/embedded-runtime/supervisor';
import { applyMigrations, isOfDeployment } from '../platform/postgres/migrations.js';

const warn = (message: string): void => void process.stderr.write(`${message}\n`);

/** Milliseconds that a command waits for another one to free the data folder, or for a service there to be ready. */
const WAIT_BUDGET_MS = 60_000;
const RETRY = 250;

/** No service was ever started here. A command would judge an empty deployment as if it were the one that is meant. */
export class NoDeployment extends StartupError {
  constructor(where: string) {
    super(
      `${where} holds no deployment: name the folder of one with DATA_DIR, or its stores with DATABASE_URL and EVENTSTORE_URL. ` +
        'Only npm start makes a new one.',
    );
  }
}

/** A running service's stores, or stores for this command alone: another command would lose them at its end. */
const openEmbedded = async (config: Config): Promise<Runtime> => {
  if (!existsSync(join(config.dataDir, 'postgres'))) throw new NoDeployment(`The data folder ${config.dataDir}`);
  const deadline = performance.now() + WAIT_BUDGET_MS;
  const report: Report = ({ level, message }) => {
    if (level !== 'info') warn(message);
  };
  for (let warned = false; ; warned = true) {
    try {
      return await startEmbedded(config, report, { announces: false });
    } catch (error) {
      if (!(error instanceof DataDirectoryInUse)) throw error;
      const running = await announcedStores(config.dataDir);
      if (running !== undefined) return { ...running, stop: () => Promise.resolve() };
      if (performance.now() >= deadline) throw error;
      if (!warned) warn('Another program works on the data folder: waiting for it …');
    }
    await sleep(RETRY);
  }
};

/**
 * Runs `work` on the deployment's stores: those that are configured, those of a service that runs here, or embedded ones
 * started for as long as it takes. Their tables are up to date, but not if they are to stay as they are. Throws NoDeployment.
 */
export const withStores = async <Result>(
  config: Config,
  work: (stores: Parts) => Promise<Result>,
  tables: 'up to date' | 'as they are' = 'up to date',
): Promise<Result> => {
  const workOn = async (stores: Parts): Promise<Result> => {
    if (tables === 'up to date') {
      if (!(await isOfDeployment(stores.databaseUrl))) throw new NoDeployment('The database');
      await applyMigrations(stores.databaseUrl, warn);
    }
    return work(stores);
  };
  const { databaseUrl, eventStoreUrl } = config;
  if (databaseUrl !== undefined && eventStoreUrl !== undefined) return workOn({ databaseUrl, eventStoreUrl });
  const runtime = await openEmbedded(config);
  try {
    return await workOn(runtime);
  } finally {
    await runtime.stop();
  }
};
