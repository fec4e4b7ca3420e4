import { setTimeout as sleep } from 'node:timers/promises';
import { type Account } from '../../src/demo/account.js';
import { type LoadJob, type LoadResult } from '../load/job.js';
import { plainContact } from '../load/requests.js';
import { inProcess } from '../processes.js';

/** Ingested at a time; then the service gets the time to process them, so that no backlog piles up. */
const PORTION = 5_000;
const PROBES = 25;
const FOUND_WITHIN_MS = 120_000;
const PORTION_WITHIN_SECONDS = 600;
const TRIES = 5;

const isFound = async (account: Account, index: number): Promise<boolean> => {
  const { email, phone } = plainContact(index);
  const body = { email, phone_number: phone };
  return (await account.client.expect<{ found: boolean }>('POST', '/api/v1/check-eligibility', body)).found;
};

/** Waits until identities spread over the portion, the last one among them, are found. */
const awaitFound = async (account: Account, first: number, count: number): Promise<void> => {
  const deadline = performance.now() + FOUND_WITHIN_MS;
  for (let probe = 1; probe <= PROBES; probe += 1) {
    const index = first + Math.ceil((count * probe) / PROBES) - 1;
    while (!(await isFound(account, index))) {
      if (performance.now() > deadline) throw new Error(`identity ${index} was ingested and is not found`);
      await sleep(100);
    }
  }
};

const jobFor = (account: Account, port: number, first: number, count: number): LoadJob => ({
  host: '127.0.0.1',
  port,
  path: '/api/v1/ingest',
  apiKeys: [account.apiKey],
  body: 'ingest',
  identities: { first, count },
  connections: 64,
  warmupSeconds: 0,
  seconds: 0,
});

/** A portion that was not accepted as a whole (the service was overtaxed) is sent again as a whole: that only updates. */
const ingestPortion = async (job: LoadJob): Promise<void> => {
  let fault: string | undefined;
  for (let tries = 0; tries < TRIES; tries += 1) {
    const result = await inProcess<LoadResult>('load/generator', job, PORTION_WITHIN_SECONDS);
    if (result.statuses['202'] === job.identities.count) return;
    fault = result.fault;
    await sleep(1_000 * 2 ** tries);
  }
  throw new Error(`the identities were not taken in ${TRIES} tries; the service answered ${fault ?? ''}`);
};

/** Ingests the identities numbered `first` to `first + count - 1` over HTTP. */
export const ingestIdentities = async (account: Account, port: number, first: number, count: number): Promise<void> => {
  const startedAt = performance.now();
  for (let done = 0; done < count;) {
    const size = Math.min(PORTION, count - done);
    await ingestPortion(jobFor(account, port, first + done, size));
    await awaitFound(account, first + done, size);
    done += size;
    const rate = (done * 1_000) / (performance.now() - startedAt);
    const left = Math.ceil((count - done) / rate);
    console.log(`ingested ${done} of ${count} identities, ${Math.round(rate)}/s, ${left} s left`);
  }
};
