import { newUuid } from '../../src/kernel/ids.js';
import { Unavailable } from '../../src/kernel/unavailable.js';
import { type EventStoreClient } from '../../src/platform/config/config.js';
import { encodeFrames } from '@kyc/event-store-node/log/record';
import { type Delivery } from '../../src/platform/eventstore/event-store.js';
import { GrpcEventStore } from '../../src/platform/eventstore/grpc-event-store.js';
import { ScriptedStore } from '../support/faults/scripted-store.js';
import { eventually } from '../support/processes.js';

/** Milliseconds that no test waits for. */
export const LONG_BUDGET_MS = 60_000;

export const closers: (() => unknown)[] = [];

export const closeAll = async (): Promise<void> => {
  for (const close of closers.splice(0).reverse()) await close();
};

export const startStore = async (options?: Parameters<typeof ScriptedStore.start>[0]): Promise<ScriptedStore> => {
  const store = await ScriptedStore.start(options);
  closers.push(() => store.die());
  return store;
};

/** The adapter, which asks for nothing by itself. */
export const adapterTo = (
  port: number,
  client: EventStoreClient = 'direct',
  budgetMs = LONG_BUDGET_MS,
): GrpcEventStore => {
  const adapter = new GrpcEventStore({
    connectionString: `esdb://admin:changeit@127.0.0.1:${port}?tls=false&connectionName=ledger`,
    client,
    budgetMs,
    probeEveryMs: LONG_BUDGET_MS,
  });
  closers.push(() => adapter.close());
  return adapter;
};

export const requestReceived = (store: ScriptedStore, call: number): Promise<boolean> =>
  eventually('the request', () => (store.calls[call]?.requests.length ?? 0) > 0);

export const events = (count: number, firstRevision = 0, data = '{"text":"ü€😀"}'): Buffer =>
  encodeFrames(
    Array.from({ length: count }, () => ({
      id: newUuid(),
      type: 'Happened.v1',
      isJson: true,
      data: Buffer.from(data),
      metadata: Buffer.from('{"schemaVersion":1}'),
    })),
    { stream: 'a-1', firstRevision, firstPosition: firstRevision + 1, createdAt: 1_767_225_600_000 },
  );

export const failureOf = async (work: Promise<unknown>): Promise<{ readonly cause?: unknown }> =>
  work.then(
    () => Promise.reject(new Error('it did not fail')),
    (problem: unknown) => problem as { readonly cause?: unknown },
  );

export const unavailableBecause = async (work: Promise<unknown>): Promise<string> => {
  const failure = await failureOf(work);
  expect(failure).toBeInstanceOf(Unavailable);
  return String(failure.cause);
};

/** A subscription and what it has delivered so far. */
export const follow = (adapter: GrpcEventStore, after?: bigint) => {
  const delivered: Delivery[] = [];
  const stop = new AbortController();
  const pump = async (): Promise<void> => {
    const options = { after, streamPrefixes: ['a-', 'b-'], signal: stop.signal };
    for await (const page of adapter.subscribeToAllInPages(options)) delivered.push(...page);
  };
  const ended = pump();
  ended.catch(() => undefined);
  closers.push(() => stop.abort());
  return { delivered, stop, ended };
};

export const revisions = (delivered: readonly Delivery[]): number[] =>
  delivered.flatMap((one) => (one.kind === 'event' ? [Number(one.event.revision)] : []));
