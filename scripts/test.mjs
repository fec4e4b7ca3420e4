// Runs every test (or those that jest's own arguments choose) and ends with jest's own figures: `N passed, N failed`.
// It must pass on slow machines too. `taskset -c 0 npm test` has one processor. `TEST_STORE_DELAY_MS=2 npm test` adds 2 ms each
// way to every Postgres and event store of the tests. An append then takes about four times as long.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const scripts = dirname(fileURLToPath(import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'kyc-results-'));
const results = join(folder, 'results.json');

const redisIsMissing = spawnSync('redis-server', ['--version']).status !== 0;
if (redisIsMissing)
  console.log('redis-server is not installed: what needs a real Redis is skipped (apt-get install redis-server).');

const run = (args) =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, [join(scripts, 'jest.mjs'), ...args], { stdio: 'inherit' });
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

// Suites that measure nothing share the machine. Suites that kill parts of a service under load run apart from them.
const chosen = process.argv.slice(2);
const phases =
  chosen.length > 0
    ? [chosen]
    : [
        // These suites wait more than they compute.
        ['--selectProjects', 'e2e', 'integration', 'contract', 'unit', '--maxWorkers=4'],
        // So do these, for the ends of outages. What the machine withholds of their services' time, they do not count.
        ['--selectProjects', 'crash', '--maxWorkers=2'],
      ];
let [passed, failed, pending, status] = [0, 0, 0, 0];
for (const phase of phases) {
  // A server that a failed test leaves behind must not keep the run from ending.
  status = (await run(['--json', `--outputFile=${results}`, '--forceExit', ...phase])) || status;
  const figures = readResults();
  rmSync(results, { force: true });
  if (figures === undefined) {
    console.log('jest ended without results');
    failed += 1;
    continue;
  }
  passed += figures.numPassedTests;
  // A spec file that fails to load has no failed tests, so it counts as one failure.
  failed += figures.numFailedTests + figures.numRuntimeErrorTestSuites;
  pending += figures.numPendingTests;
}
rmSync(folder, { recursive: true, force: true });
if (pending > 0) console.log(`${pending} skipped${redisIsMissing ? ' (no redis-server)' : ''}`);
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed > 0 ? 1 : status);
