import { createHash, generateKeyPairSync, randomUUID } from 'node:crypto';
import { jest } from '@jest/globals';
import { type Checkpoint, signCheckpoint, verifierKeyOf } from '@kyc/log-proofs/checkpoint';
import { leafOfEpoch, leafOfEvent, type LoggedEvent } from '@kyc/log-proofs/leaf';
import { LeafSequence, type RetiredLeaf } from '@kyc/log-proofs/log-leaves';
import { type Hash, inclusionProof, hashChildren, type ReadNode, TreeFrontier } from '@kyc/log-proofs/merkle-tree';
import { ProofError, verifyProof, writeProof } from '@kyc/log-proofs/proof-file';
import { type Finding, type LogLeaf, verifyLog } from '@kyc/log-proofs/verify-log';
import { decodeRecord, frameSpans } from '@kyc/event-store-node/log/record';
import { startEventStoreNode } from '@kyc/event-store-node/node';
import pg from 'pg';
import { chunk } from '../../src/kernel/chunk.js';
import { GrpcEventStore } from '../../src/platform/eventstore/grpc-event-store.js';
import { openNotes } from '../../src/proofs/log-verification.js';
import { Random } from '../support/load/random.js';
import { soak } from '../support/soak.js';
import { createDatabase } from '../support/stack.js';

const ALTERATIONS = soak(60, 4_000);
const EVENTS = 2_000;
/** One in so many is written to the node's tables as well, and read back from there. */
const WRITTEN = 20;

/** Milliseconds, also where a machine is ten times slower. */
jest.setTimeout(120_000 + 360 * ALTERATIONS);

const ORIGIN = 'kyc.example.org/log/1';
const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const KEYS = [verifierKeyOf(ORIGIN, publicKey)];
const random = new Random(20_261_101);
/** A whole number from 0 up to, not including, `below`. */
const drawn = (below: number): number => random.between(0, below - 1);
const saltOf = (id: string): Buffer => createHash('sha256').update(`salt ${id}`).digest();

/** An event as it stands in a row of the node's table: its frame, whose bytes are what is altered. */
interface Frame {
  readonly position: string;
  readonly bytes: Buffer;
}

const decoded = new WeakMap<Buffer, LoggedEvent>();
const eventOf = ({ bytes }: Frame): LoggedEvent => {
  const present = decoded.get(bytes);
  if (present !== undefined) return present;
  const { id, stream, revision, type, data, metadata } = decodeRecord(bytes, { start: 0, end: bytes.length });
  const event = { id, stream, revision: BigInt(revision), type, data, metadata };
  decoded.set(bytes, event);
  return event;
};

/** A log as the node's table holds it, what was signed of it, and what was lawfully purged. */
interface Signed {
  readonly name: string;
  readonly frames: readonly Frame[];
  readonly recorded: readonly LogLeaf[];
  readonly checkpoints: readonly Checkpoint[];
  readonly retired: readonly RetiredLeaf[];
  readonly epochLeaf: Hash | undefined;
}

const bytesOf = (of: readonly Frame[]): Buffer => Buffer.concat(of.map(({ bytes }) => bytes));

let client: pg.Client;
let frames: readonly Frame[];
let stop: () => Promise<void>;

const readFrames = async (): Promise<Frame[]> => {
  const { rows } = await client.query<{ position: string; frames: Buffer }>(
    `SELECT position, frames FROM event_store.writes ORDER BY position`,
  );
  return rows.flatMap(({ position, frames: all }) =>
    [...frameSpans(all)].map(({ start, end }) => ({ position, bytes: Buffer.from(all.subarray(start, end)) })),
  );
};

beforeAll(async () => {
  const databaseUrl = await createDatabase();
  const node = await startEventStoreNode({ databaseUrl, port: 0 });
  const store = new GrpcEventStore({ connectionString: node.connectionString, budgetMs: 60_000 });
  const metadata = {
    $correlationId: randomUUID(),
    actor: { type: 'system', id: 'spec' },
    time: '2026-11-01T00:00:00.000Z',
    schemaVersion: 1,
  } as const;
  await Promise.all(
    Array.from({ length: EVENTS }, (_, amount) => {
      const event = { id: randomUUID(), type: 'CreditsPurchased.v1', data: { amount, text: 'x'.repeat(40) }, metadata };
      return store.append(`credits-t${amount % 20}`, [event], 'any', { budgetMs: 60_000 });
    }),
  );
  client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  frames = await readFrames();
  stop = async () => {
    await client.end();
    await store.close();
    await node.stop();
  };
}, 120_000);
afterAll(() => stop());

const hashes = new WeakMap<LoggedEvent, Hash>();

/** As LeafSequence makes them, with the hash of an unaltered event computed once. */
const leavesOf = (of: readonly Frame[], { retired, epochLeaf }: Pick<Signed, 'retired' | 'epochLeaf'>): LogLeaf[] => {
  const leaves: LogLeaf[] = epochLeaf === undefined ? [] : [{ hash: epochLeaf }];
  const sequence = new LeafSequence(saltOf, leaves.length, retired, (event) => {
    const hash = hashes.get(event) ?? leafOfEvent(event, saltOf(event.id));
    hashes.set(event, hash);
    return hash;
  });
  for (const frame of of) leaves.push(...sequence.add(eventOf(frame)));
  leaves.push(...sequence.rest());
  return leaves;
};

