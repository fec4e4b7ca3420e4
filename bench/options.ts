import { parseArgs } from 'node:util';

export interface BenchOptions {
  readonly identities: number;
  readonly tenants: number;
  readonly connections: number;
  readonly rounds: number;
  /** Measured seconds of one run, after the warm-up. */
  readonly seconds: number;
  readonly warmupSeconds: number;
  /** Requests a second of the open loop; absent: a share of the slowest closed loop. */
  readonly rate: number | undefined;
  /** Identities to grow to, after which the service is measured and started again; absent: it is not done. */
  readonly growTo: number | undefined;
  /** A file that the figures are written to as JSON. */
  readonly json: string | undefined;
  /** Leave data and logs in place. */
  readonly keep: boolean;
}

export const USAGE = `Usage: npm run bench -- [--quick] [--growth] [options]

  --quick           about a minute: 2,000 identities, one round of 3 s
  --growth          afterwards grow to 1,000,000 identities, measure again, start again (takes long)
  --identities N    identities in the network (default 100000)
  --tenants N       accounts that share the load, beside the one hot account (default 100)
  --connections N   connections of the load generator (default 64)
  --rounds N        rounds; ratios are medians over them (default 3)
  --seconds N       measured time of a run (default 8)
  --rate N          requests a second of the open loop (default 60 % of the slowest closed loop)
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
        keep: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    }).values;
  } catch (error) {
    throw new UsageError((error as Error).message, { cause: error });
  }
};

export const parseOptions = (args: readonly string[]): BenchOptions | 'help' => {
  const values = read(args);
  if (values.help) return 'help';
  const { quick } = values;
  const growTo = values['grow-to'] ?? (values.growth ? GROWN : undefined);
  return {
    identities: positive('identities', values.identities ?? (quick ? '2000' : '100000')),
    tenants: positive('tenants', values.tenants),
    connections: positive('connections', values.connections),
    rounds: positive('rounds', values.rounds ?? (quick ? '1' : '3')),
    seconds: positive('seconds', values.seconds ?? (quick ? '3' : '8')),
    warmupSeconds: quick ? 1 : 2,
    rate: values.rate === undefined ? undefined : positive('rate', values.rate),
    growTo: growTo === undefined ? undefined : positive('grow-to', growTo),
    json: values.json,
    keep: values.keep,
  };
};
