import { randomUUID } from 'node:crypto';
import { END, type EventStoreDBClient, START, streamNameFilter } from '@eventstore/db-client';
import { encodeFrames } from '../../src/log/record.js';
import { Session } from '../../src/postgres/session.js';
import { collect, connect, event, events } from '../contract/server.js';
import { type EventStoreNode, startEventStore } from '../../../../test/support/event-store-node.js';
import { eventually, sleep } from '../../../../test/support/stack.js';

/** Commits the fourth event of the log while the node has not heard of it: its answer is on its way, or lost with Postgres. */
const commitUnheard = async (databaseUrl: string): Promise<void> => {
  const unheard = {
    id: randomUUID(),
    type: 'unheard',
    isJson: true,
    data: Buffer.from('{}'),
    metadata: Buffer.alloc(0),
  };
  const place = { stream: 'known', firstRevision: 3, firstPosition: 4, createdAt: Date.now() };
  const frames = encodeFrames([unheard], place).toString('hex');
  const session = await Session.open(databaseUrl, 5_000);
  await session.run(
    `INSERT INTO event_store.writes
     SELECT position + 1, stream, revision + 1, 1, created_at, '\\x${frames}'
     FROM event_store.writes ORDER BY position DESC LIMIT 1`,
    5_000,
  );
  await session.close();
};

describe('what is committed and not yet published', () => {
  let node: EventStoreNode;
  let client: EventStoreDBClient;
  beforeAll(async () => {
    const before = await startEventStore();
    const first = connect(before.connectionString);
    for (const each of events(3)) await first.appendToStream('known', each);
    await first.dispose();
    await before.stop();
    // One that started over the log has nothing of it in memory.
    node = await startEventStore({ databaseUrl: before.databaseUrl });
    client = connect(node.connectionString);
    await commitUnheard(node.databaseUrl);
  });
  afterAll(async () => {
    await client.dispose();
    await node.stop();
  });

  it('is in no read of $all, whose end would be taken for one that subscribers have passed', async () => {
    const backwards = { direction: 'backwards' as const, fromPosition: END as typeof END };
    const [last] = await collect(client.readAll({ ...backwards, maxCount: 1 }));
    expect(last?.event?.revision).toBe(2n);
    expect(await collect(client.readAll(backwards))).toHaveLength(3);
    expect(await collect(client.readAll({ fromPosition: START }))).toHaveLength(3);
  });

  it('is told to subscribers in its turn, once the node has heard of it, and nothing behind it before', async () => {
    const filter = streamNameFilter({ prefixes: ['known'] });
    const seen: string[] = [];
    let caughtUp = false;
    const subscription = client.subscribeToAll({ fromPosition: START, filter });
    subscription.on('caughtUp', () => (caughtUp = true)).on('error', () => undefined);
    subscription.on('data', ({ event: each }) => seen.push(each?.type ?? ''));
    await eventually('the end of what is published', () => caughtUp);
    expect(seen).toHaveLength(3);
    // The next append finds its place taken, and the log is read again.
    await eventually('an append', () => client.appendToStream('known', event('behind')).then(() => true), 20_000);
    await eventually('all of it', () => seen.length === 5);
    await sleep(50);
    expect(seen).toEqual(['tested', 'tested', 'tested', 'unheard', 'behind']);
    await subscription.unsubscribe();
  });
});
