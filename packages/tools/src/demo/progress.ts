import { Presets, SingleBar } from 'cli-progress';

const NOTICE_MS = 5_000;

export interface StepTiming {
  readonly seconds: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
}

const quantile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;

/** A bar with rate and time left; on an output that is no terminal, a line now and then. */
class Progress {
  private readonly bar: SingleBar | undefined;
  private readonly startedAt = performance.now();
  private noticedAt = this.startedAt;
  private done = 0;

  constructor(
    private readonly title: string,
    private readonly total: number,
  ) {
    if (!process.stdout.isTTY) return;
    const format = `${title.padEnd(24)} {bar} {value}/{total}  {rate}/s  {eta_formatted} left`;
    this.bar = new SingleBar({ format, hideCursor: true, etaBuffer: 500 }, Presets.shades_classic);
    this.bar.start(total, 0, { rate: 0 });
  }

  advance(): void {
    this.done += 1;
    this.bar?.update(this.done, { rate: this.rate });
    const now = performance.now();
    if (this.bar !== undefined || now - this.noticedAt < NOTICE_MS) return;
    this.noticedAt = now;
    const left = Math.ceil((this.total - this.done) / Math.max(1, this.rate));
    console.log(`${this.title}: ${this.done}/${this.total}, ${this.rate}/s, ${left} s left`);
  }

  finish(): void {
    this.bar?.stop();
    if (this.bar === undefined)
      console.log(`${this.title}: ${this.done}/${this.total} in ${this.seconds.toFixed(1)} s`);
  }

  get seconds(): number {
    return (performance.now() - this.startedAt) / 1_000;
  }

  private get rate(): number {
    return Math.round(this.done / Math.max(0.001, this.seconds));
  }
}

/** Does `work` for each item, `width` of them at a time, and shows how far it has come. */
export const forEachShown = async <Item>(
  title: string,
  items: readonly Item[],
  width: number,
  work: (item: Item, index: number) => Promise<void>,
): Promise<StepTiming> => {
  const progress = new Progress(title, items.length);
  const latencies: number[] = [];
  const queue = items.entries();
  const worker = async (): Promise<void> => {
    for (const [index, item] of queue) {
      const startedAt = performance.now();
      await work(item, index);
      latencies.push(performance.now() - startedAt);
      progress.advance();
    }
  };
  try {
    await Promise.all(Array.from({ length: width }, worker));
  } finally {
    progress.finish();
  }
  latencies.sort((one, other) => one - other);
  return { seconds: progress.seconds, p50: quantile(latencies, 0.5), p99: quantile(latencies, 0.99) };
};
