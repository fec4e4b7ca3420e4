// node bench/credentials.mjs [--seconds N] [--connections N], N seconds for each program
// Issues and verifies credentials over HTTP, beside eligibility checks and a charged effect that does nothing, of the same
// service, and bare jose in this process.
// Needs a built service. Everything is embedded, in a folder that is removed at the end.
import { generateKeyPairSync } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { compactVerify, SignJWT } from 'jose';
import { startEmbeddedService } from './stage/embedded-service.mjs';

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '10' }, connections: { type: 'string', default: '32' } },
});
const width = Number(values.connections);
const PEOPLE = 200;
const ROUNDS = 9;
const milliseconds = (Number(values.seconds) * 1_000) / ROUNDS;

const median = (numbers) => [...numbers].sort((one, other) => one - other)[Math.floor(numbers.length / 2)];

/** The last call that failed, to show what the failures are. */
let lastFault;

/**
 * Calls a second and the 50th and 99th percentile of their times, with `width` under way at a time. A machine that does much
 * else makes some fail: they are counted apart.
 */
const measure = async (work) => {
  const times = [];
  let turn = 0;
  let failed = 0;
  const until = performance.now() + milliseconds;
  const worker = async () => {
    while (performance.now() < until) {
      const began = performance.now();
      const done = await work((turn += 1)).then(
        () => true,
        (error) => {
          lastFault = error;
          return false;
        },
      );
      if (done) times.push(performance.now() - began);
      else failed += 1;
    }
  };
  const began = performance.now();
  await Promise.all(Array.from({ length: width }, worker));
  const rate = times.length / ((performance.now() - began) / 1_000);
  times.sort((one, other) => one - other);
  const at = (share) => times[Math.floor(times.length * share)] ?? 0;
  return { rate, p50: at(0.5), p99: at(0.99), failed };
};

const person = (number) => ({
  email: `bench.${number}@example.org`,
  phone_number: `+1${201 + Math.floor(number / 100)}5550${100 + (number % 100)}`,
  full_name: `Bench Mark ${number}`,
});

const service = await startEmbeddedService({
  dist: join(import.meta.dirname, '../dist'),
  program: join(import.meta.dirname, 'stage/service-with-effect.mjs'),
  width,
});

const run = async () => {
  const { demo, operator, bearer, expectJson } = service;
  await service.unlimited(demo.tenant_id);
  await expectJson(`/admin/accounts/${demo.tenant_id}/credits`, { amount: 1e9, reason: 'bench' }, operator);
  const issuer = await bearer({ tenant_id: demo.tenant_id, scope: 'credentials:issue' });
  const key = { 'x-api-key': demo.api_key };
  const records = Array.from({ length: PEOPLE }, (_, number) => ({
    ...person(number),
    kyc_status: 'APPROVED',
    tier: 'Tier2',
  }));
  const { batch_id: batch } = await expectJson('/api/v1/ingest/batch', { records }, key);
  while ((await expectJson(`/api/v1/ingest/${batch}`, undefined, key, 'GET')).status !== 'completed') await sleep(100);
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
    'charged effect of nothing': () => expectJson('/bench/effect', {}, issuer),
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
      `${name.padEnd(26)} ${rate.toFixed(0).padStart(6)}/s  p50 ${p50.toFixed(1)} ms  p99 ${p99.toFixed(1)} ms`,
    );
    const failed = measured[name].reduce((sum, one) => sum + one.failed, 0);
    if (failed > 0) console.log(`  ${failed} failed, the last of all with: ${lastFault.message}`);
  }
  const ratesOf = (name) => measured[name].map(({ rate }) => rate);
  const ratio = (name, peer) => {
    const peers = ratesOf(peer);
    return median(ratesOf(name).map((rate, round) => rate / peers[round])).toFixed(2);
  };
  const verified = ratio('verify', 'check-eligibility');
  const issued = ratio('issue', 'charged effect of nothing');
  console.log(`medians of ${ROUNDS} rounds: verify is ${verified} × check-eligibility (aim 0.65)`);
  console.log(`issue is ${issued} × a charged effect of nothing (aim 0.8)`);
};

try {
  await run();
} finally {
  await service.stop();
}
