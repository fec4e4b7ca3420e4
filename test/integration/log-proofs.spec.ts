import { randomBytes } from 'node:crypto';
import { jest } from '@jest/globals';
import { openCheckpoint, parseVerifierKey, signCheckpoint } from '@kyc/log-proofs/checkpoint';
import { verifyConsistency } from '@kyc/log-proofs/merkle-tree';
import { verifyProof } from '@kyc/log-proofs/proof-file';
import { type EventStoreNode, startEventStoreNode } from '@kyc/event-store-node/node';
import { scavenge } from '@kyc/event-store-node/scavenge/scavenge';
import pg from 'pg';
import pino from 'pino';
import { chunk } from '../../src/kernel/chunk.js';
import { type NewEvent, type StoredEvent } from '../../src/kernel/events.js';
import { newUuid, type TenantId } from '../../src/kernel/ids.js';
import { HmacKeyedHashes } from '../../src/platform/crypto/keyed-hashes.js';
import { KeyRing } from '../../src/platform/crypto/key-ring.js';
import { SigningKeys } from '../../src/platform/crypto/signing-keys.js';
import { GrpcEventStore } from '../../src/platform/eventstore/grpc-event-store.js';
import { type Config } from '../../src/platform/config/config.js';
import { Leadership } from '../../src/platform/leadership/leadership.js';
import { Database } from '../../src/platform/postgres/database.js';
import { checkpointAnnouncer } from '../../src/proofs/checkpoint.announcer.js';
import { CheckpointPublisher } from '../../src/proofs/checkpoint-publisher.js';
import { LogLeafRetirement } from '../../src/proofs/log-leaf-retirement.js';
import { LogTree } from '../../src/proofs/log-tree.js';
import { LogTreeState } from '../../src/proofs/log-tree-state.js';
import { HealthChecks } from '../../src/observability/health.js';
import { Metrics } from '../../src/observability/metrics.js';
import { ManualClock } from '../support/manual-clock.js';
import { type LogVerdict, verifyStoredLog } from '../../src/proofs/log-verification.js';
import { ProofReader } from '../../src/proofs/proof-reader.js';
import { aggregatesOf } from '../support/aggregates.js';
import { followToEnd } from '../support/follow.js';
import { createDatabase, createServiceDatabase, eventually } from '../support/stack.js';

jest.setTimeout(120_000);

const TENANT = 't01hzzzzzzzzzzzzzzzzzzzzzzz' as TenantId;
const STREAM = `credits-${TENANT}`;
const hashes = new HmacKeyedHashes(randomBytes(32));
const material = { indexRoot: randomBytes(32), encryptionKeys: new Map([[1, randomBytes(32)]]), source: 'test' };

/** The log, its tree and its proofs over a real node and a real Postgres. */
class World {
  private constructor(
    readonly log: string,
    readonly database: Database,
    private node: EventStoreNode,
    public store: GrpcEventStore,
    private leadership: Leadership,
    public tree: LogTree,
  ) {}

  static async open(): Promise<World> {
    const log = await createDatabase();
    const databaseUrl = await createServiceDatabase();
    const database = new Database({ connectionString: databaseUrl, budgetMs: 10_000 });
    const node = await startEventStoreNode({ databaseUrl: log, port: 0 });
    const store = new GrpcEventStore({ connectionString: node.connectionString, budgetMs: 10_000 });
    const leadership = World.lead(databaseUrl);
    const world = new World(log, database, node, store, leadership, World.treeOf(store, database, leadership));
    await world.leads();
    return world;
  }

  get keys(): SigningKeys {
    return new SigningKeys(this.database, new KeyRing(material));
  }

  get reader(): ProofReader {
    return new ProofReader(this.database, this.store, hashes, this.keys);
  }

  get retirement(): LogLeafRetirement {
    return new LogLeafRetirement(this.store, aggregatesOf(this.store), this.database);
  }

  grow(): Promise<void> {
    return followToEnd(this.tree, this.store);
  }

  /** A new process over the same stores; `between` happens while nothing runs. */
  async restart(between: (log: pg.Client) => Promise<unknown> = () => Promise.resolve()): Promise<void> {
    await this.store.close();
    await this.node.stop();
    const client = new pg.Client({ connectionString: this.log });
    await client.connect();
    await between(client);
    await client.end();
    this.node = await startEventStoreNode({ databaseUrl: this.log, port: 0 });
    this.store = new GrpcEventStore({ connectionString: this.node.connectionString, budgetMs: 10_000 });
    this.tree = World.treeOf(this.store, this.database, this.leadership);
  }

