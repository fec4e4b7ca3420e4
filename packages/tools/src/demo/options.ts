import { parseArgs } from 'node:util';
import { FICTIONAL_PHONES } from './fiction.js';

export interface DemoOptions {
  /** A list or a folder of lists; absent: people are made up. */
  readonly people: string | undefined;
  readonly count: number;
  /** Requests under way at a time. */
  readonly concurrency: number;
}

/** As many others, who are not in the network, are looked up beside them. */
const MAX_PEOPLE = FICTIONAL_PHONES / 2;

export const USAGE = `Usage: npm run demo -- [--people FILE] [--count N] [--concurrency N]

  --people FILE     a sanctions list (OFAC sdn.csv or sdn.xml, UN or EU XML), a CSV with the columns name and birth_date,
                    gzipped or not, or a folder of such lists; without it people are made up
  --count N         how many people (default 5000, at most ${MAX_PEOPLE})
  --concurrency N   requests under way at a time (default 32)

It talks to the service whose data are in DATA_DIR (default .data) and starts it where it is not running.`;

/** What the caller got wrong on the command line. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

const wholeNumber = (name: string, text: string, most: number): number => {
  const value = Number(text);
  if (Number.isInteger(value) && value >= 1 && value <= most) return value;
  throw new UsageError(`--${name} takes a whole number from 1 to ${most}, not ${text}`);
};

export const parseOptions = (args: readonly string[]): DemoOptions | 'help' => {
  let values;
  try {
    ({ values } = parseArgs({
      args: [...args],
      options: {
        people: { type: 'string' },
        count: { type: 'string', default: '5000' },
        concurrency: { type: 'string', default: '32' },
        help: { type: 'boolean', default: false },
      },
    }));
  } catch (error) {
    throw new UsageError((error as Error).message, { cause: error });
  }
  if (values.help) return 'help';
  return {
    people: values.people,
    count: wholeNumber('count', values.count, MAX_PEOPLE),
    concurrency: wholeNumber('concurrency', values.concurrency, 256),
  };
};
