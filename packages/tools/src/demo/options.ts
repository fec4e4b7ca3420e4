import { type Answered, commandLine, parseWords, wholeNumber } from '../command-line.js';
import { FICTIONAL_PHONES } from './fiction.js';

export interface DemoOptions {
  /** A list or a folder of lists; absent: people are made up. */
  readonly people?: string;
  readonly count: number;
  /** Instead of it: a month of varied activity for the demo account, in a new data folder. */
  readonly history?: true;
  /** Requests under way at a time. */
  readonly concurrency: number;
}

/** As many others, who are not in the network, are looked up beside them. */
const MAX_PEOPLE = FICTIONAL_PHONES / 2;
const MAX_CONCURRENCY = 256;

const DESCRIPTION =
  'A demonstration on many people. It talks to the service whose data are in DATA_DIR (default .data) and starts it ' +
  'where it is not running.';

const PEOPLE =
  'a sanctions list (OFAC sdn.csv or sdn.xml, UN or EU XML), a CSV with the columns name and birth_date, ' +
  'gzipped or not, or a folder of such lists; without it people are made up';

export const parseOptions = (words: readonly string[]): DemoOptions | Answered => {
  const command = commandLine('demo')
    .usage('[options]')
    .description(DESCRIPTION)
    .option('--people <file>', PEOPLE)
    .option('--count <n>', `how many people, at most ${MAX_PEOPLE}`, wholeNumber(MAX_PEOPLE), 5_000)
    .option(
      '--concurrency <n>',
      `requests under way at a time, at most ${MAX_CONCURRENCY}`,
      wholeNumber(MAX_CONCURRENCY),
      32,
    )
    .option('--history', 'fill a new data folder with a month of varied activity instead, for the console')
    .addHelpText('after', '\nExample:\n  npm run demo -- --people sdn.csv --count 500');
  return parseWords(command, words) ?? command.opts<DemoOptions>();
};
