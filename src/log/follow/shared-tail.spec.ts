import { setImmediate as turn, setTimeout as pause } from 'node:timers/promises';
import fc from 'fast-check';
import { newUuid } from '../../kernel/ids.js';
import { type AllSubscriptionOptions, type RecordSubscriptionOptions } from '@kyc/esdb-client/requests';
import { type Delivery, EventStore } from '../../platform/eventstore/event-store.js';
import { type LogRecord } from '@kyc/esdb-client/events';
import { storedEventOf } from '../../platform/eventstore/in-our-terms.js';
import { SharedTailEventStore } from './shared-tail.js';

const record = (position: number, stream: string, type: string): LogRecord => ({
  id: newUuid(),
  stream,
  type,
  revision: 0n,
  position: BigInt(position),
  created: new Date(0),
  isJson: true,
  data: Buffer.from(JSON.stringify({ position })),
  metadata: Buffer.from('{}'),
});

/** A log in memory. It delivers in pages of varying length, and counts the subscriptions that are open. */
class Log extends EventStore {
  readonly healthy = true;
  readonly records: LogRecord[] = [];
  open = 0;
  broken = false;
  private readonly waiting = new Set<() => void>();

  constructor(private readonly pageOf: () => number = () => 3) {
    super();
  }

  write(stream: string, type: string): void {
    this.records.push(record(this.records.length, stream, type));
    this.wakeAll();
  }

  break(): void {
    this.broken = true;
    this.wakeAll();
  }

  append = (): never => this.unused();
  read = (): never => this.unused();
  readPages = (): never => this.unused();
  subscribeToAll = (): never => this.unused();

  async head(): Promise<bigint | undefined> {
    await turn();
    await turn();
    return this.records.at(-1)?.position;
  }

  override async *subscribeToRecords({ after, signal }: RecordSubscriptionOptions) {
    let at = after === undefined ? 0 : Number(after) + 1;
    let live = false;
    this.open += 1;
    try {
      const end = this.records.length;
      while (signal?.aborted !== true) {
        if (this.broken) throw new Error('the store is gone');
        const page: Delivery<LogRecord>[] = this.records
          .slice(at, at + this.pageOf())
          .map((event) => ({ kind: 'event', event }));
        at += page.length;
        if (!live && at >= end) {
          live = true;
          page.push({ kind: 'caught_up' });
        }
        await turn();
        if (page.length > 0) yield page;
        else if (at >= this.records.length && !this.broken) await this.more(signal);
      }
    } finally {
      this.open -= 1;
    }
  }

  override async *subscribeToAllInPages({ streamPrefixes, eventTypes, ...options }: AllSubscriptionOptions) {
    for await (const page of this.subscribeToRecords(options))
      yield page.flatMap((delivery): Delivery[] => {
        if (delivery.kind !== 'event') return [delivery];
        const { stream, type } = delivery.event;
        const isWanted =
          streamPrefixes.some((prefix) => stream.startsWith(prefix)) && (eventTypes?.includes(type) ?? true);
        return isWanted ? [{ kind: 'event', event: storedEventOf(delivery.event) }] : [];
      });
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  private wakeAll(): void {
    for (const wake of this.waiting) wake();
    this.waiting.clear();
  }

  private more(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve) => {
      if (signal?.aborted === true) resolve();
      this.waiting.add(resolve);
      signal?.addEventListener('abort', () => resolve(), { once: true });
    });
  }

  private unused(): never {
    throw new Error('not part of this log');
  }
}

/** Follows until `count` events came, or the signal aborts. */
const follow = async (
  store: EventStore,
  options: Omit<AllSubscriptionOptions, 'streamPrefixes'> & { readonly streamPrefixes?: readonly string[] },
  onPage: (deliveries: readonly Delivery[]) => unknown,
): Promise<void> => {
  for await (const page of store.subscribeToAllInPages({ streamPrefixes: [''], ...options })) await onPage(page);
};

const positions = (deliveries: readonly Delivery[]): number[] =>
  deliveries.flatMap((delivery) => (delivery.kind === 'event' ? [Number(delivery.event.position)] : []));

const until = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await pause(1);
};

