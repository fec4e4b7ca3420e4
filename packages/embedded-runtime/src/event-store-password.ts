import { randomBytes, randomUUID } from 'node:crypto';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from './data-directory.js';
import { StartupError } from './startup-error.js';

const PASSWORD_BYTES = 24;
const PASSWORD = new RegExp(`^[0-9a-f]{${2 * PASSWORD_BYTES}}$`);

export const passwordFile = (folder: string): string => join(folder, 'event-store-password');

/** The file appears whole or not at all. Where two processes create it at once, both read the first one's. */
const createPassword = async (file: string): Promise<void> => {
  const draft = `${file}.${randomUUID()}`;
  await writeFile(draft, `${randomBytes(PASSWORD_BYTES).toString('hex')}\n`, { mode: 0o600, flag: 'wx', flush: true });
  try {
    await link(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await rm(draft);
  }
};

const readPassword = async (file: string): Promise<string | undefined> => {
  try {
    return (await readFile(file, 'utf8')).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
};

/** The folder's random password. No stored data depends on it, so a missing one is created again. */
export const passwordIn = async (folder: string): Promise<string> => {
  const file = passwordFile(folder);
  let password = await readPassword(file);
  if (password === undefined) {
    await makeFolder(folder);
    await createPassword(file);
    password = await readPassword(file);
  }
  if (password === undefined || !PASSWORD.test(password)) {
    throw new StartupError(
      `${file} does not hold the event store's password: remove it, and the next start makes one.`,
    );
  }
  return password;
};
