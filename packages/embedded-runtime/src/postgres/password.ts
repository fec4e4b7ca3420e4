import { randomBytes } from 'node:crypto';
import { readFile, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StartupError } from '../startup-error.js';

const PASSWORD_BYTES = 24;
const PASSWORD = new RegExp(`^[0-9a-f]{${2 * PASSWORD_BYTES}}$`);

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

const readKept = async (file: string): Promise<string | undefined> => {
  try {
    return (await readFile(file, 'utf8')).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
};

/** The caller holds the lock of the folder. A crash leaves the file whole or missing. */
const make = async (file: string): Promise<string> => {
  const password = randomBytes(PASSWORD_BYTES).toString('hex');
  await writeFile(`${file}.unfinished`, `${password}\n`, { mode: 0o600, flush: true });
  await rename(`${file}.unfinished`, file);
  return password;
};

/** The random password of the server in `cluster`, stored in `folder` only. Every user of the machine can reach loopback. */
export const passwordOf = async (folder: string, cluster: string): Promise<string> => {
  const file = join(folder, 'postgres-password');
  const kept = await readKept(file);
  if (kept !== undefined && PASSWORD.test(kept)) return kept;
  if (!(await exists(cluster))) return make(file);
  const fault = kept === undefined ? 'is missing beside its database' : 'does not hold the password of its database';
  throw new StartupError(`${file} ${fault}: restore it from the back-up that the folder came from.`);
};
