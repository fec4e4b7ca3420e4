import { type Config } from '../platform/config/config.js';
import { DataDirectoryInUse } from '../platform/embedded/data-directory.js';
import { announcedStores } from '../platform/embedded/running-stores.js';
import { startEmbedded, type Parts } from '../platform/embedded/runtime.js';

/**
 * Runs `work` on the deployment's stores: those that are configured, those of a service that runs here, or embedded ones
 * started for as long as it takes.
 */
export const withStores = async <Result>(config: Config, work: (stores: Parts) => Promise<Result>): Promise<Result> => {
  const { databaseUrl, eventStoreUrl } = config;
  if (databaseUrl !== undefined && eventStoreUrl !== undefined) return work({ databaseUrl, eventStoreUrl });
  const runtime = await startEmbedded(config, ({ level, message }) => {
    if (level !== 'info') process.stderr.write(`${message}\n`);
  }).catch(async (error: unknown) => {
    const running = error instanceof DataDirectoryInUse ? await announcedStores(config.dataDir) : undefined;
    if (running === undefined) throw error;
    return { ...running, stop: () => Promise.resolve() };
  });
  try {
    return await work(runtime);
  } finally {
    await runtime.stop();
  }
};
