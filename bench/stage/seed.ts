import { BatchClient } from '@kyc/tools/ingest/batch-client';
import { type Account } from '@kyc/tools/demo/account';
import { plainRecord } from '../load/requests.js';

/** The largest number of records that the service accepts in one batch. */
export const BATCH = 1_000;
/** Number of concurrent batches. While some are accepted, others are processed and projected. */
export const BATCHES_AT_ONCE = 4;
/** After this many identities all running batches finish, so that a later run can continue there. */
const LEG = 50_000;
const SAY_EVERY_MS = 5_000;

/** Prints the progress every few seconds. */
class Progress {
  private readonly startedAt = performance.now();
  private saidAt = this.startedAt;
  private done = 0;

  constructor(private readonly count: number) {}

  get perSecond(): number {
    return (this.done * 1_000) / (performance.now() - this.startedAt);
  }

  advance(by: number): void {
    this.done += by;
    if (this.done < this.count && performance.now() - this.saidAt < SAY_EVERY_MS) return;
    this.saidAt = performance.now();
    const left = Math.ceil((this.count - this.done) / this.perSecond);
    console.log(`ingested ${this.done} of ${this.count} identities, ${Math.round(this.perSecond)}/s, ${left} s left`);
  }
}

const ingestLeg = async (client: BatchClient, first: number, end: number, progress: Progress): Promise<void> => {
  let next = first;
  const load = async (): Promise<void> => {
    while (next < end) {
      const from = next;
      const size = Math.min(BATCH, end - from);
      next += size;
      const records = Array.from({ length: size }, (_, offset) => plainRecord(from + offset));
      const [fault] = await client.load(`bench-${from}-${Date.now()}`, records);
      if (fault !== undefined) throw new Error(`identity ${from + fault.record_index} was refused: ${fault.detail}`);
      progress.advance(size);
    }
  };
  await Promise.all(Array.from({ length: BATCHES_AT_ONCE }, load));
};

/**
 * Ingests the identities numbered `first` to `first + count - 1` in batches over HTTP. All of them are found when it resolves.
 * Returns records per second, from the first request until the last was found. `reached` receives now and then the number below
 * which all are found. A repetition only updates the same identities.
 */
export const ingestIdentities = async (
  target: { readonly baseUrl: string; readonly account: Account },
  first: number,
  count: number,
  reached: (end: number) => void,
): Promise<number> => {
  const client = new BatchClient(target.baseUrl, target.account.apiKey);
  const progress = new Progress(count);
  for (let from = first; from < first + count; from += LEG) {
    const end = Math.min(from + LEG, first + count);
    await ingestLeg(client, from, end, progress);
    reached(end);
  }
  return progress.perSecond;
};
