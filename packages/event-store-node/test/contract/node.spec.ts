import { jsonEvent } from '@eventstore/db-client';
import { Client, credentials } from '@grpc/grpc-js';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import pg from 'pg';
import { LogInUse } from '../../src/log/owner.js';
import { type EventStoreNode, startEventStoreNode } from '../../src/node.js';
import { scavengeDaily } from '../../src/scavenge/daily.js';
import { scavenge } from '../../src/scavenge/scavenge.js';
import { createDatabase } from '../../../../test/support/postgres.js';
import { eventually } from '../../../../test/support/processes.js';
import { Outage } from './outage.js';
import {
  collect,
  connect,
  connectUnary,
  describeEmbedded,
  event,
  events,
  expecting,
  failureOf,
  fresh,
  readRevisions,
} from './server.js';

/** Whoever waits for this transaction. */
const WAITING = 'SELECT 1 FROM pg_locks WHERE NOT granted AND transactionid = pg_current_xact_id()::xid';

describeEmbedded('the embedded node', () => {
  let databaseUrl: string;
  let node: EventStoreNode;
  let client: ReturnType<typeof connect>;

  beforeEach(async () => {
    databaseUrl = await createDatabase();
    node = await startEventStoreNode({ databaseUrl, port: 0 });
    client = connect(node.connectionString);
  });
  afterEach(async () => {
    await client.dispose();
    await node.stop();
  });

  const restart = async () => {
    await client.dispose();
    await node.stop();
    node = await startEventStoreNode({ databaseUrl, port: node.port });
    client = connect(node.connectionString);
  };

  it('is found by connection strings that discover their node', async () => {
    const discovering = connect(`esdb+discover://127.0.0.1:${node.port}?tls=false`);
    expect((await discovering.appendToStream(fresh(), event())).success).toBe(true);
    await discovering.dispose();
  });

  it('names what it does not implement', async () => {
    const raw = new Client(`127.0.0.1:${node.port}`, credentials.createInsecure());
    const path = '/event_store.client.users.Users/Create';
    const pass = (bytes: Buffer) => bytes;
    const answer = new Promise((_, reject) =>
      raw.makeUnaryRequest(path, pass, pass, Buffer.alloc(0), (error) => reject(error ?? new Error('it was answered'))),
    );
    await expect(answer).rejects.toMatchObject({ code: 12, details: expect.stringContaining(path) as string });
    raw.close();
  });

  it('refuses to start a second time on the same database', async () => {
    await expect(startEventStoreNode({ databaseUrl, port: 0 })).rejects.toThrow(LogInUse);
    expect((await client.appendToStream(fresh(), event())).success).toBe(true);
  });

  it('keeps events, positions, revisions and idempotency over a restart', async () => {
    const [stream, gone, deleted] = [fresh(), fresh(), fresh()];
    const batch = events(3);
    const first = await client.appendToStream(stream, batch);
    await client.appendToStream(stream, events(2));
    await client.appendToStream(gone, event());
    await client.tombstoneStream(gone);
    await client.appendToStream(deleted, events(2));
    await client.deleteStream(deleted);
    const before = await collect(client.readAll());
    await restart();
    expect(await collect(client.readAll())).toEqual(before);
    expect(await client.appendToStream(stream, batch)).toEqual(first);
    expect((await client.appendToStream(stream, batch, expecting('no_stream'))).nextExpectedRevision).toBe(2n);
    expect(await failureOf(client.appendToStream(gone, event()))).toMatchObject({ type: 'stream-deleted' });
    expect((await client.appendToStream(deleted, event(), expecting('no_stream'))).nextExpectedRevision).toBe(2n);
    const next = await client.appendToStream(stream, event(), expecting(4n));
    expect(next.position?.commit).toBeGreaterThan(before.at(-1)?.event?.position?.commit ?? 0n);
  });

  it('finishes what it accepted when it is stopped', async () => {
    const stream = fresh();
    const appends = Array.from({ length: 200 }, () => client.appendToStream(stream, event()).catch(() => undefined));
    await appends[0];
    await restart();
    const acknowledged = (await Promise.all(appends)).filter((result) => result !== undefined);
    const kept = await readRevisions(client, stream);
    for (const { nextExpectedRevision } of acknowledged) expect(kept).toContain(Number(nextExpectedRevision));
  });

  it('refuses events that lack what an event needs', async () => {
    const unary = connectUnary(node.connectionString);
    const noId = { ...event(), id: 'not-a-uuid' };
    expect(await failureOf(unary.appendToStream(fresh(), noId))).toEqual({ type: 'unknown' });
    await unary.dispose();
  });

  describe('a scavenge', () => {
    const rows = async () => {
      const database = new pg.Client({ connectionString: databaseUrl });
      await database.connect();
      const { rows: found } = await database.query<{ events: string }>(
        'SELECT sum(events) AS events FROM event_store.writes',
      );
      await database.end();
      return Number(found[0]?.events);
    };
    const positions = async () => (await collect(client.readAll())).map((one) => one.event?.position?.commit);

    it('removes what no reader sees, moves nothing and keeps every revision', async () => {
      const [counted, truncated, deleted, gone, kept] = ['a', 'b', 'c', 'd', 'e'].map(fresh) as [
        string,
        string,
        string,
        string,
        string,
      ];
      for (const stream of [counted, truncated, deleted, gone, kept]) {
        for (let n = 0; n < 4; n++) await client.appendToStream(stream, events(5));
      }
      await client.setStreamMetadata(counted, { maxCount: 7 });
      await client.setStreamMetadata(truncated, { truncateBefore: 3 });
      await client.setStreamMetadata(truncated, { truncateBefore: 12 });
      await client.deleteStream(deleted);
      await client.tombstoneStream(gone);
      const before = await positions();
      await scavenge(databaseUrl, () => undefined);
      const after = await positions();
      // 7 counted, 8 behind $tb, the last one deleted, a tombstone, 20 kept, and three metadata events.
      expect(await rows()).toBe(7 + 8 + 1 + 1 + 20 + 3);
      expect(after).toHaveLength(7 + 8 + 1 + 1 + 20 + 3);
      expect(before.filter((position) => after.includes(position))).toEqual(after);
      expect(await readRevisions(client, counted)).toEqual([13, 14, 15, 16, 17, 18, 19]);
      expect(await readRevisions(client, truncated)).toEqual([12, 13, 14, 15, 16, 17, 18, 19]);
      expect(await readRevisions(client, counted, { fromRevision: 18n, direction: 'backwards', maxCount: 2 })).toEqual([
        18, 17,
      ]);
      await restart();
      expect((await client.appendToStream(deleted, event(), expecting('no_stream'))).nextExpectedRevision).toBe(20n);
      expect((await client.appendToStream(counted, event(), expecting(19n))).nextExpectedRevision).toBe(20n);
      expect(await failureOf(client.appendToStream(gone, event()))).toMatchObject({ type: 'stream-deleted' });
    });

    it('comes by itself, again and again, and no append waits for it', async () => {
      const stream = fresh();
      for (let n = 0; n < 200; n++) await client.appendToStream(stream, events(5));
      const lines: string[] = [];
      const end = scavengeDaily(databaseUrl, (line) => lines.push(line), { first: 50, every: 50 });
      const postgres = new pg.Client({ connectionString: databaseUrl });
      await postgres.connect();
      const cutAt = async (from: number, to: number): Promise<void> => {
        // Holds the rows that are to go, so that the scavenge is at work while others append.
        await postgres.query('BEGIN');
        await postgres.query('SELECT 1 FROM event_store.writes WHERE revision < $1 FOR UPDATE', [from]);
        await client.setStreamMetadata(stream, { truncateBefore: from });
        await eventually('the scavenge', async () => (await postgres.query(WAITING)).rowCount === 1);
        for (let n = 0; n < 20; n++) await client.appendToStream(fresh(), event());
        expect(lines).toHaveLength(to - 1);
        await postgres.query('COMMIT');
        await eventually('the end of the scavenge', () => lines.length === to);
      };
      await cutAt(500, 1);
      await cutAt(703, 2);
      end();
      await postgres.end();
      expect(lines).toEqual(['scavenged: 100 rows removed, 0 cut', 'scavenged: 41 rows removed, 1 cut']);
      expect(await readRevisions(client, stream, { maxCount: 1 })).toEqual([703]);
      const appended = await client.appendToStream(stream, event(), expecting(999n));
      expect(appended.nextExpectedRevision).toBe(1_000n);
    });

    it('is not stopped by metadata that makes no sense', async () => {
      const [senseless, counted] = [fresh(), fresh()];
      for (const stream of [senseless, counted]) {
        for (let n = 0; n < 3; n++) await client.appendToStream(stream, event());
      }
      const metadata = jsonEvent({ type: '$metadata', data: { $maxCount: 1.5, $maxAge: 1e18 } });
      await client.appendToStream(`$$${senseless}`, metadata);
      await client.setStreamMetadata(counted, { maxCount: 1 });
      await scavenge(databaseUrl, () => undefined);
      expect(await rows()).toBe(3 + 1 + 2);
      expect(await readRevisions(client, senseless)).toEqual([0, 1, 2]);
    });

    it('removes what is past its $maxAge but the last event', async () => {
      const stream = fresh();
      for (let n = 0; n < 3; n++) await client.appendToStream(stream, events(2));
      await client.setStreamMetadata(stream, { maxAge: 1 });
      await new Promise((resolve) => setTimeout(resolve, 1_200));
      await scavenge(databaseUrl, () => undefined);
      expect(await rows()).toBe(2 + 1);
      expect(await readRevisions(client, stream)).toEqual([]);
      expect((await client.appendToStream(stream, event(), expecting(5n))).nextExpectedRevision).toBe(6n);
    });
  });
});

