import { END, type EventStoreDBClient } from '@eventstore/db-client';
import fc from 'fast-check';
import { Pages } from '../../src/log/pages.js';
import { Readers } from '../../src/postgres/readers.js';
import { ensureSchema } from '../../src/postgres/schema.js';
import { Session } from '../../src/postgres/session.js';
import { createDatabase } from '../../../../test/support/postgres.js';
import { collect, connect, event, events, link, readRevisions } from '../contract/server.js';
import { type EventStoreNode, startEventStore } from '../../../../test/support/event-store-node.js';

/** A stream as rows: how many events each holds, whether a scavenge took it, and how much later than the one before it is. */
const rowsOfStream = fc.array(
  fc.record({
    events: fc.integer({ min: 1, max: 4 }),
    scavenged: fc.boolean(),
    later: fc.integer({ min: 0, max: 2 }),
  }),
  { minLength: 1, maxLength: 25 },
);

describe('the first event that is not past its $maxAge', () => {
  let session: Session;
  let readers: Readers;
  beforeAll(async () => {
    const databaseUrl = await createDatabase();
    session = await Session.open(databaseUrl, 5_000);
    await ensureSchema(session);
    readers = new Readers(databaseUrl, 1);
  });
  afterAll(async () => {
    await readers.close();
    await session.close();
  });

  it('is found wherever the age, the rows, and the gaps of a scavenge leave it', async () => {
    const pages = new Pages(readers);
    let streamId = 0;
    const everyCase = fc.asyncProperty(rowsOfStream, fc.nat(60), fc.nat(50), async (rows, from, createdAt) => {
      streamId += 1;
      const stored: { first: number; last: number; createdAt: number }[] = [];
      let revision = -1;
      let time = 0;
      for (const [index, row] of rows.entries()) {
        revision += row.events;
        time += row.later;
        if (row.scavenged && index < rows.length - 1) continue;
        stored.push({ first: revision - row.events + 1, last: revision, createdAt: time });
        const position = streamId * 1_000 + revision;
        await session.run(
          `INSERT INTO event_store.writes VALUES (${position}, ${streamId}, ${revision}, ${row.events}, ${time}, '')`,
          5_000,
        );
      }
      fc.pre(from <= revision);
      const readable = stored.find((row) => row.last >= from && row.createdAt >= createdAt);
      const found = await pages.firstCreated(streamId, from, revision, createdAt);
      const end = readable?.first ?? revision + 1;
      expect(stored.filter(({ last, first }) => last >= found && first < end)).toEqual([]);
      expect(found).toBeGreaterThanOrEqual(from);
      expect(found).toBeLessThanOrEqual(Math.max(end, from));
    });
    await fc.assert(everyCase, { numRuns: 300 });
  }, 60_000);
});

describe('a stream most of which is past its $maxAge', () => {
  let node: EventStoreNode;
  let client: EventStoreDBClient;
  beforeAll(async () => {
    node = await startEventStore();
    client = connect(node.connectionString);
    for (let n = 0; n < 5; n++) await client.appendToStream('aging', event('old'));
    const session = await Session.open(node.databaseUrl, 5_000);
    await session.run('UPDATE event_store.writes SET created_at = created_at - 100000', 5_000);
    await session.close();
    await client.appendToStream('aging', events(3));
    await client.setStreamMetadata('aging', { maxAge: 60 });
    await client.appendToStream('links', [link(4, 'aging'), link(6, 'aging')]);
  });
  afterAll(async () => {
    await client.dispose();
    await node.stop();
  });
  const read = (options = {}) => readRevisions(client, 'aging', options);

  it('is read from both ends and from between as if the rest were not there', async () => {
    expect(await read()).toEqual([5, 6, 7]);
    expect(await read({ fromRevision: 2n, maxCount: 2 })).toEqual([5, 6]);
    expect(await read({ fromRevision: 6n })).toEqual([6, 7]);
    expect(await read({ direction: 'backwards', fromRevision: END })).toEqual([7, 6, 5]);
    expect(await read({ direction: 'backwards', fromRevision: 3n })).toEqual([]);
  });

  it('is subscribed to from its first event that is left', async () => {
    const seen: number[] = [];
    for await (const { event: each } of client.subscribeToStream('aging')) {
      seen.push(Number(each?.revision));
      if (seen.length === 3) break;
    }
    expect(seen).toEqual([5, 6, 7]);
  });

  it('resolves links to what is left only', async () => {
    const links = await collect(client.readStream('links', { resolveLinkTos: true }));
    expect(links.map(({ event: target }) => target?.revision)).toEqual([undefined, 6n]);
  });
});