async function* each<Item>(items: readonly Item[]): AsyncGenerator<readonly Item[]> {
  for (const page of chunk(items, 500)) yield await Promise.resolve(page);
}

const signedOf = (recorded: readonly LogLeaf[]): Checkpoint[] => {
  const tree = TreeFrontier.empty();
  return recorded.flatMap(({ hash }, index) => {
    tree.append(hash);
    const isSigned = index % 250 === 249 || index === recorded.length - 1;
    return isSigned ? [{ origin: ORIGIN, size: tree.size, root: tree.root }] : [];
  });
};

const sign = (name: string, of: readonly Frame[], epochLeaf?: Hash): Signed => {
  const recorded = leavesOf(of, { retired: [], epochLeaf });
  return { name, frames: of, recorded, checkpoints: signedOf(recorded), retired: [], epochLeaf };
};

/** Every third event of the first half is purged; the log says so. */
const purge = (signed: Signed): Signed => {
  const isPurged = (index: number): boolean => index % 3 === 0 && index < EVENTS / 2;
  const retired = signed.frames.flatMap((frame, index) => {
    const { stream, revision } = eventOf(frame);
    const { hash } = signed.recorded[index] as LogLeaf;
    return isPurged(index) ? [{ index, stream, revision, hash, retiredBy: 'the purge' }] : [];
  });
  return { ...signed, name: 'purged', retired, frames: signed.frames.filter((_, index) => !isPurged(index)) };
};

const findingIn = async (signed: Signed, of: readonly Frame[]): Promise<Finding | undefined> => {
  const log = each(leavesOf(of, signed));
  const { recorded, checkpoints } = signed;
  return (await verifyLog({ log, recorded: each(recorded), checkpoints })).finding;
};

interface Alteration {
  readonly frames: readonly Frame[];
  readonly expected: Pick<Finding, 'kind' | 'index' | 'eventId'>;
}

const flipped = (bytes: Buffer, from: number, length: number): Buffer => {
  const copy = Buffer.from(bytes);
  const at = from + drawn(length);
  copy.writeUInt8(copy.readUInt8(at) ^ (1 << drawn(8)), at);
  return copy;
};

const FIELDS = ['data', 'metadata', 'type', 'stream', 'revision', 'id'] as const;

/** One bit of the stored bytes of a field that leaves cover. The frame holds the revision, a varint, behind the stream. */
const flip = (frame: Frame): Frame => {
  const field = FIELDS[drawn(FIELDS.length)] ?? 'data';
  const event = eventOf(frame);
  const bytes = Buffer.from(event[field === 'revision' ? 'stream' : field]);
  const from = frame.bytes.indexOf(bytes);
  if (field !== 'revision') return { ...frame, bytes: flipped(frame.bytes, from, bytes.length) };
  const copy = Buffer.from(frame.bytes);
  const at = from + bytes.length + 1;
  copy.writeUInt8(copy.readUInt8(at) ^ (1 << drawn(7)), at);
  return { ...frame, bytes: copy };
};

/** The same event under another id. */
const copyOf = (frame: Frame): Frame => {
  const id = Buffer.from(randomUUID());
  const bytes = Buffer.from(frame.bytes);
  id.copy(bytes, bytes.indexOf(eventOf(frame).id));
  return { ...frame, bytes };
};

const KINDS = ['flipped', 'deleted', 'inserted', 'reordered', 'truncated'] as const;

const alter = ({ frames: of, recorded }: Signed): Alteration => {
  const kind = KINDS[drawn(KINDS.length)] ?? 'flipped';
  const at = drawn(of.length - 1);
  const frame = of[at] as Frame;
  const { id: eventId } = eventOf(frame);
  const index = recorded.findIndex((leaf) => leaf.eventId === eventId);
  const other = at + 1 + drawn(of.length - at - 1);
  const moved = of[other] as Frame;
  switch (kind) {
    case 'flipped':
      return { frames: of.with(at, flip(frame)), expected: { kind, index, eventId } };
    case 'deleted':
      return { frames: of.toSpliced(at, 1), expected: { kind, index, eventId } };
    case 'inserted': {
      const copy = copyOf(frame);
      return { frames: of.toSpliced(at, 0, copy), expected: { kind, index, eventId: eventOf(copy).id } };
    }
    case 'reordered': {
      const swapped = of.with(at, moved).with(other, frame);
      return { frames: swapped, expected: { kind, index, eventId: eventOf(moved).id } };
    }
    case 'truncated':
      return { frames: of.slice(0, at), expected: { kind, index, eventId } };
  }
};

