// Measures what is done with the whole log against reading it alone: growing its tree, verifying it, rebuilding a projection.
// Then the time of a proof for any of its events. Each step runs in a process of its own, with the memory that it takes.
//   node bench/log.mjs [--events 100000] [--projection ledger] [--proofs 1000] [--dist dist]
// Only the ratios are meaningful.
import { fork } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { clearInterval, setInterval, setTimeout } from 'node:timers';
import { parseArgs } from 'node:util';
import { startEventStoreNode } from '@kyc/event-store-node/node';
import { fill } from './stage/log.mjs';
import { startPostgres } from './stage/postgres.mjs';

const { values } = parseArgs({
  options: {
    events: { type: 'string', default: '100000' },
    projection: { type: 'string', default: 'ledger' },
    proofs: { type: 'string', default: '1000' },
    dist: { type: 'string', default: 'dist' },
  },
});
const load = (path) => import(join(resolve(values.dist), path));
const BUDGET_MS = 60_000;
/** A projection reads the streams that it names. */
const EVERY_STREAM = ['audit-', 'credits-', 'identity-'];
const never = new AbortController().signal;

/** Milliseconds of wall and processor time, and MB that the process grew by at most, per event where there are some. */
const measured = async (work) => {
  globalThis.gc?.();
  const before = process.memoryUsage.rss();
  let most = before;
  const watch = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), 20);
  const [began, own] = [performance.now(), process.cpuUsage()];
  const events = await work();
  const took = performance.now() - began;
  const { user, system } = process.cpuUsage(own);
  clearInterval(watch);
  return {
    events,
    perSecond: Math.round((events * 1_000) / took),
    ownMicros: Math.round((user + system) / events),
    startMb: Math.round(before / 1e6),
    grownMb: Math.round((Math.max(most, process.memoryUsage.rss()) - before) / 1e6),
  };
};

const countUntilCaughtUp = async (pages) => {
  let events = 0;
  for await (const page of pages) {
    for (const { kind } of page) {
      if (kind === 'event') events += 1;
      if (kind === 'caught_up') return events;
    }
  }
  throw new Error('the subscription ended');
};

/** What the proofs slice works with. Its keys are those of this run. */
const slice = async (store, database) => {
  const { HmacKeyedHashes } = await load('src/platform/crypto/keyed-hashes.js');
  const { KeyRing } = await load('src/platform/crypto/key-ring.js');
  const { SigningKeys } = await load('src/platform/crypto/signing-keys.js');
  const { ProofReader } = await load('src/proofs/proof-reader.js');
  const material = { indexRoot: Buffer.alloc(32, 7), encryptionKeys: new Map([[1, Buffer.alloc(32, 9)]]), source: '' };
  const hashes = new HmacKeyedHashes(material.indexRoot);
  const keys = new SigningKeys(database, new KeyRing(material));
  return { hashes, keys, reader: new ProofReader(database, store, hashes, keys) };
};

const growTree = async ({ store, database, rows }) => {
  const { Leadership } = await load('src/platform/leadership/leadership.js');
  const { LogTree } = await load('src/proofs/log-tree.js');
  const { hashes, keys } = await slice(store, database);
  const leadership = new Leadership({ database: rows, beatMs: 100, onFault: console.error });
  leadership.claim({ name: 'LogTree.follow' });
  while (!leadership.holds('LogTree.follow')) await new Promise((done) => setTimeout(done, 10));
  const config = { checkpointEvery: 0, environment: 'sandbox' };
  const tree = new LogTree(store, database, leadership, hashes, keys, config, console);
  const size = async () => Number((await database.query('SELECT size FROM proof_epochs'))[0]?.size ?? 0);
  const result = await measured(async () => {
    for (let grown = -1; grown !== (await size());) {
      grown = await size();
      await tree.follow(never);
    }
    return size();
  });
  await leadership.close();
  return result;
};

const verify = async ({ store, database }) => {
  const { verifyStoredLog } = await load('src/proofs/log-verification.js');
  const { parseVerifierKey } = await import('@kyc/log-proofs/checkpoint');
  const { hashes, reader } = await slice(store, database);
  const keys = (await reader.verifierKeys()).map(parseVerifierKey);
  return measured(async () => {
    const { finding, unsigned, leaves } = await verifyStoredLog({ store, database, hashes, keys });
    if (finding !== undefined || unsigned.length > 0) throw new Error(JSON.stringify([finding, unsigned]));
    return leaves;
  });
};

