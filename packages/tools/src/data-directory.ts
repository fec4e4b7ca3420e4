import { resolve } from 'node:path';
import { loadEnvFile } from 'node:process';

/** The data folder of the deployment. `.env` names it where the environment does not, as for the service. */
export const dataDirectory = (): string => {
  try {
    loadEnvFile();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  return resolve(process.env['DATA_DIR']?.trim() || '.data');
};
