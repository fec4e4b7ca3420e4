// Measures deliveries to 100 local receivers, side by side with a bare loop of fetch over the same payloads that commits one
// INSERT a delivery, and the delay from the time of an event to its arrival. Then the rate of check-eligibility beside events that
// are delivered, and beside that loop at the same rate, over its rate beside the same events alone. It needs the compiled bench
// (npm run bench -- --help).
//   node bench/webhooks.mjs [--events 500] [--rate 200] [--seconds 15] [--rounds 3] [--dist dist]
import { fork, spawn } from 'node:child_process';
import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { freePort } from '@kyc/embedded-runtime/ports';
import { event } from './stage/events.mjs';

const { values } = parseArgs({
  options: {
    events: { type: 'string', default: '500' },
    rate: { type: 'string', default: '200' },
    seconds: { type: 'string', default: '15' },
    rounds: { type: 'string', default: '3' },
    dist: { type: 'string', default: 'dist' },
  },
});
const [EVENTS, RATE, SECONDS, ROUNDS] = [values.events, values.rate, values.seconds, values.rounds].map(Number);
const dist = resolve(values.dist);

const RECEIVERS = 100;
const ACCOUNTS = 5;
const CONNECTIONS = 256;
const TYPE = 'identity.restored';

/** Answers to a challenge: a receiver may have endpoints of several accounts. */
const proofsOf = (secrets, challenge) =>
  secrets.map((secret) => createHmac('sha256', secret).update(challenge).digest('hex')).join(' ');

/** The receivers, in a process of their own. It reports the ports, and on request what arrived since the last request. */
const receive = async () => {
  let delays = [];
  const secrets = new Map();
  const serve = () =>
    new Promise((listening) => {
      const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
        let body = '';
        request.setEncoding('utf8').on('data', (text) => (body += text));
        request.on('end', () => {
          const { type, created_at: created, data } = JSON.parse(body);
          if (type === 'endpoint.verification')
            return response.end(proofsOf(secrets.get(server.address().port) ?? [], data.challenge));
          delays.push(Date.now() - Date.parse(created));
          response.end();
        });
      });
      server.listen(0, '127.0.0.1', () => listening(server.address().port));
    });
  process.send(await Promise.all(Array.from({ length: RECEIVERS }, serve)));
  process.on('message', (wish) => {
    if (typeof wish === 'object') return secrets.set(wish.port, [...(secrets.get(wish.port) ?? []), wish.secret]);
    process.send(wish === 'count' ? delays.length : delays);
    if (wish === 'take') delays = [];
  });
};

const startReceivers = async () => {
  const child = fork(fileURLToPath(import.meta.url), process.argv.slice(2), { env: { ...process.env, RECEIVE: '1' } });
  const next = () => new Promise((heard) => child.once('message', heard));
  const ask = (wish) => {
    const answer = next();
    child.send(wish);
    return answer;
  };
  return {
    ports: await next(),
    trust: (port, secret) => child.send({ port, secret }),
    count: () => ask('count'),
    take: () => ask('take'),
    stop: () => child.kill(),
  };
};

const startService = async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'bench-webhooks-'));
  const port = await freePort();
  const env = { PATH: process.env.PATH, DATA_DIR: dataDir, PORT: String(port), LOG_LEVEL: 'warn' };
  const child = spawn(process.execPath, [join(dist, 'src/main.js')], { env, stdio: ['ignore', 'ignore', 'inherit'] });
  const baseUrl = `http://127.0.0.1:${port}`;
  const isReady = () =>
    fetch(`${baseUrl}/health/ready`)
      .then(({ ok }) => ok)
      .catch(() => false);
  while (!(await isReady())) await pause(100);
  const read = (name) => JSON.parse(readFileSync(join(dataDir, name), 'utf8'));
  const call = async (path, body, headers) => {
    const sent = {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    };
    const answer = await fetch(baseUrl + path, sent);
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  };
  const stop = async () => {
    const ended = new Promise((exited) => child.once('exit', exited));
    child.kill('SIGTERM');
    await ended;
    rmSync(dataDir, { recursive: true });
  };
  return { call, read, stop, port };
};