const rebuild = async ({ store, rows }) => {
  const { projections } = await load('src/projections.js');
  const { ProjectionSession } = await load('src/platform/postgres/session.js');
  const { prepareReadModels } = await load('src/log/project/runner.js');
  const { Rebuild } = await load('src/log/project/rebuild.js');
  await prepareReadModels(rows, projections);
  const session = await ProjectionSession.open(rows);
  const projection = projections.find(({ name }) => name === values.projection);
  const result = await measured(async () => {
    let read = 0;
    const onProgress = ({ events }) => (read = events);
    await (await Rebuild.begin({ session, store, projection, signal: never, onProgress })).swap();
    return read;
  });
  session.close();
  return result;
};

/** Of events anywhere in the log, one after the other. */
const prove = async ({ store, database }) => {
  const { tenantOfStream } = await load('src/kernel/events.js');
  const { verifyProof } = await import('@kyc/log-proofs/proof-file');
  const { parseVerifierKey } = await import('@kyc/log-proofs/checkpoint');
  const { reader } = await slice(store, database);
  const keys = (await reader.verifierKeys()).map(parseVerifierKey);
  const [{ size }] = await database.query('SELECT size FROM proof_epochs');
  const times = [];
  const result = await measured(async () => {
    for (let count = 0; count < Number(values.proofs); count += 1) {
      const leaf = 'SELECT event_id, stream FROM proof_leaves WHERE leaf_index = $1';
      const [{ event_id: id, stream }] = await database.query(leaf, [randomInt(Number(size))]);
      const began = performance.now();
      const proof = await reader.inclusion(tenantOfStream(stream), id);
      times.push(performance.now() - began);
      verifyProof(proof, keys);
    }
    return times.length;
  });
  times.sort((one, other) => one - other);
  const at = (share) => Number(times[Math.min(times.length - 1, Math.floor(times.length * share))].toFixed(2));
  return { ...result, p50: at(0.5), p99: at(0.99), most: at(1) };
};

const STEPS = {
  'read $all, as stored': ({ store }) =>
    measured(() => countUntilCaughtUp(store.subscribeToRecords({ signal: never }))),
  'read $all, decoded': ({ store }) =>
    measured(() => countUntilCaughtUp(store.subscribeToAllInPages({ streamPrefixes: EVERY_STREAM, signal: never }))),
  'grow the tree': growTree,
  'verify the log': verify,
  [`rebuild ${values.projection}`]: rebuild,
  'prove one event': prove,
};

const main = async () => {
  const postgres = await startPostgres({ databases: ['log', 'rows'] });
  const child = (env) =>
    fork(process.argv[1], process.argv.slice(2), { env: { ...process.env, ...env }, execArgv: ['--expose-gc'] });
  const node = child({ LOG_DATABASE: postgres.url('log') });
  const [connectionString] = await once(node, 'message');
  const { applyMigrations } = await load('src/platform/postgres/migrations.js');
  await applyMigrations(postgres.url('rows'));
  const rates = new Map();
  for (const step of Object.keys(STEPS)) {
    const [result] = await once(
      child({ STEP: step, NODE_URL: connectionString, ROWS: postgres.url('rows') }),
      'message',
    );
    rates.set(step, result.perSecond);
    const alone = rates.get('read $all, as stored');
    console.log(
      step.padEnd(24),
      JSON.stringify({ ...result, ofReading: Number((result.perSecond / alone).toFixed(2)) }),
    );
  }
  node.kill();
  await postgres.stop();
};

const runLog = async () => {
  const { GrpcEventStore } = await load('src/platform/eventstore/grpc-event-store.js');
  const node = await startEventStoreNode({ databaseUrl: process.env.LOG_DATABASE, port: 0 });
  const store = new GrpcEventStore({ connectionString: node.connectionString, budgetMs: BUDGET_MS });
  await fill(store, Number(values.events));
  await store.close();
  process.send(node.connectionString);
};

const runStep = async () => {
  const { GrpcEventStore } = await load('src/platform/eventstore/grpc-event-store.js');
  const { Database } = await load('src/platform/postgres/database.js');
  const rows = process.env.ROWS;
  const store = new GrpcEventStore({ connectionString: process.env.NODE_URL, budgetMs: BUDGET_MS });
  const database = new Database({ connectionString: rows, budgetMs: BUDGET_MS });
  const result = await STEPS[process.env.STEP]({ store, database, rows });
  process.send(result, () => process.exit(0));
};

if (process.env.LOG_DATABASE) await runLog();
else if (process.env.STEP) await runStep();
else await main();
