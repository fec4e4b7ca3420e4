import { InvalidArgumentError } from 'commander';
import { type Answered, commandLine, parseWords, wholeNumber } from '../command-line.js';
import { type TargetOptions } from '../target.js';
import { type CsvOptions } from './csv-layout.js';
import { DateFormat } from './date-format.js';
import { type ServiceRules } from './service-rules.js';

const DESCRIPTION =
  'Loads a file into the network. Lines are accepted in the order of the file: of two lines about one person the ' +
  'later one holds. An interrupted load is resumed by the same command, at the same account only. Rejected lines ' +
  'go to FILE.rejected.csv (FILE.rejected of JSON lines) with their reasons: mend them and load that file.';

const FURTHER_HELP = `
Exit status:
  0    every line was taken (with --dry-run: would be)
  1    the load came to its end, and some lines were rejected
  2    the command, the file or its columns cannot be understood; nothing was sent;
       or the file has no record, or none that was taken
  3    the service refused the load or did not answer; the same command goes on with it
  130  interrupted by Ctrl-C; the same command goes on with it

Examples:
  npm run ingest -- people.csv --url https://kyc.example --api-key-file key
  npm run ingest -- people.csv --dry-run --map 'E-Mail=email,Telefon=phone_number' --date-format DD.MM.YYYY`;

interface Words extends TargetOptions {
  readonly concurrency: number;
  readonly map?: ReadonlyMap<string, string>;
  readonly dateFormat?: DateFormat;
  readonly extraColumns?: 'all' | readonly string[];
  readonly dryRun?: true;
}

/** What a command line asks for. */
export interface Job extends TargetOptions {
  readonly file: string;
  readonly concurrency: number;
  readonly csv: CsvOptions;
  readonly isDryRun: boolean;
}

/** Adds `COLUMN=FIELD,…` to what was mapped before. */
const mapping =
  ({ fields, nearest }: ServiceRules) =>
  (text: string, before: ReadonlyMap<string, string> = new Map()): ReadonlyMap<string, string> => {
    const map = new Map(before);
    for (const pair of text.split(',')) {
      const at = pair.lastIndexOf('=');
      const [column, field] = [pair.slice(0, Math.max(0, at)).trim(), pair.slice(at + 1).trim()];
      if (column === '') throw new InvalidArgumentError('It takes COLUMN=FIELD, several of them with commas between.');
      const meant = nearest(field);
      const further = meant === undefined ? `A record has ${fields.join(', ')}.` : `Did you mean ${meant}?`;
      if (!fields.includes(field)) throw new InvalidArgumentError(`A record has no field ${field}. ${further}`);
      map.set(column, field);
    }
    return map;
  };

const dateFormat = (text: string): DateFormat => {
  const format = DateFormat.of(text);
  if (format !== undefined) return format;
  throw new InvalidArgumentError(
    'It takes YYYY, MM (or M) and DD (or D) once each, for example DD.MM.YYYY or M/D/YYYY.',
  );
};

const extraColumns = (text: string): 'all' | readonly string[] =>
  text === 'all' ? 'all' : text.split(',').map((name) => name.trim());

export const jobOf = (words: readonly string[], rules: ServiceRules, print: (line: string) => void): Job | Answered => {
  const command = commandLine('ingest', print)
    .usage('FILE.ndjson|FILE.csv [options]')
    .description(DESCRIPTION)
    .argument(
      '<file>',
      'one JSON object a line, or a CSV (commas, semicolons, tabs or bars) whose first line names the fields',
    )
    .option('--map <column=field,…>', 'columns of a CSV that have other names than the fields', mapping(rules))
    .option('--date-format <format>', 'how dates of a CSV are written, for example DD.MM.YYYY', dateFormat)
    .option('--extra-columns <columns>', 'columns of a CSV that go into extra_data: names, or all', extraColumns)
    .option('--dry-run', "judges each line by the service's rules and sends nothing; no key is needed")
    .option('--url <url>', 'the service (default: the one whose data are in DATA_DIR)')
    .option('--api-key-file <file>', 'a file that holds the API key (default: the demo account in DATA_DIR)')
    .option('--concurrency <n>', 'batches that are processed at a time', wholeNumber(), 4)
    .addHelpText('after', FURTHER_HELP);
  const answered = parseWords(command, words);
  if (answered !== undefined) return answered;
  const { map = new Map(), dateFormat: format, extraColumns: extra = [], dryRun, ...target } = command.opts<Words>();
  return {
    ...target,
    file: command.args[0] ?? '',
    csv: { map, extraColumns: extra, ...(format === undefined ? {} : { dateFormat: format }) },
    isDryRun: dryRun === true,
  };
};
