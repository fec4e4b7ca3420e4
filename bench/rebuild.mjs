// Measures the rate of a projection's rebuild from an event-store node or from memory. The difference shows the bottleneck.
//   node bench/rebuild.mjs [--events 100000] [--projection ledger] [--from memory|log] [--dist dist,other/dist] [--rounds 3]
// The dist/ folders of several checkouts take turns, round by round over one log. Only the ratios are meaningful.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setImmediate } from 'node:timers';
import { parseArgs } from 'node:util';
import { startEventStoreNode } from '@kyc/event-store-node/node';
import { fill, madeEvents } from './stage/log.mjs';
import { startPostgres, timeOfSessions } from './stage/postgres.mjs';

const { values } = parseArgs({
  options: {
    events: { type: 'string', default: '100000' },
    projection: { type: 'string', default: 'ledger' },
    from: { type: 'string', default: 'memory' },
    dist: { type: 'string', default: 'dist' },
    rounds: { type: 'string', default: '3' },
  },
});
const dists = values.dist.split(',').map((dist) => resolve(dist));
const load = (dist, path) => import(join(dist, path));

const stored = (written) => {
  const revisions = new Map();
  return written.map(([stream, entry], index) => {
    const revision = (revisions.get(stream) ?? -1n) + 1n;
    revisions.set(stream, revision);
    return { ...entry, stream, revision, position: BigInt(index + 1), created: new Date(entry.metadata.time) };
  });
};

/** Delivers the events in pages, at the reader's pace. */
const memoryStore = (events) => ({
  head: () => Promise.resolve(events.at(-1)?.position),
  async *subscribeToAllInPages({ after, streamPrefixes }) {
    const from = after === undefined ? 0 : events.findIndex(({ position }) => position > after);
    for (let at = from === -1 ? events.length : from; at < events.length; at += 500) {
      const page = events.slice(at, at + 500);
      const wanted = page.filter(({ stream }) => streamPrefixes.some((prefix) => stream.startsWith(prefix)));
      yield wanted.map((found) => ({ kind: 'event', event: found }));
      await new Promise((done) => setImmediate(done));
    }
    if (events.length > 0) yield [{ kind: 'checkpoint', position: events.at(-1).position }];
    yield [{ kind: 'caught_up' }];
  },
});

/** An earlier checkout has no migrations. Its read models create their own tables. */
const createTables = async (dist, database) => {
  const migrations = 'src/platform/postgres/migrations.js';
  if (existsSync(join(dist, migrations))) await (await load(dist, migrations)).applyMigrations(database);
};

const listOfProjections = (dist) =>
  existsSync(join(dist, 'src/projections.js')) ? 'src/projections.js' : 'projections/index.js';

const rebuildOnce = async (dist, { connectionString, database, count }) => {
  const { projections } = await load(dist, listOfProjections(dist));
  const { ProjectionSession } = await load(dist, 'src/platform/postgres/session.js');
  const { prepareReadModels } = await load(dist, 'src/log/project/runner.js');
  const { Rebuild } = await load(dist, 'src/log/project/rebuild.js');
  const { GrpcEventStore } = await load(dist, 'src/platform/eventstore/grpc-event-store.js');
  const store = connectionString
    ? new GrpcEventStore({ connectionString, budgetMs: 10_000 })
    : memoryStore(stored([...madeEvents(count)]));
  await createTables(dist, database);
  await prepareReadModels(database, projections);
  const session = await ProjectionSession.open(database);
  const projection = projections.find(({ name }) => name === values.projection);
  let [events, most] = [0, 0];
  const onProgress = (progress) => {
    events = progress.events;
    most = Math.max(most, process.memoryUsage.rss());
  };
  const signal = new AbortController().signal;
  globalThis.gc?.();
  const before = process.memoryUsage.rss();
  const [began, own, servers] = [performance.now(), process.cpuUsage(), timeOfSessions('rows')];
  const rebuild = await Rebuild.begin({ session, store, projection, signal, onProgress });
  await rebuild.swap();
  const took = performance.now() - began;
  const { user, system } = process.cpuUsage(own);
  const postgres = timeOfSessions('rows') - servers;
  session.close();
  await store.close?.();
  return {
    rate: Math.round((events * 1_000) / took),
    postgresMicros: Math.round((postgres * 1_000) / events),
    ownMicros: Math.round((user + system) / events),
    grownMb: Math.round((most - before) / 1e6),
  };
};

const main = async () => {
  const count = Number(values.events);
  const postgres = await startPostgres({ databases: ['log', 'rows'] });
  let node, connectionString;
  if (values.from === 'log') {
    node = fork(process.argv[1], process.argv.slice(2), { env: { ...process.env, LOG_DATABASE: postgres.url('log') } });
    [connectionString] = await once(node, 'message');
  }
  for (let round = 0; round < Number(values.rounds); round += 1) {
    for (const dist of dists) {
      const job = { dist, connectionString, database: postgres.url('rows'), count };
      const child = fork(process.argv[1], process.argv.slice(2), {
        env: { ...process.env, REBUILD: JSON.stringify(job) },
      });
      const [result] = await once(child, 'message');
      console.log(dist, JSON.stringify(result));
    }
  }
  node?.kill();
  await postgres.stop();
};

const runLog = async () => {
  const { GrpcEventStore } = await load(dists[0], 'src/platform/eventstore/grpc-event-store.js');
  const node = await startEventStoreNode({ databaseUrl: process.env.LOG_DATABASE, port: 0 });
  const store = new GrpcEventStore({ connectionString: node.connectionString, budgetMs: 60_000 });
  await fill(store, Number(values.events));
  await store.close();
  process.send(node.connectionString);
};

if (process.env.LOG_DATABASE) await runLog();
else if (process.env.REBUILD) {
  const job = JSON.parse(process.env.REBUILD);
  process.send(await rebuildOnce(job.dist, job), () => process.exit(0));
} else await main();
