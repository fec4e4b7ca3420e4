import { parseArgs } from 'node:util';

export interface BenchOptions {
  /** `charging`: a whole charged request against peers. `identities`: ingestion and look-up as the network grows. */
  readonly program: 'charging' | 'identities';
  readonly identities: number;
  readonly tenants: number;
  readonly connections: number;
  readonly rounds: number;
  /** Measured seconds of one run, after the warm-up. */
  readonly seconds: number;
  readonly warmupSeconds: number;
  /** Requests per second of the open loop. Absent: a share of the slowest closed loop. */
  readonly rate: number | undefined;
  /** Number of identities to grow to. The service is then measured and started again. Absent: no growth. */
  readonly growTo: number | undefined;
  /** A file for the figures as JSON. */
  readonly json: string | undefined;
  /** Folder of a kept deployment, which a later run continues. Absent: a new folder for this run only. */
  readonly stage: string | undefined;
  /** The time limit of the whole run, in minutes. The next run over a kept stage finds the identities ingested until then. */
  readonly minutes: number | undefined;
  /** Leave data and logs in place. */
  readonly keep: boolean;
}

export const USAGE = `Usage: npm run bench -- [identities] [--quick] [--growth] [--stage DIR] [options]

  identities        instead of charged requests: batch ingestion against a plain INSERT, time until found, and look-ups
                    with 1 %, 10 % and all of 1,000,000 identities
  --quick           about a minute: 2,000 identities, one round of 3 s
  --growth          afterwards grow to 1,000,000 identities, measure again, start again (takes long)
  --stage DIR       a deployment that is kept: another run over DIR measures what is there and ingests only what lacks
  --minutes N       the whole run ends with an error after N minutes (default: every step has its own bound)
  --identities N    identities in the network (default 100000; 1000000 for identities)
  --tenants N       accounts that share the load, beside the one hot account (default 100)
  --connections N   connections of the load generator (default 64)
  --rounds N        rounds; ratios are medians over them (default 3)
  --seconds N       measured time of a run (default 8)
  --rate N          requests a second of the open loop (default 60 % of the slowest closed loop; 200 for identities)
  --grow-to N       the same as --growth, to N identities
  --json FILE       writes the figures
  --keep            keeps the data folder

EVENTSTORE_URL, when set, is handed to the service: an empty EventStoreDB instead of the embedded node.`;

export class UsageError extends Error {
  override readonly name = 'UsageError';
}

const GROWN = '1000000';

const positive = (name: string, text: string): number => {
  const value = Number(text);
  if (Number.isInteger(value) && value > 0) return value;
  throw new UsageError(`--${name} takes a whole number above 0, not ${text}`);
};

const read = (args: readonly string[]) => {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        quick: { type: 'boolean', default: false },
        growth: { type: 'boolean', default: false },
        identities: { type: 'string' },
        tenants: { type: 'string', default: '100' },
        connections: { type: 'string', default: '64' },
        rounds: { type: 'string' },
        seconds: { type: 'string' },
        rate: { type: 'string' },
        'grow-to': { type: 'string' },
        json: { type: 'string' },
        stage: { type: 'string' },
        minutes: { type: 'string' },
        keep: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    throw new UsageError((error as Error).message, { cause: error });
  }
};

const optional = (name: string, text: string | undefined): number | undefined =>
  text === undefined ? undefined : positive(name, text);

const programOf = (words: readonly string[]): BenchOptions['program'] => {
  if (words.length === 0) return 'charging';
  if (words.length === 1 && words[0] === 'identities') return 'identities';
  throw new UsageError(`there is no benchmark ${words.join(' ')}`);
};

export const parseOptions = (args: readonly string[]): BenchOptions | 'help' => {
  const { values, positionals } = read(args);
  if (values.help) return 'help';
  const { quick } = values;
  const program = programOf(positionals);
  const identities = quick ? '2000' : program === 'identities' ? '1000000' : '100000';
  return {
    program,
    identities: positive('identities', values.identities ?? identities),
    tenants: positive('tenants', values.tenants),
    connections: positive('connections', values.connections),
    rounds: positive('rounds', values.rounds ?? (quick ? '1' : '3')),
    seconds: positive('seconds', values.seconds ?? (quick ? '3' : '8')),
    warmupSeconds: quick ? 1 : 2,
    rate: optional('rate', values.rate),
    growTo: optional('grow-to', values['grow-to'] ?? (values.growth ? GROWN : undefined)),
    json: values.json,
    stage: values.stage,
    minutes: optional('minutes', values.minutes),
    keep: values.keep,
  };
};
