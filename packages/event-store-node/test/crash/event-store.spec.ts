import { randomUUID } from 'node:crypto';
import {
  type AllStreamSubscription,
  EventStoreDBClient,
  jsonEvent,
  type Position,
  START,
  streamNameFilter,
} from '@eventstore/db-client';
import { type EventStoreNode, startEventStore } from '../../../../test/support/event-store-node.js';
import { Random } from '../../../../test/support/load/random.js';
import { createDatabase } from '../../../../test/support/postgres.js';
import { sleep } from '../../../../test/support/processes.js';
import { soak } from '../../../../test/support/soak.js';

/** `npm run test:crash -- --trials 100 --seed 1 --mix node` for the long run; the seed is in the test's name. */
const TRIALS = Number(process.env['CRASH_TRIALS'] ?? soak(2, 10));
const SEED = Number(process.env['CRASH_SEED'] ?? 1);

const WRITERS = 8;
const ATTEMPT_MS = 1_500;
const CATCH_UP_MS = 30_000;

const limited = <T>(work: Promise<T>): Promise<T> => {
  const late = new Promise<never>((_, reject) => setTimeout(() => reject(new Error('no answer in time')), ATTEMPT_MS));
  return Promise.race([work, late]);
};

/** Appends to a stream of its own, every append again with the same ids until it is acknowledged. */
class Appender {
  readonly acknowledged: string[] = [];
  readonly proposed: string[] = [];
  stopped = false;
  private revision = -1n;

  constructor(
    private readonly client: EventStoreDBClient,
    readonly stream: string,
    private readonly random: Random,
    private readonly versioned: boolean,
  ) {}

  async run(): Promise<void> {
    while (!this.stopped) {
      const ids = Array.from({ length: this.random.between(1, 6) }, () => randomUUID());
      this.proposed.push(...ids);
      await this.untilAcknowledged(ids);
    }
  }

  private async untilAcknowledged(ids: readonly string[]): Promise<void> {
    const events = ids.map((id) => jsonEvent({ id, type: 'tested', data: { id } }));
    const revision = this.revision === -1n ? ('no_stream' as const) : this.revision;
    const expectedRevision = this.versioned ? revision : ('any' as const);
    while (!this.stopped) {
      try {
        const appending = this.client.appendToStream(this.stream, events, { expectedRevision });
        this.revision = (await limited(appending)).nextExpectedRevision;
        this.acknowledged.push(...ids);
        return;
      } catch (error) {
        if ((error as { type?: string }).type === 'wrong-expected-version') throw error;
        await sleep(20);
      }
    }
  }
}

/** Follows the log and subscribes again behind its last event whenever the subscription ends. */
class Follower {
  readonly seen: string[] = [];
  stopped = false;
  private position: Position | undefined;
  private subscription: AllStreamSubscription | undefined;

  constructor(
    private readonly client: EventStoreDBClient,
    private readonly prefix: string,
  ) {}

  async run(): Promise<void> {
    while (!this.stopped) {
      try {
        await this.follow();
      } catch {
        await sleep(20);
      }
    }
  }

  async stop(): Promise<void> {
    this.stopped = true;
    this.subscription?.destroy();
    await sleep(0);
  }

  private async follow(): Promise<void> {
    const filter = streamNameFilter({ prefixes: [this.prefix] });
    const subscription = this.client.subscribeToAll({ fromPosition: this.position ?? START, filter });
    this.subscription = subscription;
    for await (const { event } of subscription) {
      if (event === undefined) continue;
      this.seen.push(event.id);
      this.position = event.position;
    }
  }
}

describe(`the event-store node killed ${TRIALS} times under appends and subscriptions (seed ${SEED})`, () => {
  let node: EventStoreNode;
  let appending: EventStoreDBClient;
  let reading: EventStoreDBClient;
  const prefix = `crash${randomUUID().slice(0, 8)}`;

  beforeAll(async () => {
    node = await startEventStore({ databaseUrl: await createDatabase() });
    appending = EventStoreDBClient.connectionString(node.connectionString);
    reading = EventStoreDBClient.connectionString(node.connectionString);
  }, 60_000);
  afterAll(async () => {
    await Promise.all([appending.dispose(), reading.dispose()]);
    await node.stop();
  });

  it(
    'loses nothing it acknowledged, shows nothing twice, and no follower misses or repeats an event',
    async () => {
      const random = new Random(SEED);
      const appenders = Array.from(
        { length: WRITERS },
        (_, n) => new Appender(appending, `${prefix}-${n}`, new Random(SEED * 1_000 + n), n % 2 === 0),
      );
      const follower = new Follower(reading, prefix);
      const work = Promise.all(appenders.map((appender) => appender.run()));
      const following = follower.run();
      let earlier = 0;
      for (let trial = 0; trial < TRIALS; trial++) {
        await Promise.race([sleep(random.between(50, 800)), work]);
        await node.kill9();
        node = await startEventStore({ databaseUrl: node.databaseUrl, port: node.port });
        await progress(appenders, earlier);
        earlier = total(appenders);
      }
      for (const appender of appenders) appender.stopped = true;
      await work;
      const log = await written(reading, prefix);
      await caughtUp(follower, log.length);
      await follower.stop();
      await following;

      expect(new Set(log).size).toBe(log.length);
      for (const { acknowledged, proposed } of appenders) {
        const ours = new Set(proposed);
        const kept = log.filter((id) => ours.has(id));
        expect(kept.slice(0, acknowledged.length)).toEqual(acknowledged);
        expect(proposed.slice(0, kept.length)).toEqual(kept);
      }
      expect(follower.seen).toEqual(log);
    },
    30_000 + TRIALS * 10_000,
  );
});

const total = (appenders: readonly Appender[]) =>
  appenders.reduce((sum, { acknowledged }) => sum + acknowledged.length, 0);

/** After every crash the clients find back by themselves. */
async function progress(appenders: readonly Appender[], earlier: number): Promise<void> {
  const deadline = Date.now() + CATCH_UP_MS;
  while (total(appenders) <= earlier) {
    if (Date.now() > deadline) throw new Error('no append was acknowledged after the restart');
    await sleep(20);
  }
}

async function caughtUp(follower: Follower, count: number): Promise<void> {
  const deadline = Date.now() + CATCH_UP_MS;
  while (follower.seen.length < count && Date.now() < deadline) await sleep(20);
}

async function written(client: EventStoreDBClient, prefix: string): Promise<string[]> {
  const ids: string[] = [];
  for await (const { event } of client.readAll({ fromPosition: START })) {
    if (event?.streamId.startsWith(prefix) === true) ids.push(event.id);
  }
  return ids;
}
