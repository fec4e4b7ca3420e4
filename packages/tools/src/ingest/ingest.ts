import { readFile } from 'node:fs/promises';
import { type Answered, commandLine, parseWords, wholeNumber } from '../command-line.js';
import { NoTarget, type Target, type TargetOptions, targetOf } from '../target.js';
import { BatchClient } from './batch-client.js';
import { Interrupted, LoadRefused } from './connection.js';
import { contentOf } from './content.js';
import { Load } from './load.js';
import { LoadState } from './load-state.js';
import { besideTheBar } from './progress-bar.js';
import { assertReadable, UnreadableFile } from './records.js';

const DESCRIPTION =
  'Loads a file into the network. Lines are accepted in the order of the file: of two lines about one person the ' +
  'later one holds. An interrupted load is resumed by the same command, at the same account only. Rejected lines ' +
  'go to FILE.rejected with their reasons.';

export interface IngestContext {
  readonly dataDir: string;
  /** Takes one line of output. */
  readonly print: (line: string) => void;
  /** Interrupts the load, which the same command resumes. */
  readonly signal?: AbortSignal;
  /** How long is tried while the service does not answer, milliseconds; the default is a minute, ten once it has answered. */
  readonly patience?: number;
}

interface Options extends TargetOptions {
  readonly concurrency: number;
}

interface Job extends Options {
  readonly file: string;
}

const jobOf = (words: readonly string[], print: (line: string) => void): Job | Answered => {
  const command = commandLine('ingest', print)
    .usage('FILE.ndjson|FILE.csv [options]')
    .description(DESCRIPTION)
    .argument('<file>', 'one JSON object a line, or a CSV whose first line names the fields; extra_data stands as JSON')
    .option('--url <url>', 'the service (default: the one whose data are in DATA_DIR)')
    .option('--api-key-file <file>', 'a file that holds the API key (default: the demo account in DATA_DIR)')
    .option('--concurrency <n>', 'batches that are processed at a time', wholeNumber(), 4)
    .addHelpText('after', '\nExample:\n  npm run ingest -- people.csv --url https://kyc.example --api-key-file key');
  return parseWords(command, words) ?? { ...command.opts<Options>(), file: command.args[0] ?? '' };
};

/** Batches are accepted in order: whoever has the last one has all before it, whatever its address is now. */
const refuseElsewhere = async (file: string, client: BatchClient, state: LoadState): Promise<void> => {
  const { lastAccepted, address, progressFile } = state;
  if (lastAccepted === undefined || (await client.knows(lastAccepted))) return;
  throw new LoadRefused(
    `${file} was being loaded to ${address}, and this is another account or deployment (${client.address}): ` +
      `go on with that load at its address and with a key of its account, or delete ${progressFile} to load from the start here`,
  );
};

const loadFile = async (
  { file, concurrency }: Job,
  { baseUrl, apiKey }: Target,
  context: IngestContext,
): Promise<number> => {
  const { print, signal } = context;
  const client = new BatchClient(baseUrl, apiKey, { ...context, print: besideTheBar(print) });
  const state = await LoadState.open(file, await contentOf(file, signal), client.address, print);
  if (state.resumed) {
    await refuseElsewhere(file, client, state);
    print('resuming where the last load broke off');
  }
  const load = new Load(client, state, concurrency);
  await load.run(file);
  print(load.report);
  await state.finish();
  const rejected = await readFile(state.rejectedFile, 'utf8').catch(() => '');
  if (rejected !== '') print(`rejected lines and their reasons are in ${state.rejectedFile}`);
  return rejected === '' ? 0 : 1;
};

/** Ends with the load, so that nothing goes on asking after one that failed. */
const whileItLasts = async <T>(
  outer: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> => {
  const over = new AbortController();
  try {
    return await work(outer === undefined ? over.signal : AbortSignal.any([outer, over.signal]));
  } finally {
    over.abort();
  }
};

/** Bulk load over the API. Answers with the exit status: 0 all loaded, 1 some lines rejected or interrupted, 2 wrong usage. */
export const ingestCommand = async (words: readonly string[], context: IngestContext): Promise<number> => {
  const { print } = context;
  const job = jobOf(words, print);
  if ('exitStatus' in job) return job.exitStatus;
  try {
    assertReadable(job.file);
    const target = await targetOf(job, context.dataDir);
    return await whileItLasts(context.signal, (signal) => loadFile(job, target, { ...context, signal }));
  } catch (error) {
    const missing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    const interrupted = error instanceof Interrupted;
    const foreseen = [LoadRefused, NoTarget, UnreadableFile].some((kind) => error instanceof kind);
    if (!missing && !interrupted && !foreseen) throw error;
    print(interrupted ? 'interrupted; the same command resumes the load' : (error as Error).message);
    return 1;
  }
};
