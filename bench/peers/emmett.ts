import { CommandHandler, type Event } from '@event-driven-io/emmett';
import { getPostgreSQLEventStore, type PostgresEventStore } from '@event-driven-io/emmett-postgresql';
import { randomUUID } from 'node:crypto';
import { Latencies } from '../load/latencies.js';

// The same debit by Emmett's CommandHandler on Postgres, in process: no HTTP, no key, no look-up, no audit entry.

export interface EmmettJob {
  readonly databaseUrl: string;
  readonly tenants: number;
  /** Number of concurrent debits. */
  readonly concurrency: number;
  readonly warmupSeconds: number;
  readonly seconds: number;
}

export interface DebitResult {
  readonly perSecond: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  /** Debits that were given up after their retries, since another write came first each time. */
  readonly conflicts: number;
}

type CreditEvent =
  | Event<'CreditsPurchased', { amount: number }>
  | Event<'CreditsDeducted', { deductionId: string; operation: string; amount: number }>;

interface Account {
  readonly balance: number;
}

const CREDITS = 1_000_000_000;

const evolve = (account: Account, { type, data }: CreditEvent): Account => ({
  balance: account.balance + (type === 'CreditsPurchased' ? data.amount : -data.amount),
});

const handle = CommandHandler<Account, CreditEvent>({
  evolve,
  initialState: () => ({ balance: 0 }),
  retry: { onVersionConflict: 10 },
});

const debit = (account: Account): CreditEvent => {
  if (account.balance < 1) throw new Error('insufficient credits');
  return { type: 'CreditsDeducted', data: { deductionId: randomUUID(), operation: 'check_eligibility', amount: 1 } };
};

const openAccounts = async (store: PostgresEventStore, tenants: number): Promise<string[]> => {
  const run = randomUUID();
  const streams = Array.from({ length: tenants }, (_, index) => `credits-${run}_${index}`);
  for (const stream of streams) {
    await handle(store, stream, () => ({ type: 'CreditsPurchased', data: { amount: CREDITS } }));
  }
  return streams;
};

const measure = async (job: EmmettJob): Promise<DebitResult> => {
  const store = getPostgreSQLEventStore(job.databaseUrl);
  const streams = await openAccounts(store, job.tenants);
  const latencies = new Latencies();
  const from = performance.now() + job.warmupSeconds * 1_000;
  const until = from + job.seconds * 1_000;
  setTimeout(() => process.send?.({ measuring: true }), job.warmupSeconds * 1_000);
  let conflicts = 0;
  let sequence = 0;
  const worker = async (): Promise<void> => {
    while (performance.now() < until) {
      const startedAt = performance.now();
      const done = await handle(store, streams[sequence++ % streams.length] ?? '', debit).then(
        () => true,
        () => false,
      );
      if (startedAt < from || performance.now() > until) continue;
      if (done) latencies.record(performance.now() - startedAt);
      else conflicts += 1;
    }
  };
  await Promise.all(Array.from({ length: job.concurrency }, worker));
  const [p50 = 0, p99 = 0] = latencies.quantiles(0.5, 0.99);
  return { perSecond: latencies.count / job.seconds, p50, p99, conflicts };
};

process.once('message', (job: EmmettJob) => {
  measure(job).then(
    (result) => process.send?.({ result }, () => process.exit(0)),
    (error: unknown) => process.send?.({ error: String(error) }, () => process.exit(1)),
  );
});