  /** As another process would make it. */
  another(): LogTree {
    return World.treeOf(this.store, this.database, this.leadership);
  }

  /** The next rounds sign once, then not for long. */
  signSeldom(): void {
    this.tree = World.treeOf(this.store, this.database, this.leadership, 3_600_000);
  }

  async verify(against?: string): Promise<LogVerdict> {
    const keys = (await this.reader.verifierKeys()).map(parseVerifierKey);
    const verdict = await verifyStoredLog({ store: this.store, database: this.database, hashes, keys, against });
    if (verdict === undefined) throw new Error('the log has a tree');
    return verdict;
  }

  async note(): Promise<string> {
    return (await this.reader.checkpoint())?.note ?? '';
  }

  async close(): Promise<void> {
    await this.leadership.close();
    await this.store.close();
    await this.node.stop();
    await this.database.close();
  }

  private static lead(database: string): Leadership {
    const onFault = (error: unknown): void => {
      throw error;
    };
    const leadership = new Leadership({ database, beatMs: 100, onFault });
    leadership.claim({ name: 'log-tree' });
    return leadership;
  }

  private static treeOf(
    store: GrpcEventStore,
    database: Database,
    leadership: Leadership,
    checkpointEvery = 0,
  ): LogTree {
    const config = { checkpointEvery, environment: 'sandbox' } as Config;
    const keys = new SigningKeys(database, new KeyRing(material));
    return new LogTree(store, database, leadership, hashes, keys, config, pino({ enabled: false }));
  }

  private leads(): Promise<boolean> {
    return eventually('the lead', () => this.leadership.holds('log-tree'));
  }
}

const event = (amount: number): NewEvent => ({
  id: newUuid(),
  type: 'CreditsPurchased.v1',
  data: { amount, text: 'x'.repeat(20) },
  metadata: {
    $correlationId: newUuid(),
    actor: { type: 'system', id: 'spec' },
    time: '2026-11-01T00:00:00.000Z',
    schemaVersion: 1,
  },
});

let world: World;
let events: NewEvent[];

const append = async (count: number, stream = STREAM): Promise<void> => {
  const added = Array.from({ length: count }, (_, index) => event(events.length + index));
  events.push(...added);
  // Events that a test alters are rows of their own.
  for (const some of chunk(added, count > 50 ? count : 1)) await world.store.append(stream, some, 'any');
};

beforeEach(async () => {
  world = await World.open();
  events = [];
});
afterEach(() => world.close());

