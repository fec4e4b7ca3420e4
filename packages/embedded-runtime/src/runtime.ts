import { openDataDirectory } from './data-directory.js';
import { startEventStoreNode } from './event-store-node.js';
import { startOwnPostgres } from './postgres/own-postgres.js';
import { announceStores, type Parts, withdrawStores } from './running-stores.js';
import { type Report } from './supervisor.js';

export interface Runtime extends Parts {
  /** Ends the embedded parts in the order of their dependencies and frees the data folder. */
  stop(): Promise<void>;
}

const SERVICE_DATABASE = 'kyc';
const EVENT_STORE_DATABASE = 'eventstore';

export interface EmbeddedConfig {
  /** An absolute path. */
  readonly dataDir: string;
  /** Undefined means the embedded part, here and in the next field. */
  readonly databaseUrl: string | undefined;
  readonly eventStoreUrl: string | undefined;
}

const databasesNeeded = (config: EmbeddedConfig): readonly string[] => [
  ...(config.databaseUrl === undefined ? [SERVICE_DATABASE] : []),
  ...(config.eventStoreUrl === undefined ? [EVENT_STORE_DATABASE] : []),
];

const resolveParts = async (
  config: EmbeddedConfig,
  dataDirectory: string,
  report: Report,
  undo: (() => Promise<void>)[],
): Promise<Parts> => {
  const { databaseUrl, eventStoreUrl } = config;
  if (databaseUrl !== undefined && eventStoreUrl !== undefined) return { databaseUrl, eventStoreUrl };
  const postgres = await startOwnPostgres(dataDirectory, databasesNeeded(config), report);
  undo.push(() => postgres.stop());
  const serviceDatabase = databaseUrl ?? postgres.url(SERVICE_DATABASE);
  if (eventStoreUrl !== undefined) return { databaseUrl: serviceDatabase, eventStoreUrl };
  const node = await startEventStoreNode({ databaseUrl: postgres.url(EVENT_STORE_DATABASE), dataDirectory }, report);
  undo.push(() => node.stop());
  return { databaseUrl: serviceDatabase, eventStoreUrl: node.url };
};

export interface RuntimeOptions {
  /** Whether command-line tools may work on these stores (default true). They must not where the stores soon end. */
  readonly announces?: boolean;
}

/**
 * Takes the data folder and starts every store that the configuration leaves embedded. Throws StartupError, with nothing left
 * running, where that is not possible.
 */
export const startEmbedded = async (
  config: EmbeddedConfig,
  report: Report,
  { announces = true }: RuntimeOptions = {},
): Promise<Runtime> => {
  const directory = await openDataDirectory(config.dataDir);
  const undo = [() => directory.release()];
  // A killed service could not withdraw its announcement.
  await withdrawStores(directory.path);
  const stop = async (): Promise<void> => {
    for (const step of undo.splice(0).reverse()) await step();
  };
  try {
    const parts = await resolveParts(config, directory.path, report, undo);
    if (announces) {
      await announceStores(directory.path, parts);
      undo.push(() => withdrawStores(directory.path));
    }
    return { ...parts, stop };
  } catch (error) {
    await stop();
    throw error;
  }
};