/** Writes a log to the node's table, reads it from there, and takes it back. */
const throughTheTable = async (of: readonly Frame[]): Promise<Frame[]> => {
  await client.query('BEGIN');
  try {
    await client.query('DELETE FROM event_store.writes');
    await client.query(
      `INSERT INTO event_store.writes (position, stream, revision, events, created_at, frames)
       SELECT row_number() OVER (), 1, row_number() OVER (), 1, 0, frame FROM unnest($1::bytea[]) AS frame`,
      [of.map(({ bytes }) => bytes)],
    );
    return await readFrames();
  } finally {
    await client.query('ROLLBACK');
  }
};

/** What a verifier says of a file: that it is not JSON, or what of the proof does not hold. */
const complaintOf = (verify: () => unknown): string | undefined => {
  try {
    verify();
    return undefined;
  } catch (error) {
    if (error instanceof ProofError || error instanceof SyntaxError) return error.message;
    throw error;
  }
};

const scenarios = (): readonly Signed[] => {
  const whole = sign('whole', frames);
  const last = signCheckpoint(whole.checkpoints.at(-1) as Checkpoint, privateKey);
  const restored = [...frames.slice(0, EVENTS / 2), ...frames.slice(EVENTS / 2).map((frame) => copyOf(frame))];
  return [whole, purge(whole), sign('restored from a back-up', restored, leafOfEpoch(last))];
};

describe('random alterations of a log of 2,000 events', () => {
  it('are each detected and named, with purges and a restore in between, and none is reported that is not there', async () => {
    const all = scenarios();
    const counts = new Map<string, number>();
    for (let number = 0; number < ALTERATIONS; number += 1) {
      const signed = all[number % all.length] as Signed;
      const { frames: altered, expected } = alter(signed);
      const label = `alteration ${number} of the ${signed.name} log`;
      expect([label, await findingIn(signed, altered)]).toEqual([label, expect.objectContaining(expected)]);
      counts.set(expected.kind, (counts.get(expected.kind) ?? 0) + 1);
      if (number % WRITTEN !== 0) continue;
      const stored = await throughTheTable(altered);
      expect([label, await findingIn(signed, stored)]).toEqual([label, expect.objectContaining(expected)]);
      expect([label, await findingIn(signed, signed.frames)]).toEqual([label, undefined]);
    }
    expect([...counts.keys()].sort()).toEqual([...KINDS].sort());
    expect(bytesOf(await readFrames()).equals(bytesOf(frames))).toBe(true);
  });

  it('of checkpoints are each named by the size of the tree, and the log is verified by the others', async () => {
    const whole = sign('whole', frames);
    const signed = { ...whole, checkpoints: whole.checkpoints.slice(0, 2) };
    const notes = signed.checkpoints.map((checkpoint) => ({
      name: `the checkpoint of ${checkpoint.size} events`,
      note: signCheckpoint(checkpoint, privateKey),
    }));
    expect(openNotes(notes, KEYS)).toEqual({ checkpoints: signed.checkpoints, unsigned: [] });
    for (let number = 0; number < ALTERATIONS; number += 1) {
      const at = drawn(notes.length);
      const { name, note } = notes[at] as (typeof notes)[number];
      const bytes = Buffer.from(note);
      const altered = flipped(bytes, 0, bytes.length).toString('utf8');
      const { checkpoints, unsigned } = openNotes(notes.with(at, { name, note: altered }), KEYS);
      expect(unsigned).toEqual([expect.stringMatching(new RegExp(`^${name}: \\S`))]);
      expect(checkpoints).toEqual(signed.checkpoints.toSpliced(at, 1));
      if (number % WRITTEN !== 0) continue;
      expect(await findingIn({ ...signed, checkpoints }, frames)).toBeUndefined();
    }
  });

  it('of proofs are each refused, and named', async () => {
    const { recorded, checkpoints } = sign('whole', frames);
    const signed = checkpoints.at(-1) as Checkpoint;
    const nodes = new Map<string, Hash>();
    const node: ReadNode = async (height, index) => {
      if (height === 0) return (recorded[index] as LogLeaf).hash;
      const known = nodes.get(`${height}/${index}`);
      if (known !== undefined) return known;
      const hash = hashChildren(await node(height - 1, 2 * index), await node(height - 1, 2 * index + 1));
      nodes.set(`${height}/${index}`, hash);
      return hash;
    };
    const checkpoint = signCheckpoint(signed, privateKey);
    for (let number = 0; number < ALTERATIONS; number += 1) {
      const index = drawn(EVENTS);
      const event = eventOf(frames[index] as Frame);
      const proof = await inclusionProof(index, signed.size, node);
      const file = writeProof({ event, salt: saltOf(event.id), index, proof, checkpoint });
      const text = JSON.stringify(file);
      const bytes = Buffer.from(text);
      const altered = flipped(bytes, 0, bytes.length).toString('utf8');
      const complaint = complaintOf(() => verifyProof(JSON.parse(altered), KEYS));
      expect([altered, complaint]).toEqual([altered, expect.stringMatching(/\S/)]);
      if (number % WRITTEN === 0)
        expect(verifyProof(JSON.parse(text), KEYS)).toMatchObject({ index, size: EVENTS, event: { id: event.id } });
    }
  });
});