describe('the tree of the log', () => {
  it('proves every event by what was signed, to its own tenant alone, and a newer one not yet', async () => {
    await append(300);
    world.signSeldom();
    await world.grow();
    const keys = (await world.reader.verifierKeys()).map(parseVerifierKey);
    for (const at of [0, 1, 128, 255, 256, 299]) {
      const { id } = events[at] as NewEvent;
      const proven = verifyProof(await world.reader.inclusion(TENANT, id), keys);
      expect(proven).toMatchObject({ index: at, size: 300, event: { id, stream: STREAM, revision: BigInt(at) } });
      expect(JSON.parse(Buffer.from(proven.event.data).toString())).toEqual(events[at]?.data);
      expect(await world.reader.inclusion('t01hzzzzzzzzzzzzzzzzzzzzzza' as TenantId, id)).toBeUndefined();
    }
    expect(await world.reader.inclusion(TENANT, newUuid())).toBeUndefined();
    await append(1);
    await world.grow();
    expect(await world.reader.inclusion(TENANT, (events[300] as NewEvent).id)).toBeNull();
  });

  it('only grows: every signed tree is consistent with every later one, over restarts too', async () => {
    const notes: string[] = [];
    for (const count of [1, 3, 300, 1]) {
      await append(count);
      await world.restart();
      await world.grow();
      await world.grow();
      notes.push(await world.note());
    }
    const keys = (await world.reader.verifierKeys()).map(parseVerifierKey);
    const signed = notes.map((note) => openCheckpoint(note, keys));
    expect(signed.map(({ size }) => size)).toEqual([1, 4, 304, 305]);
    const latest = signed.at(-1);
    for (const { size, root } of signed) {
      const proof = await world.reader.consistency(1, size, 305);
      const secondRoot = latest?.root ?? Buffer.alloc(0);
      expect(verifyConsistency({ first: size, firstRoot: root, second: 305, secondRoot, proof })).toBe(true);
    }
    expect(await world.verify(notes[1])).toMatchObject({ finding: undefined, unsigned: [], leaves: 305 });
  });

  it('tells health and metrics how far it is, and that it has fallen behind', async () => {
    const clock = new ManualClock(Date.now());
    const [health, metrics] = [new HealthChecks(), new Metrics()];
    new LogTreeState(world.database, health, metrics, clock).onModuleInit();
    await append(7);
    await world.grow();
    await world.database.query(`UPDATE proof_epochs SET level_at = '2001-01-01'`);
    await world.restart();
    await world.grow();
    const text = await metrics.registry.metrics();
    for (const line of ['log_tree_leaves 7', 'log_tree_epoch 1', 'log_tree_signed_leaves 7'])
      expect(text).toContain(`\n${line}\n`);
    expect(text).toMatch(/\nlog_tree_level_timestamp_seconds 1[7-9]\d{8}/);
    expect((await health.ready()).parts['log_tree']).toBe('up');
    clock.advance(600_000);
    health.changed();
    const { status, notes } = await health.ready();
    expect([status, notes?.['log_tree']]).toEqual([
      'degraded',
      expect.stringContaining('was last level with it at 20'),
    ]);
  });

  it('is the same whoever makes it: two growing at once, and one from the log alone', async () => {
    const rival = world.another();
    const both = () => Promise.all([world.grow(), followToEnd(rival, world.store)]);
    await append(20);
    await both();
    await append(5);
    await both();
    const note = await world.note();
    await world.database.query('TRUNCATE proof_epochs, proof_tiles, proof_leaves, proof_retired');
    await world.restart();
    await world.grow();
    expect(await world.verify(note)).toMatchObject({ finding: undefined, leaves: 25 });
  });

  it('outlives a lawful purge: old proofs verify, verify says by which event, and the tree can be made again', async () => {
    await append(40);
    await world.grow();
    const keys = (await world.reader.verifierKeys()).map(parseVerifierKey);
    const before = await world.reader.inclusion(TENANT, (events[3] as NewEvent).id);
    await world.retirement.retire(STREAM, 30n);
    await world.retirement.retire(STREAM, 30n);
    await world.store.truncateBefore(STREAM, 30n);
    await world.grow();
    expect((await world.verify()).finding).toBeUndefined();
    await world.restart(() => scavenge(world.log, () => undefined));
    const { finding, purged, leaves } = await world.verify();
    expect(finding).toBeUndefined();
    expect(leaves).toBe(41);
    const retired = await world.store.read('transparency-deployment');
    expect([...purged]).toEqual([[retired[0]?.id, 30]]);
    expect(retired).toHaveLength(1);
    expect(verifyProof(before, keys)).toMatchObject({ index: 3 });
    expect(await world.reader.inclusion(TENANT, (events[3] as NewEvent).id)).toBeUndefined();
    const note = await world.note();
    await world.database.query('TRUNCATE proof_epochs, proof_tiles, proof_leaves, proof_retired');
    await world.restart();
    await world.grow();
    expect(await world.verify(note)).toMatchObject({ finding: undefined, leaves: 41 });
  });

  it('holds a purge back while it lacks an event that would go', async () => {
    await append(3);
    await world.grow();
    await append(2);
    await expect(world.retirement.retire(STREAM, 5n)).rejects.toThrow('read_models is unavailable');
    expect(await world.store.read('transparency-deployment')).toEqual([]);
    await world.grow();
    await world.retirement.retire(STREAM, 5n);
    expect(await world.store.read('transparency-deployment')).toHaveLength(1);
  });

  it('begins anew where the log was restored from an older back-up, and names what was signed before', async () => {
    await append(12);
    await world.grow();
    const last = await world.note();
    await world.restart((client) =>
      client.query(
        'DELETE FROM event_store.writes WHERE position > (SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY position) FROM event_store.writes)',
      ),
    );
    await world.grow();
    await append(2);
    await world.grow();
    const note = await world.note();
    expect(note).toMatch(/^kyc-network\.sandbox\/log\/2\n/);
    expect((await world.verify()).finding).toBeUndefined();
    const rows = await world.database.query('SELECT previous_checkpoint FROM proof_epochs WHERE epoch = 2');
    expect(rows).toEqual([{ previous_checkpoint: last }]);
    expect((await world.verify(last)).unsigned).toEqual([
      'a checkpoint is of kyc-network.sandbox/log/1, not of kyc-network.sandbox/log/2',
    ]);
  });
});