/** Accounts whose endpoints are the receivers. */
const register = async ({ call, read }, { ports, trust }, accounts) => {
  const { dev_secret } = read('demo-account.json');
  const { access_token } = await call('/dev/token', { roles: ['admin'] }, { 'x-dev-secret': dev_secret });
  const tenants = [];
  for (let index = 0; index < accounts; index += 1) {
    const body = { name: 'Bench', contact_email: 'bench@example.org' };
    const { tenant_id, api_key } = await call('/admin/accounts', body, { authorization: `Bearer ${access_token}` });
    tenants.push(tenant_id);
    for (const port of ports.filter((_, place) => place % accounts === index)) {
      const endpoint = { url: `http://127.0.0.1:${port}/hook`, events: [TYPE] };
      const { secret } = await call('/api/v1/webhooks/endpoints', endpoint, { 'x-api-key': api_key });
      trust(port, secret);
      // A sandbox account has 18 requests a second and 75 a minute.
      await pause(70);
    }
  }
  return tenants;
};

const restored = () => {
  const hex = randomBytes(16).toString('hex');
  const data = { identityId: `idn_${hex}`, identityHash: 'f'.repeat(64), restoredAt: new Date().toISOString() };
  return { hex, event: event('IdentityRestored.v1', data) };
};

const untilArrived = async (receivers, count) => {
  while ((await receivers.count()) < count) await pause(20);
};

/** Deliveries a second of a backlog that is appended at once. */
const throughput = async (append, receivers, tenants) => {
  const began = performance.now();
  await Promise.all(Array.from({ length: EVENTS }, (_, index) => append(tenants[index % ACCOUNTS])));
  const count = EVENTS * (RECEIVERS / ACCOUNTS);
  await untilArrived(receivers, count);
  const seconds = (performance.now() - began) / 1_000;
  await receivers.take();
  return count / seconds;
};

/** Sends a payload by fetch to one receiver after the other, and commits one INSERT for each. */
const openLoop = async (receivers, databaseUrl) => {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 });
  await pool.query('CREATE TABLE IF NOT EXISTS bench_attempts (id uuid PRIMARY KEY, at timestamptz, status integer)');
  let sent = 0;
  const send = async () => {
    const port = receivers.ports[(sent += 1) % RECEIVERS];
    const at = new Date().toISOString();
    const data = restored().event.data;
    const body = {
      id: randomUUID(),
      event_type: TYPE,
      type: TYPE,
      created_at: at,
      timestamp: at,
      event_data: data,
      data,
    };
    const request = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
    const answer = await fetch(`http://127.0.0.1:${port}/hook`, request);
    await answer.arrayBuffer();
    await pool.query('INSERT INTO bench_attempts VALUES ($1, $2, $3)', [body.id, at, answer.status]);
  };
  return { send, end: () => pool.end() };
};

/** As many deliveries a second as bare fetch makes of the same payloads. */
const bareLoop = async (receivers, loop) => {
  const count = EVENTS * (RECEIVERS / ACCOUNTS);
  let next = 0;
  const began = performance.now();
  const work = async () => {
    while ((next += 1) <= count) await loop.send();
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, work));
  const rate = count / ((performance.now() - began) / 1_000);
  await untilArrived(receivers, count);
  await receivers.take();
  return rate;
};

const percentile = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];

/** Milliseconds from the time of an event to its arrival, where each account has one endpoint. */
const delay = async (append, receivers, tenants) => {
  const total = RATE * SECONDS;
  const began = performance.now();
  const appending = [];
  for (let index = 0; index < total; index += 1) {
    const due = began + (index * 1_000) / RATE - performance.now();
    if (due > 1) await pause(due);
    appending.push(append(tenants[index % tenants.length]));
  }
  await Promise.all(appending);
  await untilArrived(receivers, total);
  const delays = (await receivers.take()).sort((one, other) => one - other);
  return { p50: percentile(delays, 0.5), p99: percentile(delays, 0.99) };
};

const CHECKS = { accounts: 20, connections: 64, warmupSeconds: 1, seconds: 5 };

/** Accounts that may check without a limit. */
const openCallers = async ({ call, read, port }) => {
  const { dev_secret } = read('demo-account.json');
  const { access_token } = await call('/dev/token', { roles: ['admin'] }, { 'x-dev-secret': dev_secret });
  const authorization = `Bearer ${access_token}`;
  const callers = [];
  for (let index = 0; index < CHECKS.accounts; index += 1) {
    const body = { name: 'Bench caller', contact_email: 'bench@example.org' };
    const { tenant_id, api_key } = await call('/admin/accounts', body, { authorization });
    const limits = { rate_limit_per_minute: 1_000_000_000, burst_per_second: 1_000_000_000 };
    await fetch(`http://127.0.0.1:${port}/admin/accounts/${tenant_id}`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json', authorization },
      body: JSON.stringify(limits),
    });
    await call(`/admin/accounts/${tenant_id}/credits`, { amount: 10_000_000, reason: 'Bench' }, { authorization });
    callers.push({ tenantId: tenant_id, apiKey: api_key });
  }
  return callers;
};

