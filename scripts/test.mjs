// Runs every test (or those that jest's own arguments choose) and ends with jest's own figures: `N passed, N failed`.
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

const status = await run(['--json', `--outputFile=${results}`, ...process.argv.slice(2)]);
const figures = readResults();
rmSync(folder, { recursive: true, force: true });
if (figures === undefined) {
  console.log('jest ended without results');
  console.log('0 passed, 1 failed');
  process.exit(1);
}
// A spec file that does not even load has no tests that could fail: it counts as one.
const failed = figures.numFailedTests + figures.numRuntimeErrorTestSuites;
if (figures.numPendingTests > 0)
  console.log(`${figures.numPendingTests} skipped${redisIsMissing ? ' (no redis-server)' : ''}`);
console.log(`${figures.numPassedTests} passed, ${failed} failed`);
process.exit(failed > 0 ? 1 : status);