describe('the checkpoint of the day', () => {
  it('is published once a day, by whichever instance and after restarts, and never for a day before', async () => {
    const clock = new ManualClock(Date.parse('2026-11-01T23:50:00.000Z'));
    const publisher = () => new CheckpointPublisher(world.store, aggregatesOf(world.store), world.database, clock);
    const days = async () =>
      (await world.store.read('transparency-checkpoints')).map(({ data }) => (data as { day: string }).day);
    await publisher().publish();
    expect(await days()).toEqual([]);
    await append(3);
    await world.grow();
    await Promise.all([publisher().publish(), publisher().publish(), publisher().publish()]);
    clock.advance(9 * 60_000);
    await publisher().publish();
    expect(await days()).toEqual(['2026-11-01']);
    clock.advance(60_000);
    await world.restart();
    await world.grow();
    await publisher().publish();
    clock.set(new Date('2026-11-01T12:00:00.000Z'));
    await publisher().publish();
    expect(await days()).toEqual(['2026-11-01', '2026-11-02']);
    const [event] = await world.store.read('transparency-checkpoints', { direction: 'backwards', maxCount: 1 });
    const [announced] = checkpointAnnouncer.announce(event as StoredEvent);
    expect(announced).toMatchObject({ type: 'transparency.checkpoint', data: { checkpoint: await world.note() } });
  });
});

const OF_STREAM = `stream = (SELECT id FROM event_store.streams WHERE name = '${STREAM}')`;

/** What somebody does who may write to the node's tables. */
const tampering: readonly [what: string, sql: string, finding: object, event?: number][] = [
  [
    'flipped',
    `UPDATE event_store.writes SET frames = overlay(frames placing '\\x79' from position('\\x7878'::bytea in frames)) WHERE ${OF_STREAM} AND revision = 7`,
    { kind: 'flipped', index: 7 },
  ],
  ['deleted', `DELETE FROM event_store.writes WHERE ${OF_STREAM} AND revision = 7`, { kind: 'deleted', index: 7 }],
  ['truncated', `DELETE FROM event_store.writes WHERE ${OF_STREAM} AND revision >= 7`, { kind: 'truncated', index: 7 }],
  [
    'reordered',
    `UPDATE event_store.writes SET position = -position WHERE ${OF_STREAM} AND revision IN (7, 9);
     UPDATE event_store.writes SET position = (SELECT -position FROM event_store.writes WHERE ${OF_STREAM} AND revision = 9)
       WHERE ${OF_STREAM} AND revision = 7;
     UPDATE event_store.writes SET position = (SELECT position - 2 FROM event_store.writes WHERE ${OF_STREAM} AND revision = 7)
       WHERE ${OF_STREAM} AND revision = 9;`,
    { kind: 'reordered', index: 7 },
    9,
  ],
];

describe('verify-log', () => {
  it.each(tampering)('names the event of a log that was %s in its store', async (_what, sql, finding, at = 7) => {
    await append(20);
    await world.grow();
    await world.restart((client) => client.query(sql));
    const verdict = await world.verify();
    expect(verdict.finding).toMatchObject(finding);
    expect(verdict.finding?.eventId).toBe(events[at]?.id);
  });

  it('names a fork: a tree that was signed, and kept outside, before both log and tree were written anew', async () => {
    await append(20);
    await world.grow();
    const kept = await world.note();
    await world.restart((client) => client.query(tampering[0]?.[1] ?? ''));
    await world.database.query('TRUNCATE proof_epochs, proof_tiles, proof_leaves, proof_retired, signed_checkpoints');
    await world.restart();
    await world.grow();
    expect((await world.verify()).finding).toBeUndefined();
    expect((await world.verify(kept)).finding).toMatchObject({ kind: 'forked', index: 20 });
  });

  it('names altered checkpoints and altered tiles, and does not blame the log for them', async () => {
    await append(20);
    await world.grow();
    const root = randomBytes(32);
    const origin = 'kyc-network.sandbox/log/1';
    const forged = signCheckpoint({ origin, size: 20, root }, (await world.keys.signer('log_checkpoint')).key);
    expect((await world.verify(forged)).finding).toMatchObject({ kind: 'forked', index: 20 });
    await world.database.query(`UPDATE proof_tiles SET hashes = set_byte(hashes, 40, get_byte(hashes, 40) # 1)`);
    expect((await world.verify()).finding).toMatchObject({ kind: 'tree_altered', index: 1 });
    await world.database.query(`UPDATE signed_checkpoints SET note = replace(note, E'\\n20\\n', E'\\n21\\n')`);
    expect((await world.verify()).unsigned).toEqual([
      `the checkpoint of 20 events: the signature of ${origin} does not verify`,
    ]);
  });
});
