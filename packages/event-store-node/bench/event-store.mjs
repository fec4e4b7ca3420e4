// Compares the embedded event-store node with emmett-postgresql and COPY on one Postgres (fsync on), in one run.
//   node packages/event-store-node/bench/event-store.mjs [--seconds 5] [--events 1000000] [--dist DIR] [--database-url URL]
// Appends and reads go through @eventstore/db-client, so the load generator's cost is part of every figure.
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { getPostgreSQLEventStore } from '@event-driven-io/emmett-postgresql';
import eventstore from '@eventstore/db-client';
import pg from 'pg';
import { startPostgres } from '../../../bench/stage/postgres.mjs';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '5' },
    events: { type: 'string', default: '1000000' },
    dist: { type: 'string', default: join(import.meta.dirname, '..', 'dist') },
    'database-url': { type: 'string' },
  },
});
const seconds = Number(values.seconds);
const logLength = Number(values.events);
const dist = resolve(values.dist);
const { EventStoreDBClient, jsonEvent } = eventstore;

const data = () => ({ deductionId: randomUUID(), operation: 'check_eligibility', amount: 1, note: 'x'.repeat(60) });
const event = () => jsonEvent({ type: 'CreditsDeducted.v1', data: data(), metadata: { $correlationId: randomUUID() } });
const thousands = (value) => Math.round(value).toLocaleString('en');
const report = (what, value, note = '') => console.log(`${what.padEnd(58)} ${String(value).padStart(12)}  ${note}`);
const percentile = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];

/** Keeps `inFlight` operations running for `seconds`. Returns operations per second and latencies. */
async function drive(inFlight, operation) {
  const latencies = [];
  const end = performance.now() + seconds * 1_000;
  const begun = performance.now();
  await Promise.all(
    Array.from({ length: inFlight }, async (_, worker) => {
      while (performance.now() < end) {
        const start = performance.now();
        await operation(worker);
        latencies.push(performance.now() - start);
      }
    }),
  );
  latencies.sort((a, b) => a - b);
  return {
    count: latencies.length,
    rate: latencies.length / ((performance.now() - begun) / 1_000),
    p50: percentile(latencies, 0.5),
    p99: percentile(latencies, 0.99),
  };
}

const spread = ({ p50, p99 }) => `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`;

async function openDatabase() {
  if (values['database-url']) return { url: values['database-url'], stop: async () => undefined };
  const postgres = await startPostgres({ databases: ['bench'] });
  return { url: postgres.url('bench'), stop: postgres.stop };
}

