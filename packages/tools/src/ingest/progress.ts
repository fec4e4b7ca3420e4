import { type Batch } from './batches.js';
import { ProgressBar } from './progress-bar.js';

const SAY_INTERVAL_MS = 10_000;

const count = (value: number): string => value.toLocaleString('en');

const duration = (seconds: number): string =>
  seconds < 90 ? `${Math.round(seconds)} s` : `${Math.round(seconds / 60)} min`;

export type Outcome = 'empty' | 'none taken' | 'taken';

/** Counts what becomes of the lines of a file: as a bar on a terminal, elsewhere as a line now and then. */
export class Progress {
  private size = 0;
  private lines = 0;
  private rejected = 0;
  private blank = 0;
  private bytes = 0;
  /** Of an earlier run: they took this one no time. */
  private earlier = { lines: 0, bytes: 0 };
  private began = performance.now();
  private reportedAt = performance.now();
  private readonly bar = new ProgressBar('{lines} lines | {rate}/s | {rejected} rejected');

  constructor(
    private readonly print: (line: string) => void,
    private readonly isTerminal = process.stderr.isTTY,
    private readonly sayEvery = SAY_INTERVAL_MS,
  ) {}

  start(size: number): void {
    this.size = size;
    this.began = performance.now();
    this.bar.start(size, { lines: 0, rate: 0, rejected: 0 });
  }

  /** Lines that an earlier run has seen to. */
  skip(batch: Batch, lines: number): void {
    if (lines === 0) return;
    this.lines += lines;
    this.reach(batch);
    this.earlier = { lines: this.earlier.lines + lines, bytes: this.bytes };
  }

  count(batch: Batch, rejected: number): void {
    this.lines += batch.lines.length;
    this.rejected += rejected;
    this.reach(batch);
    this.bar.update(this.bytes, { lines: this.lines, rate: Math.round(this.rate), rejected: this.rejected });
    const now = performance.now();
    if (this.isTerminal || now - this.reportedAt < this.sayEvery) return;
    this.reportedAt = now;
    this.print(this.statusLine);
  }

  /** A row without content. */
  readonly pass = (): void => void (this.blank += 1);

  stop(): void {
    this.bar.stop();
  }

  get report(): string {
    const blank = this.blank === 0 ? '' : `, ${count(this.blank)} empty rows skipped`;
    return `${count(this.lines)} lines in ${this.seconds.toFixed(1)} s, ${count(Math.round(this.rate))}/s, ${count(this.rejected)} rejected${blank}`;
  }

  /** Whether a line was read, and whether one was taken, here or by an earlier run. */
  get outcome(): Outcome {
    if (this.lines === 0) return 'empty';
    return this.lines === this.rejected ? 'none taken' : 'taken';
  }

  private get statusLine(): string {
    const percent = Math.floor((100 * this.bytes) / Math.max(1, this.size));
    const left = ((this.size - this.bytes) * this.seconds) / Math.max(1, this.bytes - this.earlier.bytes);
    return `${percent} %: ${count(this.lines)} lines, ${count(Math.round(this.rate))}/s, ${count(this.rejected)} rejected, about ${duration(left)} left`;
  }

  private get seconds(): number {
    return Math.max(0.001, (performance.now() - this.began) / 1_000);
  }

  private get rate(): number {
    return (this.lines - this.earlier.lines) / this.seconds;
  }

  private reach({ lines }: Batch): void {
    this.bytes = Math.max(this.bytes, lines.at(-1)?.end ?? 0);
  }
}
