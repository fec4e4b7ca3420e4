import { mkdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { StartupError } from '@kyc/embedded-runtime/startup-error';

/** For its owner alone. Throws StartupError where it exists already, or cannot be made. */
export const newFolder = async (path: string): Promise<string> => {
  const folder = resolve(path);
  try {
    await mkdir(folder, { mode: 0o700 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') throw new StartupError(`${folder} exists already: name a new folder with --out`);
    throw new StartupError(`${folder} cannot be made (${code ?? 'unknown'}): name another folder with --out`);
  }
  return folder;
};
