import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The addresses of the service's stores, embedded or not. */
export interface Parts {
  readonly databaseUrl: string;
  readonly eventStoreUrl: string;
}

const fileIn = (dataDir: string): string => join(dataDir, 'stores.json');

/** Tells command-line tools of this machine where a running service has its embedded stores. */
export const announceStores = async (dataDir: string, { databaseUrl, eventStoreUrl }: Parts): Promise<void> =>
  writeFile(fileIn(dataDir), `${JSON.stringify({ databaseUrl, eventStoreUrl })}\n`, { mode: 0o600 });

export const withdrawStores = (dataDir: string): Promise<void> => rm(fileIn(dataDir), { force: true });

/** The announcement of the service that holds the data folder. Undefined where it has not announced its stores yet. */
export const announcedStores = async (dataDir: string): Promise<Parts | undefined> => {
  try {
    return JSON.parse(await readFile(fileIn(dataDir), 'utf8')) as Parts;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
};
