// Runs each guarantee and a slice of each soak (or what jest's own arguments choose) and ends with jest's own figures:
// `N passed, N failed`. With `--long` it runs the soaks at their whole counts, and the specs that build packages, images and upgrades.
// It must pass on slow machines too. `taskset -c 0 npm test` has one processor. `TEST_STORE_DELAY_MS=2 npm test` adds 2 ms each
// way to every Postgres and event store of the tests. An append then takes about four times as long. `TEST_AGAIN=5 npm test` runs up
// to five spec files that failed once more, alone: what then passes met a limit of time beside the others, and is named.
// `npm test -- --record` takes what each file took into test/durations.json: on two processors, and where none failed.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { slowness } from './slowness.mjs';
import { minutesOfRun, record } from './test-durations.mjs';

const scripts = dirname(fileURLToPath(import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'kyc-results-'));
const results = join(folder, 'results.json');

const redisIsMissing = spawnSync('redis-server', ['--version']).status !== 0;
if (redisIsMissing)
  console.log('redis-server is not installed: what needs a real Redis is skipped (apt-get install redis-server).');

const TEST_SLOWNESS = String(process.env.TEST_SLOWNESS ?? slowness());
const isLong = process.argv.includes('--long');
const which = isLong ? 'test:long' : 'test';
const isRecorded = process.argv.includes('--record');
const chosen = process.argv.slice(2).filter((word) => word !== '--long' && word !== '--record');
if (chosen.length === 0) {
  const minutes = Math.ceil(
    (minutesOfRun(which) * Number(TEST_SLOWNESS) * 2) / Math.min(4, Math.max(2, availableParallelism())),
  );
  const what = isLong ? 'the soaks, packages, images and upgrades' : 'the tests';
  console.log(`Builds the programs and runs ${what}. Here that takes about ${minutes} minutes.`);
}
if (Number(TEST_SLOWNESS) > 1.5)
  console.log(`This machine is busy or slow, so every limit of the tests is ${TEST_SLOWNESS} times as long.`);

const run = (args) =>
  new Promise((resolve) => {
    const env = { ...process.env, TEST_SLOWNESS, TEST_LONG: isLong ? '1' : '' };
    const child = spawn(process.execPath, [join(scripts, 'jest.mjs'), ...args], { env, stdio: 'inherit' });
    for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
    child.on('exit', (code) => resolve(code ?? 1));
  });

const readResults = () => {
  try {
    return JSON.parse(readFileSync(results, 'utf8'));
  } catch {
    return undefined;
  }
};

const LONG_NAME = '\\.long\\.spec\\.ts$';
const longSpecs = () =>
  ['test', 'packages'].flatMap((folder) =>
    readdirSync(join(scripts, '..', folder), { recursive: true })
      .filter((path) => new RegExp(LONG_NAME).test(path) && !path.includes('node_modules'))
      .map((path) => join(folder, path)),
  );

// Suites wait as well as compute. More workers than this take time from each other.
const WORKERS = Math.min(8, availableParallelism() + 2);
// A server that a failed test leaves behind must not keep the run from ending.
const progress = ['--reporters=default', `--reporters=${join(scripts, 'test-progress.mjs')}`];
const reported = ['--ignoreProjects', 'incident', '--json', `--outputFile=${results}`, '--forceExit'];
/** Specs of a soak are found by their import, the other long ones by their name. */
const ALL = isLong
  ? ['--findRelatedTests', 'test/support/soak.ts', ...longSpecs()]
  : ['--testPathIgnorePatterns', '/node_modules/', LONG_NAME];
const status = await run([
  ...progress,
  ...reported,
  ...(chosen.length > 0 ? chosen : [`--maxWorkers=${WORKERS}`, ...ALL]),
]);
const figures = readResults();
if (figures === undefined) console.log('jest ended without results');
const pending = figures?.numPendingTests ?? 0;
// A spec file that fails to load has no failed tests, so it counts as one failure.
const failuresOf = (all) => all.numFailedTests + all.numRuntimeErrorTestSuites;
let failed = figures === undefined ? 1 : failuresOf(figures);
let passed = figures?.numPassedTests ?? 0;
const failedFiles = (figures?.testResults ?? []).filter(({ status: end }) => end === 'failed').map(({ name }) => name);
if (failedFiles.length > 0 && failedFiles.length <= Number(process.env.TEST_AGAIN ?? 0)) {
  console.log(`Runs once more, alone: ${failedFiles.join(' ')}`);
  const end = await run([...reported, '--runInBand', '--runTestsByPath', ...failedFiles]);
  const again = readResults();
  if (end === 0 && again !== undefined && failuresOf(again) === 0 && again.numPassedTests > 0) {
    console.log(`${failed} failed beside the others and passed alone: ${failedFiles.join(' ')}`);
    passed += failed;
    failed = 0;
  }
}
rmSync(folder, { recursive: true, force: true });
if (isRecorded && failed === 0 && chosen.length === 0) record(which, figures);
if (pending > 0) console.log(`${pending} skipped (${redisIsMissing ? 'no redis-server' : 'each says why'})`);
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed > 0 ? 1 : failedFiles.length > 0 ? 0 : status);