async function startNode(databaseUrl) {
  const child = spawn(process.execPath, [join(dist, 'main.js')], {
    env: {
      ...process.env,
      DATABASE_URL: databaseUrl,
      EVENTSTORE_INSECURE: 'true',
      EVENTSTORE_PORT: '0',
      EVENTSTORE_WATCH_STDIN: '1',
    },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  for await (const line of createInterface({ input: child.stdout })) {
    const { port } = JSON.parse(line);
    return { pid: child.pid, url: `esdb://127.0.0.1:${port}?tls=false`, stop: () => child.kill('SIGTERM') };
  }
  throw new Error('the node ended before it was ready');
}

/** Measures the processor time of the node and of this process, the client, in microseconds for each of `count` events. */
function meter(pid) {
  const TICK_MICROSECONDS = 10_000;
  const ticks = () => {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(' ');
    return Number(fields[13]) + Number(fields[14]);
  };
  const node = ticks();
  const client = process.cpuUsage();
  return (count) => {
    const { user, system } = process.cpuUsage(client);
    const spent = [((ticks() - node) * TICK_MICROSECONDS) / count, (user + system) / count];
    return `CPU each: node ${spent[0].toFixed(0)} µs, client ${spent[1].toFixed(0)} µs`;
  };
}

const memoryOf = (pid) => Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024;

async function appends(client, pid) {
  for (const inFlight of [1, 64, 256]) {
    const run = `a${randomUUID().slice(0, 8)}`;
    const used = meter(pid);
    const measured = await drive(inFlight, (worker) => client.appendToStream(`${run}-${worker % 100}`, event()));
    const note = `${spread(measured)}, ${used(measured.count)}`;
    report(`append, ${inFlight} in flight, events/s`, thousands(measured.rate), note);
  }
  const run = `a${randomUUID().slice(0, 8)}`;
  const used = meter(pid);
  const twenty = await drive(16, (worker) =>
    client.appendToStream(`${run}-${worker}`, Array.from({ length: 20 }, event)),
  );
  const note = `${spread(twenty)}, ${used(twenty.count * 20)}`;
  report('append, 16 in flight × 20 events, events/s', thousands(twenty.rate * 20), note);
}

async function emmett(databaseUrl) {
  const store = getPostgreSQLEventStore(databaseUrl);
  for (const inFlight of [1, 64]) {
    const run = `e${randomUUID().slice(0, 8)}`;
    const measured = await drive(inFlight, (worker) =>
      store.appendToStream(`${run}-${worker}`, [{ type: 'CreditsDeducted.v1', data: data(), metadata: {} }]),
    );
    report(`emmett-postgresql append, ${inFlight} in flight, events/s`, thousands(measured.rate), spread(measured));
  }
  await store.close();
}

/**
 * Measures milliseconds from the start of an append to its event's arrival at a live subscription. Two other figures stand
 * beside it: the append's own latency, and a commit of one row on the same Postgres. No durable append can be faster than that
 * commit.
 */
async function liveDelay(client, databaseUrl) {
  const database = new pg.Client({ connectionString: databaseUrl });
  await database.connect();
  await database.query('CREATE TABLE commits (id uuid PRIMARY KEY)');
  const stream = `live-${randomUUID()}`;
  const started = new Map();
  const delays = [];
  const appends = [];
  const commits = [];
  const subscription = client.subscribeToAll({ fromPosition: 'end' });
  subscription.on('data', ({ event: seen }) => {
    const start = started.get(seen?.id);
    if (start !== undefined) delays.push(performance.now() - start);
  });
  await new Promise((ready) => subscription.once('caughtUp', ready));
  const end = Date.now() + seconds * 1_000;
  while (Date.now() < end) {
    const next = event();
    const start = performance.now();
    started.set(next.id, start);
    await client.appendToStream(stream, next);
    appends.push(performance.now() - start);
    await new Promise((pause) => setTimeout(pause, 2));
    const before = performance.now();
    await database.query('INSERT INTO commits VALUES ($1)', [next.id]);
    commits.push(performance.now() - before);
    await new Promise((pause) => setTimeout(pause, 2));
  }
  await new Promise((pause) => setTimeout(pause, 200));
  await subscription.unsubscribe();
  await database.end();
  for (const [what, times] of [
    ['live subscription, append to arrival, ms', delays],
    ['the same appends, to their acknowledgement, ms', appends],
    ['a commit of one row between them, ms', commits],
  ]) {
    times.sort((a, b) => a - b);
    const p99 = percentile(times, 0.99).toFixed(1);
    report(what, percentile(times, 0.5).toFixed(1), `p99 ${p99} ms, ${times.length} times`);
  }
}

async function fill(client, databaseUrl) {
  const database = new pg.Client({ connectionString: databaseUrl });
  await database.connect();
  const { rows } = await database.query('SELECT coalesce(sum(events), 0)::int AS events FROM event_store.writes');
  await database.end();
  let missing = logLength - rows[0].events;
  await Promise.all(
    Array.from({ length: 16 }, async (_, worker) => {
      while (missing > 0) {
        missing -= 20;
        await client.appendToStream(`fill-${worker}-${missing % 1_000}`, Array.from({ length: 20 }, event));
      }
    }),
  );
}

async function readAll(client, databaseUrl, pid) {
  const used = meter(pid);
  let start = performance.now();
  let count = 0;
  for await (const { event: seen } of client.readAll({ maxCount: logLength })) if (seen) count += 1;
  const rate = count / ((performance.now() - start) / 1_000);
  report(`read $all, ${thousands(count)} events, events/s`, thousands(rate), used(count));
  start = performance.now();
  const database = new pg.Client({ connectionString: databaseUrl });
  await database.connect();
  await database.query(`COPY (SELECT * FROM event_store.writes ORDER BY position) TO '/dev/null'`);
  report('COPY of the same rows TO /dev/null, events/s', thousands(count / ((performance.now() - start) / 1_000)));
  await database.end();
}

const postgres = await openDatabase();
const node = await startNode(postgres.url);
const client = EventStoreDBClient.connectionString(node.url);
await client.appendToStream(`warm-${randomUUID()}`, event());
await appends(client, node.pid);
await emmett(postgres.url);
await liveDelay(client, postgres.url);
await fill(client, postgres.url);
await readAll(client, postgres.url, node.pid);
report('memory of the node at its highest, MB', memoryOf(node.pid).toFixed(0));
await client.dispose();
node.stop();
await postgres.stop();
process.exit(0);
