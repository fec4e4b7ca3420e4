import { setTimeout } from 'node:timers/promises';
import { credentialsWith } from './credentials.js';
import { type EventStoreNode, startEventStoreNode } from './node.js';
import { optionsFrom } from './options.js';
import { scavengeDaily } from './scavenge/daily.js';
import { scavenge } from './scavenge/scavenge.js';

const DRAIN_MS = 4_000;

function fail(what: string, error: unknown): never {
  process.stderr.write(`${what}: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}

const options = () => {
  const { databaseUrl, ...others } = optionsFrom(process.env);
  if (databaseUrl === undefined) throw new Error('DATABASE_URL must name the database that holds the log');
  return { databaseUrl, ...others };
};

async function serve(): Promise<void> {
  const { databaseUrl, port, password, insecure, watchStdin } = options();
  if (password === undefined && !insecure) {
    throw new Error('EVENTSTORE_PASSWORD must say what clients say, or EVENTSTORE_INSECURE=true that they need not');
  }
  const credentials = password === undefined ? undefined : credentialsWith(password);
  const onFatal = (error: Error) => fail('The event store stops', error);
  const node = await startEventStoreNode({ databaseUrl, port, credentials, onFatal });
  const endScavenging = scavengeDaily(databaseUrl, (line) => process.stdout.write(`${line}\n`));
  stopOnRequest(node, endScavenging, watchStdin);
  process.stdout.write(`${JSON.stringify({ ready: true, port: node.port })}\n`);
}

function stopOnRequest(node: EventStoreNode, endScavenging: () => void, watchStdin: boolean): void {
  let stopping = false;
  const stop = () => {
    if (stopping) return;
    stopping = true;
    endScavenging();
    // A client that never ends its calls must not keep the node running.
    Promise.race([node.stop(), setTimeout(DRAIN_MS)]).then(
      () => process.exit(0),
      (error: unknown) => fail('The event store did not stop cleanly', error),
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  if (!watchStdin) return;
  process.stdin.resume();
  process.stdin.on('end', stop);
  process.stdin.on('close', stop);
}

async function runScavenge(): Promise<void> {
  const progress = process.stderr.isTTY ? '\r' : '\n';
  const { rowsRemoved, rowsCut } = await scavenge(options().databaseUrl, ({ streams, of }) =>
    process.stderr.write(`scavenging: ${streams} of ${of} streams${progress}`),
  );
  process.stdout.write(`${JSON.stringify({ scavenged: true, rowsRemoved, rowsCut })}\n`);
}

const [command = 'serve'] = process.argv.slice(2);
if (command === 'serve') await serve().catch((error: unknown) => fail('The event store cannot start', error));
else if (command === 'scavenge') await runScavenge().catch((error: unknown) => fail('The scavenge failed', error));
else fail('Unknown command', `"${command}": use serve or scavenge`);
