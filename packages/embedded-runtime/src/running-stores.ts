import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Parts } from './runtime.js';

const fileIn = (dataDir: string): string => join(dataDir, 'stores.json');

/** Tells command-line tools of this machine where the embedded stores of a running service are. */
export const announceStores = async (dataDir: string, { databaseUrl, eventStoreUrl }: Parts): Promise<void> =>
  writeFile(fileIn(dataDir), `${JSON.stringify({ databaseUrl, eventStoreUrl })}\n`, { mode: 0o600 });

export const withdrawStores = (dataDir: string): Promise<void> => rm(fileIn(dataDir), { force: true });

/** What the service that holds the data folder announced; undefined where it has not yet. */
export const announcedStores = async (dataDir: string): Promise<Parts | undefined> => {
  try {
    return JSON.parse(await readFile(fileIn(dataDir), 'utf8')) as Parts;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
};
