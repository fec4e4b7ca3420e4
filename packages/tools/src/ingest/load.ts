import { stat } from 'node:fs/promises';
import { type BatchClient, type RecordFault } from './batch-client.js';
import { type Batch, inBatches, part } from './batches.js';
import { rejectedOf } from './judgement.js';
import { type LoadState } from './load-state.js';
import { type Outcome, Progress } from './progress.js';
import { type RecordFile } from './record-file.js';
import { UnderWay } from './under-way.js';

/** Loads one file, in its order; counts what became of its lines. */
export class Load {
  private readonly progress: Progress;
  private readonly underWay: UnderWay;

  constructor(
    private readonly client: BatchClient,
    private readonly state: LoadState,
    concurrency: number,
    print: (line: string) => void,
  ) {
    this.progress = new Progress(print);
    this.underWay = new UnderWay(concurrency);
  }

  async run(file: string, records: RecordFile): Promise<void> {
    this.progress.start((await stat(file)).size);
    try {
      for await (const batch of inBatches(records.lines(this.progress.pass))) await this.load(batch);
      await this.underWay.all();
    } finally {
      this.progress.stop();
    }
  }

  get report(): string {
    return this.progress.report;
  }

  get outcome(): Outcome {
    return this.progress.outcome;
  }

  /** What of it was accepted before an interruption is waited for, what was not is sent. */
  private async load(batch: Batch): Promise<void> {
    const accepted = this.state.acceptedOf(batch);
    const rest = this.state.restOf(batch);
    const waitedFor = accepted.reduce((count, one) => count + one.batch.lines.length, 0);
    this.progress.skip(batch, batch.lines.length - waitedFor - rest.lines.length);
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
    this.progress.count(batch, rejected.length);
  }
}
