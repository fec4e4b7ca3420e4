// npm run test:crash -- [--trials N] [--seed N] [--only N]: kills parts of the service under load and checks what must hold.
import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const wholeNumber = (name, text) => {
  if (/^[0-9]{1,9}$/.test(text)) return text;
  console.error(`--${name} takes a whole number, not ${text}`);
  process.exit(1);
};

const { values } = parseArgs({
  options: {
    trials: { type: 'string', default: '100' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 1_000_000)) },
    only: { type: 'string' },
  },
});
const trials = wholeNumber('trials', values.trials);
const seed = wholeNumber('seed', values.seed);
const only = values.only === undefined ? {} : { CRASH_ONLY: wholeNumber('only', values.only) };

console.log(
  `${trials} trials, seed ${seed}; repeat one with: npm run test:crash -- --trials ${trials} --seed ${seed} --only <trial>`,
);
const jest = join(dirname(fileURLToPath(import.meta.url)), 'jest.mjs');
const child = spawn(process.execPath, [jest, '--selectProjects', 'crash', '--verbose', '--', 'test/crash/service'], {
  env: { ...process.env, CRASH_TRIALS: trials, CRASH_SEED: seed, ...only },
  stdio: 'inherit',
});
child.on('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 1)));
