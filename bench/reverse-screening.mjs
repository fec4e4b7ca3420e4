// Ingests identities, imports two versions of a sanctions list one after the other, and measures how fast the background screens
// all identities against what each version changed.
//   node bench/reverse-screening.mjs [--identities 100000] [--data ../shared/data/screening] [--dist dist]
// One identity in 1,000 has a name of the list. Everything is embedded, in a folder that is removed at the end.
import { execFile } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs, promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { announcedStores } from '@kyc/embedded-runtime/running-stores';
import pg from 'pg';
import { startEmbeddedService } from './stage/embedded-service.mjs';

const { values } = parseArgs({
  options: {
    identities: { type: 'string', default: '100000' },
    data: { type: 'string', default: '../shared/data/screening' },
    dist: { type: 'string', default: 'dist' },
  },
});
const dist = resolve(values.dist);
const IDENTITIES = Number(values.identities);
const VERSIONS = ['2024-04-26', '2024-05-03'].map((published) => ({
  published,
  file: resolve(values.data, `ofac/sdn_${published}.csv.gz`),
}));
if (VERSIONS.some(({ file }) => !existsSync(file))) {
  console.error(`--data takes the folder of the lists; ${VERSIONS[0].file} is not there`);
  process.exit(1);
}

const BATCH = 1_000;
const BATCHES_AT_ONCE = 4;
const run = promisify(execFile);

const listed = gunzipSync(readFileSync(VERSIONS[0].file))
  .toString('latin1')
  .split('\n')
  .flatMap((line) => /^\d+,"([^"]+)","individual"/.exec(line)?.[1] ?? []);
const SYLLABLES = ['ba', 'den', 'ko', 'ra', 'mi', 'sa', 'lo', 'ter', 'vi', 'an', 'jo', 'hal', 'fer', 'nu', 'po', 'shi'];
const word = () => {
  const letters = Array.from({ length: 2 + randomInt(2) }, () => SYLLABLES[randomInt(SYLLABLES.length)]).join('');
  return letters[0].toUpperCase() + letters.slice(1);
};
const record = (number) => ({
  email: `reverse.${number}@example.org`,
  phone_number: `+49151${String(10_000_000 + number)}`,
  full_name: number % 1_000 === 0 ? listed[randomInt(listed.length)] : `${word()} ${word()}`,
  dob: `19${50 + randomInt(50)}-0${1 + randomInt(9)}-1${randomInt(10)}`,
  kyc_status: 'APPROVED',
  tier: 'Tier1',
});

/** Seconds that the work took. */
const timed = async (work) => {
  const began = performance.now();
  await work();
  return (performance.now() - began) / 1_000;
};

const say = (what, count, seconds) =>
  console.log(`${what}: ${count} in ${seconds.toFixed(1)} s, ${(count / seconds).toFixed(0)} a second`);

const ingestAll = async ({ demo, expectJson }) => {
  const key = { 'x-api-key': demo.api_key };
  let next = 0;
  const worker = async () => {
    while (next < IDENTITIES) {
      const from = next;
      next += BATCH;
      const records = Array.from({ length: Math.min(BATCH, IDENTITIES - from) }, (_, place) => record(from + place));
      const { batch_id: id } = await expectJson('/api/v1/ingest/batch', { records }, key);
      while ((await expectJson(`/api/v1/ingest/${id}`, undefined, key, 'GET')).status !== 'completed') await sleep(200);
      if (from % 100_000 === 0) console.log(`  ${from + records.length} of ${IDENTITIES} ingested`);
    }
  };
  await Promise.all(Array.from({ length: BATCHES_AT_ONCE }, worker));
};

/** Waits until the run of the newest version has ended. Returns its figures. */
const screened = async (postgres, version) => {
  for (;;) {
    const { rows } = await postgres.query(
      'SELECT identities, matches, completed_at - due_at AS took, completed_at FROM screening_runs ORDER BY due_at',
    );
    const newest = rows[version];
    if (newest?.completed_at !== null && newest !== undefined) return newest;
    await sleep(200);
  }
};

const service = await startEmbeddedService({ dist, width: BATCHES_AT_ONCE });
try {
  await service.unlimited(service.demo.tenant_id);
  say('ingested, each batch until found', IDENTITIES, await timed(() => ingestAll(service)));
  const { databaseUrl } = await announcedStores(service.dataDir);
  const postgres = new pg.Client({ connectionString: databaseUrl });
  await postgres.connect();
  for (const [version, { published, file }] of VERSIONS.entries()) {
    const env = { ...process.env, DATA_DIR: service.dataDir, LOG_LEVEL: 'error' };
    const command = [
      ...[join(dist, 'src/cli.js'), 'screening', 'import', 'OFAC_SDN', file],
      ...['--published', published, '--justification', 'bench'],
    ];
    const { stdout } = await run(process.execPath, command, { env });
    console.log(stdout.trim());
    const { identities, matches, took } = await screened(postgres, version);
    const seconds = (took.minutes ?? 0) * 60 + (took.seconds ?? 0) + (took.milliseconds ?? 0) / 1_000;
    say(`screened against version ${version + 1}, ${matches} matches`, Number(identities), seconds);
  }
  await postgres.end();
} finally {
  await service.stop();
}