/** Checks a second while `step` runs at the rate, with a number from 0. */
const checksBeside = async (step, { port }, apiKeys) => {
  const { inProcess } = await import(join(dist, 'bench/processes.js'));
  const { connections, warmupSeconds, seconds } = CHECKS;
  const identities = { first: 0, count: 1_000 };
  const job = { host: '127.0.0.1', port, path: '/api/v1/check-eligibility', apiKeys, identities };
  let isOver = false;
  let index = 0;
  const running = new Set();
  const feed = async () => {
    const began = performance.now();
    while (!isOver) {
      const one = step(index).finally(() => running.delete(one));
      running.add(one);
      index += 1;
      await pause(Math.max(0, began + (index * 1_000) / RATE - performance.now()));
    }
    await Promise.all(running);
  };
  const feeding = feed();
  const measured = await inProcess('load/generator', { ...job, connections, warmupSeconds, seconds }, 60);
  isOver = true;
  await feeding;
  return { perSecond: measured.perSecond, steps: index };
};

const median = (figures) => [...figures].sort((one, other) => one - other)[Math.floor(figures.length / 2)];

const measure = async () => {
  const receivers = await startReceivers();
  const service = await startService();
  const { eventStoreUrl, databaseUrl } = service.read('stores.json');
  const { GrpcEventStore } = await import(join(dist, 'src/platform/eventstore/grpc-event-store.js'));
  const store = new GrpcEventStore({ connectionString: eventStoreUrl, budgetMs: 30_000 });
  const tenants = await register(service, receivers, ACCOUNTS);
  const single = await register(service, receivers, RECEIVERS);
  const append = (tenant) => {
    const { hex, event: one } = restored();
    return store.append(`identity-${tenant}_${hex}`, [one], 'any', { budgetMs: 30_000 });
  };
  await throughput(append, receivers, tenants);
  const loop = await openLoop(receivers, databaseUrl);
  await bareLoop(receivers, loop);
  const rounds = [];
  for (let round = 1; round <= ROUNDS; round += 1) {
    const own = await throughput(append, receivers, tenants);
    const bare = await bareLoop(receivers, loop);
    rounds.push(own / bare);
    console.log(
      `round ${round}: ${own.toFixed(0)} deliveries/s, bare loop ${bare.toFixed(0)}/s, ${(own / bare).toFixed(2)} x`,
    );
  }
  console.log(`median ${median(rounds).toFixed(2)} x of fetch and a committed INSERT (aim 0.8)`);
  const { p50, p99 } = await delay(append, receivers, single);
  console.log(
    `${RATE} events/s, each to one of ${RECEIVERS} endpoints: delay p50 ${p50} ms, p99 ${p99} ms (aim 250 ms)`,
  );
  const callers = await openCallers(service);
  const silent = callers.map(({ tenantId }) => tenantId);
  const apiKeys = callers.map(({ apiKey }) => apiKey);
  const appendTo = (tenants) => (index) => append(tenants[index % tenants.length]);
  const toNobody = appendTo(silent);
  const shares = { deliveries: [], 'bare fetch': [] };
  for (let round = 0; round <= ROUNDS; round += 1) {
    const alone = await checksBeside(toNobody, service, apiKeys);
    const beside = await checksBeside(appendTo(single), service, apiKeys);
    await untilArrived(receivers, beside.steps);
    await receivers.take();
    const besideLoop = await checksBeside((index) => Promise.all([toNobody(index), loop.send()]), service, apiKeys);
    await receivers.take();
    // The first round warms up.
    if (round === 0) continue;
    shares.deliveries.push(beside.perSecond / alone.perSecond);
    shares['bare fetch'].push(besideLoop.perSecond / alone.perSecond);
    console.log(
      `checks: ${alone.perSecond.toFixed(0)}/s beside events, ${beside.perSecond.toFixed(0)}/s beside deliveries, ${besideLoop.perSecond.toFixed(0)}/s beside bare fetch`,
    );
  }
  for (const [what, figures] of Object.entries(shares))
    console.log(`median ${median(figures).toFixed(2)} x of the checks stay beside ${what} (aim for deliveries 0.95)`);
  await loop.end();
  await store.close();
  await service.stop();
  receivers.stop();
};

if (process.env.RECEIVE === '1') await receive();
else await measure();
