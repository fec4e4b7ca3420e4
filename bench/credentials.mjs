// node bench/credentials.mjs [--seconds N] [--connections N], N seconds for each program
// Issues and verifies credentials over HTTP, beside eligibility checks of the same service and bare jose in this process.
// Needs a built service. Everything is embedded, in a folder that is removed at the end.
import { spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { compactVerify, SignJWT } from 'jose';

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '10' }, connections: { type: 'string', default: '32' } },
});
const width = Number(values.connections);
const PEOPLE = 200;
const ROUNDS = 9;
const milliseconds = (Number(values.seconds) * 1_000) / ROUNDS;

const median = (numbers) => [...numbers].sort((one, other) => one - other)[Math.floor(numbers.length / 2)];

const freePort = () =>
  new Promise((resolve) => {
    const probe = createServer();
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });

const dataDir = mkdtempSync(join(tmpdir(), 'kyc-bench-'));
const port = await freePort();
const agent = new Agent({ keepAlive: true, maxSockets: width });

const send = (path, body, headers = {}, method = 'POST') =>
  new Promise((resolve, reject) => {
    const text = body === undefined ? undefined : JSON.stringify(body);
    const type =
      text === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) };
    const outgoing = request(
      { port, host: '127.0.0.1', path, method, agent, headers: { ...headers, ...type } },
      (answer) => {
        const chunks = [];
        answer.on('data', (chunk) => chunks.push(chunk));
        answer.on('end', () => resolve({ status: answer.statusCode, text: Buffer.concat(chunks).toString() }));
      },
    );
    outgoing.on('error', reject);
    outgoing.end(text);
  });

const expectJson = async (...call) => {
  const { status, text } = await send(...call);
  if (status > 299) throw new Error(`${call[0]}: ${status} ${text}`);
  return JSON.parse(text);
};

/** Calls a second and the 50th and 99th percentile of their times, with `width` under way at a time. */
const measure = async (work) => {
  const times = [];
  let turn = 0;
  const until = performance.now() + milliseconds;
  const worker = async () => {
    while (performance.now() < until) {
      const began = performance.now();
      await work((turn += 1));
      times.push(performance.now() - began);
    }
  };
  const began = performance.now();
  await Promise.all(Array.from({ length: width }, worker));
  const rate = times.length / ((performance.now() - began) / 1_000);
  times.sort((one, other) => one - other);
  const at = (share) => times[Math.floor(times.length * share)] ?? 0;
  return { rate, p50: at(0.5), p99: at(0.99) };
};

const person = (number) => ({
  email: `bench.${number}@example.org`,
  phone_number: `+1${201 + Math.floor(number / 100)}5550${100 + (number % 100)}`,
  full_name: `Bench Mark ${number}`,
});

const service = spawn(process.execPath, [join(import.meta.dirname, '../dist/src/main.js')], {
  env: { ...process.env, DATA_DIR: dataDir, PORT: String(port), LOG_LEVEL: 'error' },
  stdio: ['ignore', 'ignore', 'inherit'],
});

const run = async () => {
  const file = join(dataDir, 'demo-account.json');
  while (!existsSync(file)) await sleep(100);
  const demo = JSON.parse(readFileSync(file, 'utf8'));
  const secret = { 'x-dev-secret': demo.dev_secret };
  const bearer = async (claims) => {
    const { access_token } = await expectJson('/dev/token', claims, secret);
    return { authorization: `Bearer ${access_token}` };
  };
  const operator = await bearer({ tenant_id: demo.tenant_id, roles: ['admin'] });
  const account = `/admin/accounts/${demo.tenant_id}`;
  await expectJson(account, { rate_limit_per_minute: 1e9, burst_per_second: 1e9 }, operator, 'PATCH');
  await expectJson(`${account}/credits`, { amount: 1e9, reason: 'bench' }, operator);
  const issuer = await bearer({ tenant_id: demo.tenant_id, scope: 'credentials:issue' });
  const key = { 'x-api-key': demo.api_key };
  const records = Array.from({ length: PEOPLE }, (_, number) => ({
    ...person(number),
    kyc_status: 'APPROVED',
    tier: 'Tier2',
  }));
  await expectJson('/api/v1/ingest/batch', { records }, key);
  await sleep(3_000);
  const application = (number) => ({ ...person(number % PEOPLE), dob: '1990-04-23' });
  const credentials = [];
  for (let number = 0; number < PEOPLE; number += 1) {
    const { token, public_key } = await expectJson('/api/v1/issue', application(number), issuer);
    credentials.push({ token, public_key_pem: public_key });
  }
  const pair = generateKeyPairSync('ed25519');
  const claims = { sub: 'x'.repeat(1_000) };
  const sign = () => new SignJWT(claims).setProtectedHeader({ alg: 'EdDSA' }).sign(pair.privateKey);
  const signed = await sign();
  const { email, phone_number } = person(1);
  const programs = {
    'check-eligibility': () => expectJson('/api/v1/check-eligibility', { email, phone_number }, key),
    verify: (turn) => expectJson('/api/v1/verify', credentials[turn % PEOPLE], key),
    issue: (turn) => expectJson('/api/v1/issue', application(turn), issuer),
    'jose verify, in process': () => compactVerify(signed, pair.publicKey),
    'jose sign, in process': sign,
  };
  const names = Object.keys(programs);
  const measured = Object.fromEntries(names.map((name) => [name, []]));
  // Short turns, so that what the machine does besides strikes all programs alike.
  for (let round = 0; round < ROUNDS; round += 1)
    for (const name of names) measured[name].push(await measure(programs[name]));
  for (const name of names) {
    const [rate, p50, p99] = ['rate', 'p50', 'p99'].map((figure) => median(measured[name].map((one) => one[figure])));
    console.log(
      `${name.padEnd(24)} ${rate.toFixed(0).padStart(6)}/s  p50 ${p50.toFixed(1)} ms  p99 ${p99.toFixed(1)} ms`,
    );
  }
  const [checks, verifications, issuances] = names.map((name) => measured[name].map(({ rate }) => rate));
  const ratio = (rates) => median(rates.map((rate, round) => rate / checks[round])).toFixed(2);
  console.log(
    `verify is ${ratio(verifications)} × check-eligibility (aim 0.65), issue ${ratio(issuances)} ×; medians of ${ROUNDS} rounds`,
  );
};

try {
  await run();
} finally {
  agent.destroy();
  service.kill('SIGTERM');
  await new Promise((resolve) => service.once('exit', resolve));
  rmSync(dataDir, { recursive: true, force: true });
}
