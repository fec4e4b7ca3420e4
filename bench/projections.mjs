// Processor time that projecting a charge costs: Postgres' and the projecting process's, receiving and decoding included.
//   node bench/projections.mjs [--batches 60] [--size 100] [--dist dist]
// Two checkouts are compared by running this for the dist/ of each in turn; only ratios mean anything.
import { spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    batches: { type: 'string', default: '60' },
    size: { type: 'string', default: '100' },
    dist: { type: 'string', default: 'dist' },
    log: { type: 'boolean', default: false },
  },
});
const dist = resolve(values.dist);
const load = (path) => import(join(dist, path));
const { PostgresCluster } = await load('src/platform/embedded/postgres/cluster.js');
const { GrpcEventStore } = await load('src/platform/eventstore/grpc-event-store.js');

const freePort = async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  return port;
};

const ACCOUNTS = Array.from({ length: 10 }, (_, index) => `t0${String(index).padStart(25, '0')}`);
const BUDGET = { budgetMs: 10_000 };

const startPostgres = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'bench-projections-'));
  chmodSync(folder, 0o711);
  const directory = join(folder, 'postgres');
  const settings = { fsync: 'off', autovacuum: 'off' };
  const cluster = await PostgresCluster.prepare({ directory, password: 'bench', port: await freePort(), settings });
  const server = await cluster.start();
  await cluster.ensureDatabase('bench');
  const stop = async () => {
    await server.stop();
    rmSync(folder, { recursive: true });
  };
  return {
    url: cluster.url('bench'),
    pid: Number(readFileSync(join(directory, 'postmaster.pid'), 'utf8').split('\n')[0]),
    stop,
  };
};

const event = (type, data, id = randomUUID()) => {
  const actor = { type: 'tenant', id: randomBytes(32).toString('hex') };
  const time = new Date().toISOString();
  return { id, type, data, metadata: { $correlationId: randomUUID(), actor, time, schemaVersion: 1 } };
};

const charge = (balance) => {
  const chargeId = randomUUID();
  const [iv, ct] = [12, 230].map((length) => randomBytes(length).toString('base64url'));
  const access = { v: 1, alg: 'A256GCM', key: randomUUID(), iv, ct };
  const what = { operation: 'check_eligibility', action: 'eligibility_check', result: 'found' };
  return event(
    'OperationCharged.v1',
    { chargeId, amount: 1, balance, requestId: randomUUID(), access, ...what },
    chargeId,
  );
};

/** A process with the log and whoever appends to it: a number of charges in, the last one's position out. */
const runLog = async () => {
  const { startEventStoreNode } = await load('src/platform/embedded/event-store/node.js');
  const postgres = await startPostgres();
  const node = await startEventStoreNode({ databaseUrl: postgres.url, port: 0 });
  const store = new GrpcEventStore({ connectionString: node.connectionString, ...BUDGET });
  const append = async (eventsOf) => {
    const done = await Promise.all(ACCOUNTS.map((id) => store.append(`credits-${id}`, eventsOf(), 'any', BUDGET)));
    return String(done.map(({ position }) => position).reduce((one, other) => (one > other ? one : other)));
  };
  let balance = 1_000_000;
  const bought = { package: 'small', credits: balance, amountMinor: 1, currency: 'USD' };
  const position = await append(() => [event('CreditsPurchased.v1', { reference: randomUUID(), ...bought })]);
  console.log(JSON.stringify({ connectionString: node.connectionString, position }));
  for await (const line of createInterface({ input: process.stdin })) {
    const each = Array.from({ length: Number(line) / ACCOUNTS.length }, () => (balance -= 1));
    console.log(await append(() => each.map(charge)));
  }
  await store.close();
  await node.stop();
  await postgres.stop();
  process.exit(0);
};

/** Milliseconds of a server and all its processes. */
const processorTime = (postmaster) => {
  let total = 0;
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const parent = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ')[1];
      if (Number(pid) !== postmaster && Number(parent) !== postmaster) continue;
      total += Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
    } catch {
      // It has ended.
    }
  }
  return total;
};

const measure = async () => {
  const { ProjectionRunner } = await load('src/platform/projections/runner.js');
  const { projections } = await load('projections/index.js');
  const log = spawn(process.execPath, [...process.argv.slice(1), '--log'], { stdio: ['pipe', 'pipe', 'inherit'] });
  const said = createInterface({ input: log.stdout })[Symbol.asyncIterator]();
  const { connectionString, position } = JSON.parse((await said.next()).value);
  const postgres = await startPostgres();
  const store = new GrpcEventStore({ connectionString, ...BUDGET });
  const silent = { info: () => undefined, warn: console.error, error: console.error };
  const runner = new ProjectionRunner({ projections, store, database: postgres.url, log: silent });
  await runner.start();
  const counted = projections.filter(({ streamPrefixes }) => streamPrefixes.includes('credits-'));
  const reached = async (place) => {
    for (const { name } of counted) {
      while ((runner.board.position(name) ?? -1n) < place) await runner.board.nextCommit(name, 5_000);
    }
  };
  const round = async () => {
    log.stdin.write(`${values.size}\n`);
    await reached(BigInt((await said.next()).value));
  };
  await reached(BigInt(position));
  for (let warmUp = 0; warmUp < 15; warmUp += 1) await round();
  const [own, servers] = [process.cpuUsage(), processorTime(postgres.pid)];
  for (let batch = 0; batch < Number(values.batches); batch += 1) await round();
  const { user, system } = process.cpuUsage(own);
  const charges = Number(values.batches) * Number(values.size);
  const postgresTime = ((processorTime(postgres.pid) - servers) * 1_000) / charges;
  console.log(
    `a charge: Postgres ${postgresTime.toFixed(0)} µs, this process ${((user + system) / charges).toFixed(0)} µs`,
  );
  await runner.stop();
  await store.close();
  log.stdin.end();
  await new Promise((ended) => log.on('exit', ended));
  await postgres.stop();
  process.exit(0);
};

await (values.log ? runLog() : measure());
