import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { BatchClient } from './batch-client.js';
import { Interrupted, LoadRefused } from './connection.js';
import { contentOf } from './content.js';
import { Load } from './load.js';
import { LoadState } from './load-state.js';
import { besideTheBar } from './progress-bar.js';
import { assertReadable, UnreadableFile } from './records.js';

export const INGEST_USAGE = `Usage: npm run ingest -- FILE.ndjson|FILE.csv [--url URL] [--api-key-file FILE] [--concurrency N]

  FILE                 one JSON object a line, or a CSV whose first line names the fields; extra_data stands as JSON
  --url URL            the service; default the one whose data are in DATA_DIR
  --api-key-file FILE  a file that holds the API key; default the demo account in DATA_DIR
  --concurrency N      batches that are processed at a time (default 4)

Lines are accepted in the order of the file: of two lines about one person the later one holds. An interrupted load is
resumed by the same command, at the same account only. Rejected lines go to FILE.rejected with their reasons.`;

export interface IngestContext {
  readonly dataDir: string;
  /** Takes one line of output. */
  readonly print: (line: string) => void;
  /** Interrupts the load, which the same command resumes. */
  readonly signal?: AbortSignal;
  /** How long is tried while the service does not answer, milliseconds; the default is a minute, ten once it has answered. */
  readonly patience?: number;
}

interface Target {
  readonly baseUrl: string;
  readonly apiKey: string;
}

interface Options {
  readonly file: string;
  readonly url: string | undefined;
  readonly keyFile: string | undefined;
  readonly concurrency: number;
}

const optionsOf = (words: readonly string[]): Options | undefined => {
  try {
    const { values, positionals } = parseArgs({
      args: [...words],
      allowPositionals: true,
      options: {
        url: { type: 'string' },
        'api-key-file': { type: 'string' },
        concurrency: { type: 'string', default: '4' },
      },
    });
    const [file, ...others] = positionals;
    const concurrency = Number(values.concurrency);
    if (file === undefined || others.length > 0 || !Number.isInteger(concurrency) || concurrency < 1) return undefined;
    return { file, url: values.url, keyFile: values['api-key-file'], concurrency };
  } catch {
    return undefined;
  }
};

const targetOf = async ({ url, keyFile }: Options, dataDir: string): Promise<Target> => {
  const demoFile = join(dataDir, 'demo-account.json');
  const demo = async (): Promise<{ base_url: string; api_key: string }> => {
    const text = await readFile(demoFile, 'utf8').catch(() => undefined);
    if (text === undefined) throw new LoadRefused(`there is no ${demoFile}: give --url and --api-key-file`);
    return JSON.parse(text) as { base_url: string; api_key: string };
  };
  const apiKey = keyFile === undefined ? (await demo()).api_key : (await readFile(keyFile, 'utf8')).trim();
  return { baseUrl: url ?? (await demo()).base_url, apiKey };
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
  { file, concurrency }: Options,
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
  const options = optionsOf(words);
  if (options === undefined) {
    print(INGEST_USAGE);
    return 2;
  }
  try {
    assertReadable(options.file);
    const target = await targetOf(options, context.dataDir);
    return await whileItLasts(context.signal, (signal) => loadFile(options, target, { ...context, signal }));
  } catch (error) {
    const missing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    const interrupted = error instanceof Interrupted;
    const foreseen = missing || interrupted || error instanceof LoadRefused || error instanceof UnreadableFile;
    if (!foreseen) throw error;
    print(interrupted ? 'interrupted; the same command resumes the load' : (error as Error).message);
    return 1;
  }
};
