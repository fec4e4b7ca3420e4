import { endWithNpm } from '../../end-with-npm.js';
import { resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import {
  connectionStringOf,
  type Credentials,
  credentialsWith,
  passwordFile,
  passwordIn,
  USERNAME,
} from './credentials.js';
import { type EventStoreNode, startEventStoreNode } from './node.js';
import { type Options, optionsFrom } from './options.js';
import { type LogDatabase, startOwnDatabase } from './own-database.js';
import { scavengeDaily } from './scavenge/daily.js';
import { scavenge } from './scavenge/scavenge.js';

const DRAIN_MS = 4_000;

function fail(what: string, error: unknown): never {
  process.stderr.write(`${what}: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}

/** The database that is given, or without one a Postgres of its own. */
const openDatabase = ({ databaseUrl, dataDir }: Options): Promise<LogDatabase> =>
  databaseUrl === undefined
    ? startOwnDatabase(dataDir)
    : Promise.resolve({ url: databaseUrl, stop: () => Promise.resolve() });

/** What clients must say; undefined where they need say nothing. */
const credentialsOf = async ({ insecure, password, dataDir }: Options): Promise<Credentials | undefined> =>
  insecure ? undefined : credentialsWith(password ?? (await passwordIn(dataDir)));

/** How to connect, for whoever did not choose the password. It is not shown: what is printed ends up in logs. */
function sayHow({ insecure, password, dataDir }: Options, port: number): void {
  if (password !== undefined) return;
  const shown = `$(cat '${passwordFile(resolve(dataDir))}')`;
  process.stderr.write(
    insecure
      ? `Every user of this machine may read and write: ${connectionStringOf(port)}\n`
      : `Connect with "esdb://${USERNAME}:${shown}@127.0.0.1:${port}?tls=false"\n`,
  );
}

async function serve(): Promise<void> {
  const options = optionsFrom(process.env);
  const database = await openDatabase(options);
  const onFatal = (error: Error) => fail('The event store stops', error);
  const start = async (): Promise<EventStoreNode> => {
    const credentials = await credentialsOf(options);
    return startEventStoreNode({ databaseUrl: database.url, port: options.port, credentials, onFatal });
  };
  const node = await start().catch(async (error: unknown) => {
    await database.stop();
    throw error;
  });
  const endScavenging = scavengeDaily(database.url, (line) => process.stdout.write(`${line}\n`));
  stopOnRequest(node, database, endScavenging, options.watchStdin);
  process.stdout.write(`${JSON.stringify({ ready: true, port: node.port })}\n`);
  sayHow(options, node.port);
}

function stopOnRequest(
  node: EventStoreNode,
  database: LogDatabase,
  endScavenging: () => void,
  watchStdin: boolean,
): void {
  let stopping = false;
  const stop = () => {
    if (stopping) return;
    stopping = true;
    endScavenging();
    // A client that never lets go of its calls must not keep Postgres from being stopped as it should.
    Promise.race([node.stop(), setTimeout(DRAIN_MS)])
      .then(() => database.stop())
      .then(
        () => process.exit(0),
        (error: unknown) => fail('The event store did not stop cleanly', error),
      );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  endWithNpm(process.env);
  if (!watchStdin) return;
  process.stdin.resume();
  process.stdin.on('end', stop);
  process.stdin.on('close', stop);
}

async function runScavenge(): Promise<void> {
  const database = await openDatabase(optionsFrom(process.env));
  try {
    const progress = process.stderr.isTTY ? '\r' : '\n';
    const { rowsRemoved, rowsCut } = await scavenge(database.url, ({ streams, of }) =>
      process.stderr.write(`scavenging: ${streams} of ${of} streams${progress}`),
    );
    process.stdout.write(`${JSON.stringify({ scavenged: true, rowsRemoved, rowsCut })}\n`);
  } finally {
    await database.stop();
  }
}

const [command = 'serve'] = process.argv.slice(2);
if (command === 'serve') await serve().catch((error: unknown) => fail('The event store cannot start', error));
else if (command === 'scavenge') await runScavenge().catch((error: unknown) => fail('The scavenge failed', error));
else fail('Unknown command', `"${command}": use serve or scavenge`);
