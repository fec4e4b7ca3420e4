import { appendFile, readFile, rename, stat, unlink, writeFile } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { basename } from 'node:path';

/** A line that the service did not take, with the reason, to be corrected and loaded again. */
export interface RejectedLine {
  readonly line: number;
  readonly code: string;
  readonly detail: string;
  readonly source: unknown;
}

interface Saved {
  readonly fingerprint: string;
  readonly ended: readonly number[];
}

/** Names the file as it is now: a changed file is another load. */
const fingerprintOf = async (file: string): Promise<string> => {
  const { size, mtimeMs } = await stat(file);
  return createHash('sha256')
    .update(`${basename(file)}\0${size}\0${mtimeMs}`)
    .digest('hex')
    .slice(0, 32);
};

/** How far the load of a file has come, beside the file: batches that ended, and the lines that were rejected. */
export class LoadState {
  private saving: Promise<void> = Promise.resolve();

  private constructor(
    private readonly file: string,
    readonly fingerprint: string,
    private readonly ended: Set<number>,
  ) {}

  static async open(file: string): Promise<LoadState> {
    const fingerprint = await fingerprintOf(file);
    const text = await readFile(`${file}.progress`, 'utf8').catch(() => undefined);
    const saved = text === undefined ? undefined : (JSON.parse(text) as Saved);
    const resumed = saved?.fingerprint === fingerprint;
    if (!resumed) await unlink(`${file}.rejected`).catch(() => undefined);
    return new LoadState(file, fingerprint, new Set(resumed ? saved.ended : []));
  }

  get resumed(): boolean {
    return this.ended.size > 0;
  }

  get rejectedFile(): string {
    return `${this.file}.rejected`;
  }

  hasEnded(start: number): boolean {
    return this.ended.has(start);
  }

  /** The rejected lines are written before the batch counts as ended: an interruption may repeat some, never lose one. */
  end(start: number, rejected: readonly RejectedLine[]): Promise<void> {
    this.saving = this.saving.then(async () => {
      if (rejected.length > 0) {
        const text = rejected.map((line) => `${JSON.stringify(line)}\n`).join('');
        await appendFile(this.rejectedFile, text, { mode: 0o600 });
      }
      this.ended.add(start);
      const saved: Saved = { fingerprint: this.fingerprint, ended: [...this.ended] };
      await writeFile(`${this.file}.progress.new`, JSON.stringify(saved));
      await rename(`${this.file}.progress.new`, `${this.file}.progress`);
    });
    return this.saving;
  }

  /** Nothing is left to resume. */
  async finish(): Promise<void> {
    await this.saving;
    await unlink(`${this.file}.progress`).catch(() => undefined);
  }
}
