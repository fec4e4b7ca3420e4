import { type Config } from '../platform/config/config.js';
import { DataDirectoryInUse } from '@kyc/embedded-runtime/data-directory';
import { announcedStores } from '@kyc/embedded-runtime/running-stores';
import { startEmbedded, type Parts } from '@kyc/embedded-runtime/runtime';
import { applyMigrations } from '../platform/postgres/migrations.js';

const warn = (message: string): void => void process.stderr.write(`${message}\n`);

/**
 * Runs `work` on the deployment's stores: those that are configured, those of a service that runs here, or embedded ones
 * started for as long as it takes. Their tables are up to date, but not if they are to stay as they are.
 */
export const withStores = async <Result>(
  config: Config,
  work: (stores: Parts) => Promise<Result>,
  tables: 'up to date' | 'as they are' = 'up to date',
): Promise<Result> => {
  const workOn = async (stores: Parts): Promise<Result> => {
    if (tables === 'up to date') await applyMigrations(stores.databaseUrl, warn);
    return work(stores);
  };
  const { databaseUrl, eventStoreUrl } = config;
  if (databaseUrl !== undefined && eventStoreUrl !== undefined) return workOn({ databaseUrl, eventStoreUrl });
  const runtime = await startEmbedded(config, ({ level, message }) => {
    if (level !== 'info') warn(message);
  }).catch(async (error: unknown) => {
    const running = error instanceof DataDirectoryInUse ? await announcedStores(config.dataDir) : undefined;
    if (running === undefined) throw error;
    return { ...running, stop: () => Promise.resolve() };
  });
  try {
    return await workOn(runtime);
  } finally {
    await runtime.stop();
  }
};
