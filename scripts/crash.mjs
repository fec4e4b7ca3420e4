// npm run test:crash -- [--trials N] [--seed N] [--only N] [--mix all|charging|credentials|identities|payments|webhooks|reports|node] [--at-once N] [FILE…]
// Kills parts of the service under load and checks the invariants. A chosen mix or file limits the run. By default it runs N trials of
// charged requests, N of credentials, N of ingestion, deletion and erasure, N of payments, N of webhooks, N of reports, and N of the event-store node alone,
// one of these after the other, or so many at once.
import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const wholeNumber = (name, text, least = 0) => {
  if (/^[0-9]{1,9}$/.test(text) && Number(text) >= least) return text;
  console.error(`--${name} takes a whole number of ${least} or more, not ${text}`);
  process.exit(1);
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    trials: { type: 'string', default: '100' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 1_000_000)) },
    only: { type: 'string' },
    mix: { type: 'string', default: 'all' },
    'at-once': { type: 'string', default: '1' },
  },
});
const trials = wholeNumber('trials', values.trials, 1);
const seed = wholeNumber('seed', values.seed);
const atOnce = wholeNumber('at-once', values['at-once'], 1);
const only = values.only === undefined ? {} : { CRASH_ONLY: wholeNumber('only', values.only) };

const SPECS = {
  all: '(service|credentials|identities|payments|webhooks|reports|event-store)',
  charging: 'service',
  credentials: 'credentials',
  identities: 'identities',
  payments: 'payments',
  webhooks: 'webhooks',
  reports: 'reports',
  node: 'event-store',
};
const specs = positionals.length > 0 ? positionals : [`test/crash/${SPECS[values.mix]}`];
if (SPECS[values.mix] === undefined) {
  console.error(`--mix takes ${Object.keys(SPECS).join(', ')}, not ${values.mix}`);
  process.exit(1);
}

if (values.only !== undefined && values.mix === 'node') {
  console.error('--only is for trials on their own; those of the node build on each other');
  process.exit(1);
}

console.log(
  `${trials} trials, seed ${seed}; repeat one with: npm run test:crash -- --trials ${trials} --seed ${seed} --mix <mix> --only <trial>`,
);
const jest = join(dirname(fileURLToPath(import.meta.url)), 'jest.mjs');
const child = spawn(
  process.execPath,
  [jest, '--selectProjects', 'crash', '--verbose', `--maxWorkers=${atOnce}`, '--testPathPatterns', ...specs],
  {
    env: { ...process.env, CRASH_TRIALS: trials, CRASH_SEED: seed, ...only },
    stdio: 'inherit',
  },
);
child.on('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 1)));
