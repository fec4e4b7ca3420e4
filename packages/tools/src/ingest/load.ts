import { stat } from 'node:fs/promises';
import { type BatchClient, type RecordFault } from './batch-client.js';
import { type Batch, inBatches, part } from './batches.js';
import { type LoadState, type RejectedLine } from './load-state.js';
import { ProgressBar } from './progress-bar.js';
import { readRecords } from './records.js';
import { UnderWay } from './under-way.js';

/** Loads one file, in its order; counts what became of its lines. */
export class Load {
  private lines = 0;
  private rejected = 0;
  private bytes = 0;
  private readonly began = performance.now();
  private readonly bar = new ProgressBar('{lines} lines | {rate}/s | {rejected} rejected');
  private readonly underWay: UnderWay;

  constructor(
    private readonly client: BatchClient,
    private readonly state: LoadState,
    concurrency: number,
  ) {
    this.underWay = new UnderWay(concurrency);
  }

  async run(file: string): Promise<void> {
    const { size } = await stat(file);
    this.bar.start(size, { lines: 0, rate: 0, rejected: 0 });
    try {
      for await (const batch of inBatches(readRecords(file))) await this.load(batch);
      await this.underWay.all();
    } finally {
      this.bar.stop();
    }
  }

  get report(): string {
    const seconds = (performance.now() - this.began) / 1_000;
    return `${this.lines} lines in ${seconds.toFixed(1)} s, ${Math.round(this.lines / seconds)}/s, ${this.rejected} rejected`;
  }

  /** What of it was accepted before an interruption is waited for, what was not is sent. */
  private async load(batch: Batch): Promise<void> {
    const accepted = this.state.acceptedOf(batch);
    const rest = this.state.restOf(batch);
    const waitedFor = accepted.reduce((count, one) => count + one.batch.lines.length, 0);
    this.count(batch, batch.lines.length - waitedFor - rest.lines.length);
    for (const { batch: earlier, batchId } of accepted) {
      await this.underWay.room();
      this.underWay.begin(this.follow(earlier, batchId));
    }
    if (rest.lines.length > 0) await this.send(rest);
  }

  /** Returns once the batch is accepted, since the next must not be before it; that it ends is seen to on the side. */
  private async send(batch: Batch): Promise<void> {
    const { start, lines } = batch;
    const records = lines.flatMap(({ record }) => (record === undefined ? [] : [record]));
    if (records.length === 0) return this.end(batch, []);
    await this.underWay.room();
    const judgement = await this.client.post(this.state.keyOf(batch), records);
    if ('batchId' in judgement) {
      await this.state.accept(batch, judgement.batchId);
      this.underWay.begin(this.follow(batch, judgement.batchId));
    } else if ('faults' in judgement) {
      await this.end(batch, judgement.faults);
    } else if (records.length === 1) {
      await this.end(batch, [{ record_index: 0, ...judgement.refused }]);
    } else {
      const middle = start + Math.ceil(lines.length / 2);
      await this.send(part(batch, start, middle));
      await this.send(part(batch, middle, start + lines.length));
    }
  }

  private async follow(batch: Batch, batchId: string): Promise<void> {
    await this.end(batch, await this.client.ended(batchId));
  }

  private async end(batch: Batch, faults: readonly RecordFault[]): Promise<void> {
    const rejected = rejectedOf(batch, faults);
    await this.state.end(batch, rejected);
    this.rejected += rejected.length;
    this.count(batch, batch.lines.length);
  }

  private count({ lines }: Batch, count: number): void {
    this.lines += count;
    this.bytes = Math.max(this.bytes, lines.at(-1)?.end ?? 0);
    const rate = Math.round((this.lines * 1_000) / Math.max(1, performance.now() - this.began));
    this.bar.update(this.bytes, { lines: this.lines, rate, rejected: this.rejected });
  }
}

const rejectedOf = ({ lines }: Batch, faults: readonly RecordFault[]): RejectedLine[] => {
  const sent = lines.filter(({ record }) => record !== undefined);
  const unread = lines.flatMap(({ line, source, fault }) => (fault === undefined ? [] : [{ line, ...fault, source }]));
  const refused = faults.flatMap(({ record_index, code, detail }) => {
    const at = sent[record_index];
    return at === undefined ? [] : [{ line: at.line, code, detail, source: at.source }];
  });
  return [...unread, ...refused].sort((one, other) => one.line - other.line);
};
