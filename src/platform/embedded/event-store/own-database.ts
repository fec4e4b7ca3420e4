import { openDataDirectory, type Program } from '../data-directory.js';
import { startOwnPostgres } from '../postgres/own-postgres.js';

export interface LogDatabase {
  readonly url: string;
  readonly stop: () => Promise<void>;
}

const DATABASE = 'eventstore';
const NODE: Program = { command: 'npm run eventstore', besides: 'EVENTSTORE_PORT=2114' };

/** A Postgres of the node's own, with its data in a folder that no other process may use meanwhile. */
export async function startOwnDatabase(folder: string): Promise<LogDatabase> {
  const directory = await openDataDirectory(folder, NODE);
  try {
    const postgres = await startOwnPostgres(directory.path, [DATABASE], ({ message }) =>
      process.stderr.write(`${message}\n`),
    );
    const stop = async () => {
      await postgres.stop();
      await directory.release();
    };
    return { url: postgres.url(DATABASE), stop };
  } catch (error) {
    await directory.release();
    throw error;
  }
}
