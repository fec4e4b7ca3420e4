import { NoTarget, type Target, targetOf } from '../target.js';
import { BatchClient } from './batch-client.js';
import { Interrupted, LoadRefused } from './connection.js';
import { contentOf } from './content.js';
import { type CsvOptions } from './csv-layout.js';
import { dryRun } from './dry-run.js';
import { EXIT } from './exit-status.js';
import { Load } from './load.js';
import { LoadState } from './load-state.js';
import { type Job, jobOf } from './options.js';
import { type Outcome } from './progress.js';
import { besideTheBar } from './progress-bar.js';
import { type RecordFile, UnreadableFile } from './record-file.js';
import { openRecords } from './records.js';
import { RejectedFile } from './rejected-file.js';
import { type ServiceRules } from './service-rules.js';

export interface IngestContext {
  readonly dataDir: string;
  readonly rules: ServiceRules;
  /** Takes one line of output. */
  readonly print: (line: string) => void;
  /** Interrupts the load, which the same command resumes. */
  readonly signal?: AbortSignal;
  /** How long is tried while the service does not answer, milliseconds; the default is a minute, ten once it has answered. */
  readonly retryBudget?: number;
}

/** Batches are accepted in order: whoever has the last one has all before it, whatever its address is now. */
const refuseElsewhere = async (file: string, client: BatchClient, state: LoadState): Promise<void> => {
  const { lastAccepted, address, progressFile } = state;
  if (lastAccepted === undefined || (await client.knows(lastAccepted))) return;
  throw new LoadRefused(
    `${file} was being loaded to ${address}, and this is another account or deployment (${client.address}): ` +
      `go on with that load at its address and with a key of its account, or delete ${progressFile} to load from the start here`,
  );
};

/** The same file read in another way makes other records, which must not go on under the keys of the first. */
const wayToRead = ({ map, extraColumns, dateFormat }: CsvOptions): string => {
  if (map.size === 0 && extraColumns.length === 0 && dateFormat === undefined) return '';
  return ` ${JSON.stringify([[...map].sort(), extraColumns, dateFormat?.text])}`;
};

const concluded = async (
  outcome: Outcome,
  file: string,
  { rejected, print }: { readonly rejected: RejectedFile; readonly print: (line: string) => void },
): Promise<number> => {
  if (outcome === 'empty') {
    print(`${file} has no record`);
    return EXIT.nothing;
  }
  if (await rejected.isEmpty()) return EXIT.done;
  if (outcome === 'none taken') print(`no record of ${file} can be taken`);
  print(`rejected lines and their reasons are in ${rejected.path}`);
  return outcome === 'none taken' ? EXIT.nothing : EXIT.rejected;
};

const loadFile = async (
  { file, concurrency, csv }: Job,
  records: RecordFile,
  { baseUrl, apiKey }: Target,
  context: IngestContext,
): Promise<number> => {
  const { signal } = context;
  const print = besideTheBar(context.print);
  const client = new BatchClient(baseUrl, apiKey, { ...context, print });
  const rejected = RejectedFile.of(file, records.layout);
  const content = `${await contentOf(file, signal)}${wayToRead(csv)}`;
  const state = await LoadState.open(file, content, client.address, { rejected, print });
  if (state.resumed) {
    await refuseElsewhere(file, client, state);
    print('resuming where the last load broke off');
  }
  const load = new Load(client, state, concurrency, print);
  await load.run(file, records);
  print(load.report);
  await state.finish();
  return concluded(load.outcome, file, { rejected, print });
};

/** Beside the rejected lines of a load, which may be interrupted just now. */
const judgeFile = async (file: string, records: RecordFile, context: IngestContext): Promise<number> => {
  const rejected = RejectedFile.of(`${file}.dry-run`, records.layout);
  const print = besideTheBar(context.print);
  const outcome = await dryRun(file, records, rejected, { rules: context.rules, print, signal: context.signal });
  return concluded(outcome, file, { rejected, print });
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

const TROUBLES: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'a part of the path is no folder',
  EISDIR: 'it is a folder, not a file',
  EACCES: 'it may not be read or written',
  EPERM: 'it may not be read or written',
  EROFS: 'the folder cannot be written to',
  ENOSPC: 'the disk is full',
};

/** What an error that was foreseen ends with, and what is said of it. */
const outcomeOf = (
  error: unknown,
  file: string,
): { readonly status: number; readonly explanation: string } | undefined => {
  if (error instanceof Interrupted)
    return { status: EXIT.interrupted, explanation: 'interrupted; the same command resumes the load' };
  if (error instanceof LoadRefused) return { status: EXIT.refused, explanation: error.message };
  if (error instanceof NoTarget || error instanceof UnreadableFile)
    return { status: EXIT.misunderstood, explanation: error.message };
  const { code = '', path = file } = error as NodeJS.ErrnoException;
  const trouble = TROUBLES[code];
  return trouble === undefined ? undefined : { status: EXIT.misunderstood, explanation: `${path}: ${trouble}` };
};

/** Bulk load over the API. Answers with the exit status. */
export const ingestCommand = async (words: readonly string[], context: IngestContext): Promise<number> => {
  const { print, rules } = context;
  const job = jobOf(words, rules, print);
  if ('exitStatus' in job) return job.exitStatus;
  try {
    const records = await openRecords(job.file, rules, job.csv);
    records.notes.forEach(print);
    if (job.isDryRun) return await judgeFile(job.file, records, context);
    const target = await targetOf(job, context.dataDir);
    return await whileItLasts(context.signal, (signal) => loadFile(job, records, target, { ...context, signal }));
  } catch (error) {
    const outcome = outcomeOf(error, job.file);
    if (outcome === undefined) throw error;
    print(outcome.explanation);
    return outcome.status;
  }
};
