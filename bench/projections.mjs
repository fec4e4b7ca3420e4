// Measures the processor time of projecting a charge, in Postgres and in the projecting process, with receiving and decoding.
//   node bench/projections.mjs [--batches 60] [--size 100] [--dist dist]
// To compare two checkouts, run this for the dist/ of each in turn. Only the ratios are meaningful.
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { startEventStoreNode } from '@kyc/event-store-node/node';
import { charge, event } from './stage/events.mjs';
import { startPostgres, timeOfServer } from './stage/postgres.mjs';

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
const { GrpcEventStore } = await load('src/platform/eventstore/grpc-event-store.js');

const ACCOUNTS = Array.from({ length: 10 }, (_, index) => `t0${String(index).padStart(25, '0')}`);
const BUDGET = { budgetMs: 10_000 };
const SERVER = { databases: ['bench'], settings: { fsync: 'off', autovacuum: 'off' } };

/** Runs the log and its appender in their own process. It reads a number of charges and prints the last one's position. */
const runLog = async () => {
  const postgres = await startPostgres(SERVER);
  const node = await startEventStoreNode({ databaseUrl: postgres.url('bench'), port: 0 });
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
    console.log(await append(() => each.map((left) => charge(left))));
  }
  await store.close();
  await node.stop();
  await postgres.stop();
  process.exit(0);
};

const measure = async () => {
  const { ProjectionRunner } = await load('src/log/project/runner.js');
  const { projections } = await load('src/projections.js');
  const log = spawn(process.execPath, [...process.argv.slice(1), '--log'], { stdio: ['pipe', 'pipe', 'inherit'] });
  const said = createInterface({ input: log.stdout })[Symbol.asyncIterator]();
  const { connectionString, position } = JSON.parse((await said.next()).value);
  const postgres = await startPostgres(SERVER);
  const store = new GrpcEventStore({ connectionString, ...BUDGET });
  const silent = { info: () => undefined, warn: console.error, error: console.error };
  const runner = new ProjectionRunner({ projections, store, database: postgres.url('bench'), log: silent });
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
  const [own, servers] = [process.cpuUsage(), timeOfServer(postgres.pid)];
  for (let batch = 0; batch < Number(values.batches); batch += 1) await round();
  const { user, system } = process.cpuUsage(own);
  const charges = Number(values.batches) * Number(values.size);
  const postgresTime = ((timeOfServer(postgres.pid) - servers) * 1_000) / charges;
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
