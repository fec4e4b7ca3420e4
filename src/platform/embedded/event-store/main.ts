import { LogInUse } from './log/owner.js';
import { startEventStoreNode } from './node.js';

const { EVENTSTORE_PORT = '2113', DATABASE_URL, EVENTSTORE_WATCH_STDIN } = process.env;

function fail(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}

const explain = (error: unknown) => (error instanceof Error ? error.message : String(error));

if (DATABASE_URL === undefined) fail('DATABASE_URL is required: the Postgres database that holds the log.');
const port = Number(EVENTSTORE_PORT);
if (!Number.isInteger(port) || port < 0 || port > 65_535)
  fail(`EVENTSTORE_PORT must be a port number, not "${EVENTSTORE_PORT}".`);

const node = await startEventStoreNode({
  databaseUrl: DATABASE_URL,
  port,
  onFatal: (error) => fail(`The event store stops: ${error.message}.`),
}).catch((error: unknown) => {
  if (error instanceof LogInUse) fail(`The event store cannot start: ${error.message}.`);
  return fail(`The event store cannot start: ${explain(error)}`);
});

let stopping = false;
const stop = () => {
  if (stopping) return;
  stopping = true;
  setTimeout(() => process.exit(0), 4_000).unref();
  node.stop().then(
    () => process.exit(0),
    (error: unknown) => fail(explain(error)),
  );
};

process.on('SIGTERM', stop);
process.on('SIGINT', stop);
if (EVENTSTORE_WATCH_STDIN === '1') {
  process.stdin.resume();
  process.stdin.on('end', stop);
  process.stdin.on('close', stop);
}
process.stdout.write(`${JSON.stringify({ ready: true, port: node.port })}\n`);
