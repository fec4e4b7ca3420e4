import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Presets, SingleBar } from 'cli-progress';
import { BatchClient, LoadRefused } from './batch-client.js';
import { LoadState, type RejectedLine } from './load-state.js';
import { type Batch, inBatches, readRecords, UnreadableFile } from './records.js';

export const INGEST_USAGE = `Usage: npm run ingest -- FILE.ndjson|FILE.csv [--url URL] [--api-key-file FILE] [--concurrency N]

  FILE                 one JSON object a line, or a CSV whose first line names the fields; extra_data stands as JSON
  --url URL            the service; default the one whose data are in DATA_DIR
  --api-key-file FILE  a file that holds the API key; default the demo account in DATA_DIR
  --concurrency N      batches under way at a time (default 4)

An interrupted load is resumed by the same command. Rejected lines go to FILE.rejected with their reasons.`;

export interface IngestContext {
  readonly dataDir: string;
  /** Takes one line of output. */
  readonly print: (line: string) => void;
  /** Interrupts the load, which the same command resumes. */
  readonly signal?: AbortSignal;
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

/** Loads one file; counts what became of its lines. */
class Load {
  private lines = 0;
  private rejected = 0;
  private readonly began = performance.now();
  private readonly bar = new SingleBar(
    {
      format:
        'loading {bar} {percentage}% | {value} of {total} lines | {rate}/s | {eta_formatted} left | {rejected} rejected',
    },
    Presets.shades_classic,
  );

  constructor(
    private readonly client: BatchClient,
    private readonly state: LoadState,
    private readonly signal: AbortSignal | undefined,
  ) {}

  /** Answers whether it came to the end of the file. */
  async run(file: string, total: number, concurrency: number): Promise<boolean> {
    this.bar.start(total, 0, { rate: 0, rejected: 0 });
    const batches = inBatches(readRecords(file))[Symbol.asyncIterator]();
    let reading: Promise<unknown> = Promise.resolve();
    const next = async (): Promise<Batch | undefined> => {
      const turn = reading.then(() => batches.next());
      reading = turn.catch(() => undefined);
      const result = await turn;
      return result.done === true || this.signal?.aborted === true ? undefined : result.value;
    };
    const worker = async (): Promise<void> => {
      for (let batch = await next(); batch !== undefined; batch = await next()) await this.load(batch);
    };
    try {
      await Promise.all(Array.from({ length: concurrency }, worker));
    } finally {
      this.bar.stop();
    }
    return this.signal?.aborted !== true;
  }

  get report(): string {
    const seconds = (performance.now() - this.began) / 1_000;
    return `${this.lines} lines in ${seconds.toFixed(1)} s, ${Math.round(this.lines / seconds)}/s, ${this.rejected} rejected`;
  }

  private async load({ start, lines }: Batch): Promise<void> {
    if (!this.state.hasEnded(start)) {
      const rejected = await this.send(start, lines);
      await this.state.end(start, rejected);
      this.rejected += rejected.length;
    }
    this.lines += lines.length;
    const rate = Math.round((this.lines * 1_000) / Math.max(1, performance.now() - this.began));
    this.bar.update(this.lines, { rate, rejected: this.rejected });
  }

  private async send(start: number, lines: Batch['lines']): Promise<RejectedLine[]> {
    const sent = lines.filter(({ record }) => record !== undefined);
    const records = sent.map(({ record }) => record);
    const faults = sent.length === 0 ? [] : await this.client.load(`${this.state.fingerprint}-${start}`, records);
    const unread = lines.flatMap(({ line, source, fault }) =>
      fault === undefined ? [] : [{ line, code: 'UNREADABLE', detail: fault, source }],
    );
    const refused = faults.flatMap(({ record_index, code, detail }) => {
      const at = sent[record_index];
      return at === undefined ? [] : [{ line: at.line, code, detail, source: at.source }];
    });
    return [...unread, ...refused].sort((one, other) => one.line - other.line);
  }
}

const countLines = async (file: string): Promise<number> => {
  let count = 0;
  for await (const { line } of readRecords(file)) count += line > 0 ? 1 : 0;
  return count;
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
    const { baseUrl, apiKey } = await targetOf(options, context.dataDir);
    const total = await countLines(options.file);
    const state = await LoadState.open(options.file);
    if (state.resumed) print('resuming where the last load broke off');
    const load = new Load(new BatchClient(baseUrl, apiKey), state, context.signal);
    const whole = await load.run(options.file, total, options.concurrency);
    print(load.report);
    if (!whole) {
      print('interrupted; the same command resumes the load');
      return 1;
    }
    await state.finish();
    const rejected = await readFile(state.rejectedFile, 'utf8').catch(() => '');
    if (rejected !== '') print(`rejected lines and their reasons are in ${state.rejectedFile}`);
    return rejected === '' ? 0 : 1;
  } catch (error) {
    const missing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    if (!missing && !(error instanceof LoadRefused || error instanceof UnreadableFile)) throw error;
    print((error as Error).message);
    return 1;
  }
};