describe('followers that share the tail of the log', () => {
  it('are each given every event that they want once and in order, whenever they join and however slow they are', async () => {
    const followers = fc.array(
      fc.record({
        after: fc.option(fc.nat(20)),
        joinsAt: fc.nat(60),
        prefix: fc.constantFrom('', 'a-', 'b-'),
        types: fc.option(fc.constant<readonly string[]>(['One.v1'])),
        slow: fc.nat(3),
      }),
      { minLength: 1, maxLength: 4 },
    );
    await fc.assert(
      fc.asyncProperty(
        followers,
        fc.array(fc.tuple(fc.constantFrom('a-1', 'b-1'), fc.constantFrom('One.v1', 'Two.v1')), {
          minLength: 21,
          maxLength: 80,
        }),
        fc.integer({ min: 1, max: 7 }),
        async (readers, writes, most) => {
          let pages = 0;
          const log = new Log(() => 1 + (pages++ % most));
          const store = new SharedTailEventStore(log, { events: most, bytes: 10_000 });
          const stop = new AbortController();
          const begin = ({ after, prefix, types, slow }: (typeof readers)[number]) => {
            const seen: number[] = [];
            const options = {
              after: after === null ? undefined : BigInt(after),
              streamPrefixes: [prefix],
              eventTypes: types ?? undefined,
            };
            const done = follow(store, { ...options, signal: stop.signal }, async (page) => {
              seen.push(...positions(page));
              for (let turns = 0; turns < slow; turns += 1) await turn();
            });
            return { seen, done };
          };
          const begun: (ReturnType<typeof begin> & { wanted: () => number[] })[] = [];
          for (const [at, [stream, type]] of writes.entries()) {
            log.write(stream, type);
            for (const reader of readers)
              if (reader.joinsAt === at || (at === writes.length - 1 && reader.joinsAt > at))
                begun.push({
                  ...begin(reader),
                  wanted: () =>
                    log.records.flatMap(({ position, stream, type }) =>
                      position > BigInt(reader.after ?? -1) &&
                      stream.startsWith(reader.prefix) &&
                      (reader.types?.includes(type) ?? true)
                        ? [Number(position)]
                        : [],
                    ),
                });
            if (at % 3 === 0) await turn();
          }
          await until(() => begun.every(({ seen, wanted }) => seen.length >= wanted().length));
          stop.abort();
          await Promise.all(begun.map(({ done }) => done));
          for (const { seen, wanted } of begun) expect(seen).toEqual(wanted());
          await until(() => log.open === 0);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('share one subscription and one decoded event', async () => {
    const log = new Log();
    const store = new SharedTailEventStore(log);
    const stop = new AbortController();
    const events: unknown[][] = [[], [], []];
    const done = events.map((seen) =>
      follow(store, { signal: stop.signal }, (page) =>
        seen.push(...page.flatMap((delivery) => (delivery.kind === 'event' ? [delivery.event] : []))),
      ),
    );
    await until(() => log.open === 1);
    log.write('a-1', 'One.v1');
    await until(() => events.every((seen) => seen.length === 1));
    expect(log.open).toBe(1);
    expect(new Set(events.flat()).size).toBe(1);
    stop.abort();
    await Promise.all(done);
  });

  it('learn of a position that holds nothing for them', async () => {
    const log = new Log();
    const stop = new AbortController();
    const seen: Delivery[] = [];
    const done = follow(new SharedTailEventStore(log), { streamPrefixes: ['b-'], signal: stop.signal }, (page) =>
      seen.push(...page),
    );
    await until(() => log.open === 1 && seen.length > 0);
    await until(() => {
      log.write('a-1', 'One.v1');
      return seen.some((delivery) => delivery.kind === 'checkpoint' && delivery.position > 0n);
    });
    stop.abort();
    await done;
  });

  it('all meet the drop of the shared subscription, and what follows opens another', async () => {
    const log = new Log();
    const store = new SharedTailEventStore(log);
    const ended = [1, 2].map(() => follow(store, {}, () => undefined));
    await until(() => log.open === 1);
    log.break();
    for (const end of ended) await expect(end).rejects.toThrow('the store is gone');
    log.broken = false;
    const stop = new AbortController();
    const seen: number[] = [];
    const again = follow(store, { signal: stop.signal }, (page) => seen.push(...positions(page)));
    await until(() => log.open === 1);
    log.write('a-1', 'One.v1');
    await until(() => seen.length === 1);
    stop.abort();
    await again;
  });
});
