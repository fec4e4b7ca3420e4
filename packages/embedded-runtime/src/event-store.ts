import { endWithNpm } from './end-with-npm.js';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { openDataDirectory, type Program } from './data-directory.js';
import { NODE_COMMAND, portWhenReady } from './event-store-node.js';
import { passwordFile, passwordIn } from './event-store-password.js';
import { connectionStringOf, USERNAME } from '@kyc/event-store-node/credentials';
import { type Options, optionsFrom } from '@kyc/event-store-node/options';
import { startOwnPostgres } from './postgres/own-postgres.js';

const [command = 'serve'] = process.argv.slice(2);

interface LogDatabase {
  readonly url: string;
  readonly stop: () => Promise<void>;
}

const DATABASE = 'eventstore';
const USAGE = `Usage: npm run eventstore -- [serve|scavenge]

  serve      run the event-store node by itself (default)
  scavenge   remove from its database what streams no longer show

It takes EVENTSTORE_PORT, DATA_DIR and DATABASE_URL from the environment.
`;
const NODE: Program = { command: 'npm run eventstore', besides: 'EVENTSTORE_PORT=2114' };

/** Starts the node's own Postgres. No other process may use its data folder meanwhile. */
const startOwnDatabase = async (folder: string): Promise<LogDatabase> => {
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
};

/** Prints how to connect. The password is not shown, since output ends up in logs. */
const sayHow = ({ insecure, password }: Options, dataDir: string, port: number): void => {
  if (password !== undefined) return;
  const shown = `$(cat '${passwordFile(resolve(dataDir))}')`;
  process.stderr.write(
    insecure
      ? `Every user of this machine may read and write: ${connectionStringOf(port)}\n`
      : `Connect with "esdb://${USERNAME}:${shown}@127.0.0.1:${port}?tls=false"\n`,
  );
};

/** The node ends with this process: at a signal, and when its standard input closes. */
const endTogether = (node: ChildProcess, watchStdin: boolean): void => {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => node.kill('SIGTERM'));
  endWithNpm(process.env);
  if (!watchStdin) return;
  process.stdin.resume();
  for (const event of ['end', 'close']) process.stdin.on(event, () => node.stdin?.end());
};

/** Runs the node over the database until it ends. Returns its exit status. */
const runNode = async (options: Options, dataDir: string, databaseUrl: string): Promise<number> => {
  const isOpen = options.insecure || command !== 'serve';
  const password = isOpen ? undefined : (options.password ?? (await passwordIn(dataDir)));
  const [program, ...words] = NODE_COMMAND;
  const node = spawn(program, [...words, ...process.argv.slice(2)], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: {
      ...process.env,
      DATABASE_URL: databaseUrl,
      ...(password === undefined ? {} : { EVENTSTORE_PASSWORD: password }),
      EVENTSTORE_WATCH_STDIN: '1',
    },
  });
  endTogether(node, options.watchStdin);
  createInterface(node.stdout).on('line', (line) => {
    process.stdout.write(`${line}\n`);
    const port = portWhenReady(line);
    if (port !== undefined) sayHow(options, dataDir, port);
  });
  const [status] = (await once(node, 'close')) as [number | null];
  return status ?? 1;
};

/** `npm run eventstore`: the node by itself, with its own Postgres where no database is given. */
const run = async (): Promise<number> => {
  if (command === '--help') {
    process.stdout.write(USAGE);
    return 0;
  }
  if (command !== 'serve' && command !== 'scavenge') throw new Error(`there is no "${command}": use serve or scavenge`);
  const options = optionsFrom(process.env);
  const dataDir = process.env['DATA_DIR']?.trim() || '.data';
  if (options.databaseUrl !== undefined) return runNode(options, dataDir, options.databaseUrl);
  const database = await startOwnDatabase(dataDir);
  try {
    return await runNode(options, dataDir, database.url);
  } finally {
    await database.stop();
  }
};

try {
  process.exit(await run());
} catch (error) {
  process.stderr.write(`The event store cannot start: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
