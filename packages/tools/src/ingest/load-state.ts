import { appendFile, readFile, truncate, unlink, writeFile } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import { type Batch, part } from './batches.js';
import { LoadRefused } from './connection.js';
import { type RejectedFile, type RejectedLine } from './rejected-file.js';

interface Begun {
  /** The load's own name, under which its batches are sent: no other load has it, not even of the same file. */
  readonly load: string;
  readonly content: string;
  readonly address: string;
}

/** Lines counted as a batch's start is. */
interface Range {
  readonly start: number;
  readonly count: number;
}

type Entry = (Range & { readonly accepted: string }) | (Range & { readonly ended: true });

interface Accepted extends Range {
  readonly batchId: string;
}

const isBegun = (value: unknown): value is Begun =>
  typeof value === 'object' && value !== null && 'load' in value && 'content' in value && 'address' in value;

interface Saved {
  readonly begun: Begun;
  readonly entries: readonly Entry[];
  /** Bytes; a last line that was not written to its end is left out. */
  readonly size: number;
}

const readSaved = async (file: string): Promise<Saved | undefined> => {
  const text = await readFile(file, 'utf8').catch(() => '');
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  if (text === '') return undefined;
  try {
    const [begun, ...entries] = whole
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as unknown);
    if (isBegun(begun)) return { begun, entries: entries as Entry[], size: Buffer.byteLength(whole) };
  } catch {
    // Said below: such a file tells nothing.
  }
  throw new LoadRefused(`${file} is not the progress of a load: to load from the start, delete it`);
};

/** How far the load of a file has come, beside the file: batches accepted, batches that ended, lines that were rejected. */
export class LoadState {
  private saving: Promise<void> = Promise.resolve();
  private readonly accepted = new Map<number, Accepted>();
  /** Batches are sent in the order of the file: all lines before this one are accepted or were rejected. */
  private reached = 0;
  private last: string | undefined;

  private constructor(
    readonly progressFile: string,
    private readonly rejected: RejectedFile,
    private readonly begun: Begun,
    entries: readonly Entry[],
  ) {
    for (const entry of entries) this.note(entry);
  }

  /** `content` tells one content of the file, and one way to read it, from another: a changed file is another load. */
  static async open(
    file: string,
    content: string,
    address: string,
    { rejected, print }: { readonly rejected: RejectedFile; readonly print: (line: string) => void },
  ): Promise<LoadState> {
    const progressFile = `${file}.progress`;
    const saved = await readSaved(progressFile);
    const isSame = saved?.begun.content === content;
    if (isSame && saved.entries.some((entry) => 'accepted' in entry)) {
      await truncate(progressFile, saved.size);
      return new LoadState(progressFile, rejected, saved.begun, saved.entries);
    }
    if (saved !== undefined && saved.entries.length > 0 && !isSame)
      print(`${file} or the way to read it has changed since its load was interrupted: it is loaded from the start`);
    await rejected.clear();
    // A first batch of which no answer arrived may have been accepted all the same: it keeps its key.
    const begun: Begun = { load: isSame ? saved.begun.load : randomUUID(), content, address };
    await writeFile(progressFile, `${JSON.stringify(begun)}\n`);
    return new LoadState(progressFile, rejected, begun, []);
  }

  get resumed(): boolean {
    return this.reached > 0;
  }

  /** Where the load was begun. */
  get address(): string {
    return this.begun.address;
  }

  /** The last batch that the service accepted: whoever has it has all before it. */
  get lastAccepted(): string | undefined {
    return this.last;
  }

  /** The same lines, in the same load, under the same key. */
  keyOf({ start, lines }: Batch): string {
    return `${this.begun.load}-${start}-${lines.length}`;
  }

  /** What of a batch is accepted and has not ended. */
  acceptedOf({ start, lines }: Batch): { readonly batch: Batch; readonly batchId: string }[] {
    return [...this.accepted.values()]
      .filter((one) => one.start >= start && one.start < start + lines.length)
      .map(({ batchId, ...range }) => ({
        batch: part({ start, lines }, range.start, range.start + range.count),
        batchId,
      }));
  }

  /** What of a batch is still to be sent. */
  restOf(batch: Batch): Batch {
    const end = batch.start + batch.lines.length;
    return part(batch, Math.min(end, Math.max(batch.start, this.reached)), end);
  }

  accept({ start, lines }: Batch, batchId: string): Promise<void> {
    return this.save({ start, count: lines.length, accepted: batchId });
  }

  /** The rejected lines are written before the batch counts as ended: an interruption may repeat some, never lose one. */
  end({ start, lines }: Batch, rejected: readonly RejectedLine[]): Promise<void> {
    return this.save({ start, count: lines.length, ended: true }, rejected);
  }

  /** Nothing is left to resume. */
  async finish(): Promise<void> {
    await this.saving;
    await unlink(this.progressFile).catch(() => undefined);
  }

  private save(entry: Entry, rejected: readonly RejectedLine[] = []): Promise<void> {
    this.saving = this.saving.then(async () => {
      await this.rejected.append(rejected);
      await appendFile(this.progressFile, `${JSON.stringify(entry)}\n`);
      this.note(entry);
    });
    return this.saving;
  }

  private note(entry: Entry): void {
    const { start, count } = entry;
    this.reached = Math.max(this.reached, start + count);
    if ('ended' in entry) {
      this.accepted.delete(start);
    } else {
      this.accepted.set(start, { start, count, batchId: entry.accepted });
      this.last = entry.accepted;
    }
  }
}