describeEmbedded('the embedded node without its Postgres', () => {
  it.each(['hangs', 'is gone'] as const)(
    'answers unavailable in time while it %s, and comes back by itself',
    async (kind) => {
      const outage = await Outage.before(await createDatabase());
      const node = await startEventStoreNode({ databaseUrl: outage.url, port: 0 });
      const client = connect(node.connectionString);
      const stream = fresh();
      await client.appendToStream(stream, event());
      const seen: bigint[] = [];
      const subscription = client.subscribeToAll({ fromPosition: 'start' });
      subscription.on('data', (resolved) => seen.push(resolved.event?.revision ?? -1n));
      await eventually('the subscription', () => seen.length === 1);

      await outage.begin(kind);
      const reader = connect(node.connectionString);
      // What the machine withholds of the time of this process, in which the node runs, is not the node's fault.
      const withheld = monitorEventLoopDelay({ resolution: 10 });
      withheld.enable();
      const started = performance.now();
      const failures = await Promise.all([
        failureOf(client.appendToStream(stream, event())),
        failureOf(collect(reader.readStream(stream))),
      ]);
      expect(failures).toEqual([{ type: 'unavailable' }, { type: 'unavailable' }]);
      expect(performance.now() - started).toBeLessThan(1_500 + withheld.max / 1e6);

      await outage.end();
      await eventually('an append', async () => (await client.appendToStream(stream, event())).success);
      const kept = (await readRevisions(client, stream)).length;
      expect(kept).toBeGreaterThanOrEqual(2);
      await Promise.all([client.dispose(), reader.dispose()]);
      await node.stop();
      outage.close();
    },
  );
});
