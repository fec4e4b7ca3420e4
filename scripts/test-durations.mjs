// What each spec file took in a whole run on two processors: the order of the next run, and the time that it has left.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const table = join(root, 'test', 'durations.json');
const WHICH = process.env.TEST_LONG === '1' ? 'test:long' : 'test';
/** Of a file that the table does not have: most take less. */
const USUAL = 1;

const all = JSON.parse(readFileSync(table, 'utf8'));

/** Seconds of a spec file, by its absolute path. */
export const secondsOf = (path) => all[WHICH].seconds[relative(root, path)] ?? USUAL;

/** Seconds of the files of this run, once it has put them into their order. */
export const run = { seconds: 0 };

/** Minutes of a whole run. */
export const minutesOfRun = (which) => all[which].minutes;

/** Takes a run into the table, by jest's results. */
export const record = (which, { testResults, startTime }) => {
  const ofFile = ({ name, startTime: begun, endTime }) => [relative(root, name), Math.round((endTime - begun) / 1_000)];
  const seconds = testResults.map(ofFile).filter(([path, took]) => took > USUAL && existsSync(join(root, path)));
  const minutes = Math.ceil((Math.max(...testResults.map(({ endTime }) => endTime)) - startTime) / 60_000);
  all[which] = { minutes, seconds: Object.fromEntries(seconds.sort()) };
  writeFileSync(table, `${JSON.stringify(all, undefined, 2)}\n`);
};
