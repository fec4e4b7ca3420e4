import { answer } from '@kyc/client';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Account } from '@kyc/tools/demo/account';
import { Latencies } from '../load/latencies.js';
import { plainContact, plainRecord } from '../load/requests.js';
import { connectToIndex } from './look-up.js';

/** The interval between queries of the index, which is also the precision of a time until found. */
const POLL_INTERVAL_MS = 5;
const ALL_FOUND_WITHIN_MS = 60_000;
/** Number of the identities that are also looked up over HTTP at the end. */
const CHECKED = 25;

export interface UntilFoundJob {
  readonly account: Account;
  readonly databaseUrl: string;
  readonly firstIdentity: number;
  /** Records per second, sent without waiting for responses to earlier ones. */
  readonly rate: number;
  readonly seconds: number;
}

export interface UntilFound {
  /** Milliseconds from the response that accepts a record until its identity is found. */
  readonly p50: number;
  readonly p99: number;
  /** The same from the moment at which the record was due to be sent. */
  readonly p99FromDue: number;
}

interface Accepted {
  readonly dueAt: number;
  readonly acceptedAt: number;
}

const COMPLETED = {
  name: 'completed',
  text: `SELECT ingestion_id AS id, status FROM ingestions WHERE tenant_id = $1 AND ingestion_id = ANY($2::uuid[]) AND status <> 'accepted'`,
};

/** Sends records at a fixed rate. Resolves when all have responses. Throws where one is not accepted. */
const sendAll = async ({ account, firstIdentity, rate, seconds }: UntilFoundJob, open: Map<string, Accepted>) => {
  const startedAt = performance.now();
  const sent: Promise<void>[] = [];
  let failure: unknown;
  const send = async (index: number, dueAt: number): Promise<void> => {
    try {
      const body = plainRecord(firstIdentity + index);
      const { ingestion_id: id } = await answer(account.client.POST('/api/v1/ingest', { body }));
      open.set(id, { dueAt, acceptedAt: performance.now() });
    } catch (error) {
      failure ??= error;
    }
  };
  while (sent.length < rate * seconds && failure === undefined) {
    const dueAt = startedAt + (sent.length * 1_000) / rate;
    if (dueAt > performance.now()) await sleep(dueAt - performance.now());
    sent.push(send(sent.length, dueAt));
  }
  await Promise.all(sent);
  if (failure !== undefined) throw failure;
};

const assertFound = async ({ account, firstIdentity }: UntilFoundJob, count: number): Promise<void> => {
  for (let probe = 1; probe <= CHECKED; probe += 1) {
    const index = firstIdentity + Math.ceil((count * probe) / CHECKED) - 1;
    const { email, phone } = plainContact(index);
    const body = { email, phone_number: phone };
    const { found } = await answer(account.client.POST('/api/v1/check-eligibility', { body }));
    if (!found) throw new Error(`identity ${index} counts as processed and is not found`);
  }
};

/**
 * Measures single records at a fixed rate. An ingestion counts as found when the index shows it as completed. The same
 * transaction writes the attestation that a check reads.
 */
export const measureUntilFound = async (job: UntilFoundJob): Promise<UntilFound> => {
  const open = new Map<string, Accepted>();
  const [fromAccepted, fromDue] = [new Latencies(), new Latencies()];
  const client = await connectToIndex(job.databaseUrl);
  let sending = true;
  let deadline = Infinity;
  const sender = sendAll(job, open).finally(() => {
    sending = false;
    deadline = performance.now() + ALL_FOUND_WITHIN_MS;
  });
  sender.catch(() => undefined);
  try {
    while (sending || open.size > 0) {
      const values = [job.account.tenantId, [...open.keys()]];
      const { rows } = await client.query<{ id: string; status: string }>({ ...COMPLETED, values });
      const now = performance.now();
      for (const { id, status } of rows) {
        const accepted = open.get(id);
        if (accepted === undefined) continue;
        if (status !== 'completed') throw new Error(`ingestion ${id} ended as ${status}`);
        open.delete(id);
        fromAccepted.record(now - accepted.acceptedAt);
        fromDue.record(now - accepted.dueAt);
      }
      if (now > deadline) throw new Error(`${open.size} records were accepted and not found within a minute`);
      await sleep(POLL_INTERVAL_MS);
    }
    await sender;
  } finally {
    await client.end();
  }
  await assertFound(job, fromAccepted.count);
  const [p50 = 0, p99 = 0] = fromAccepted.quantiles(0.5, 0.99);
  return { p50, p99, p99FromDue: fromDue.quantiles(0.99)[0] ?? 0 };
};
