import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { type Checkpoint } from './checkpoint.js';
import { leafOfEpoch, type LoggedEvent } from './leaf.js';
import { leavesOf, type RetiredLeaf } from './log-leaves.js';
import { type Hash, TreeFrontier } from './merkle-tree.js';
import { type LogLeaf, type LogReport, type RecordedLeaf, verifyLog } from './verify-log.js';

const SIZE = 40;
const origin = 'kyc.example.org/log/1';
const saltOf = (id: string): Buffer => createHash('sha256').update(`salt ${id}`).digest();

const eventAt = (index: number): LoggedEvent => ({
  stream: `credits-t${index % 3}`,
  revision: BigInt(Math.floor(index / 3)),
  id: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
  type: 'CreditsPurchased.v1',
  data: Buffer.from(JSON.stringify({ amount: index })),
  metadata: Buffer.from('{}'),
});

const original = Array.from({ length: SIZE }, (_, index) => eventAt(index));

/** In pages of three, with an empty one between them. */
async function* each<Item>(items: readonly Item[]): AsyncGenerator<readonly Item[]> {
  for (let from = 0; from < items.length; from += 3) {
    yield await Promise.resolve(items.slice(from, from + 3));
    yield [];
  }
}

const leavesFrom = (
  events: readonly LoggedEvent[],
  retired: readonly RetiredLeaf[] = [],
  epochLeaf?: Hash,
): AsyncIterable<readonly LogLeaf[]> => leavesOf({ events: each(events), retired, epochLeaf, saltOf });

const collect = async (leaves: AsyncIterable<readonly LogLeaf[]>): Promise<LogLeaf[]> => {
  const collected: LogLeaf[] = [];
  for await (const page of leaves) collected.push(...page);
  return collected;
};

const signedOf = (leaves: readonly RecordedLeaf[]): Checkpoint[] => {
  const tree = TreeFrontier.empty();
  return leaves.flatMap(({ hash }, index) => {
    tree.append(hash);
    return index % 7 === 6 || index === leaves.length - 1 ? [{ origin, size: tree.size, root: tree.root }] : [];
  });
};

let recorded: readonly LogLeaf[];
let checkpoints: readonly Checkpoint[];

beforeAll(async () => {
  recorded = await collect(leavesFrom(original));
  checkpoints = signedOf(recorded);
});

const verify = (events: readonly LoggedEvent[], retired: readonly RetiredLeaf[] = []): Promise<LogReport> =>
  verifyLog({ log: leavesFrom(events, retired), recorded: each(recorded), checkpoints });

const without = (index: number): LoggedEvent[] => original.filter((_, at) => at !== index);
const index = fc.nat(SIZE - 1);

const purged = (indexes: readonly number[]): RetiredLeaf[] =>
  indexes.map((at) => {
    const { stream, revision } = eventAt(at);
    const { hash } = recorded[at] as LogLeaf;
    return { index: at, stream, revision, hash, retiredBy: 'the purge' };
  });

describe('a log that is held against what was signed', () => {
  it('is reported as whole, with events that are newer than the tree', async () => {
    const report = await verify([...original, eventAt(SIZE), eventAt(SIZE + 1)]);
    expect(report).toEqual({ leaves: SIZE, checkpoints: checkpoints.length, purged: new Map(), finding: undefined });
  });

  it('names the event of which any byte was flipped', () =>
    fc.assert(
      fc.asyncProperty(
        index,
        fc.constantFrom('data', 'metadata', 'type', 'stream'),
        fc.nat(),
        async (at, field, byte) => {
          const event = eventAt(at);
          const bytes = Buffer.from(event[field]);
          bytes.writeUInt8(bytes.readUInt8(byte % bytes.length) ^ 1, byte % bytes.length);
          const altered = { ...event, [field]: typeof event[field] === 'string' ? bytes.toString('latin1') : bytes };
          const { finding } = await verify(original.with(at, altered));
          expect(finding).toMatchObject({ kind: 'flipped', index: at, eventId: event.id });
        },
      ),
    ));

  it('names the event that was deleted, inserted or moved, and where the log was truncated', () =>
    fc.assert(
      fc.asyncProperty(index, index, async (at, to) => {
        const last = at === SIZE - 1;
        expect((await verify(without(at))).finding).toMatchObject({ kind: last ? 'truncated' : 'deleted', index: at });
        const inserted = original.toSpliced(at, 0, eventAt(SIZE + 5));
        expect((await verify(inserted)).finding).toMatchObject({
          kind: 'inserted',
          index: at,
          eventId: eventAt(SIZE + 5).id,
        });
        expect((await verify(original.slice(0, at))).finding).toMatchObject({ kind: 'truncated', index: at });
        if (at === to) return;
        const moved = without(at).toSpliced(to, 0, eventAt(at));
        expect((await verify(moved)).finding).toMatchObject({ kind: 'reordered', index: Math.min(at, to) });
      }),
    ));

  it('is whole where events were lawfully purged, and says by which event', () =>
    fc.assert(
      fc.asyncProperty(fc.uniqueArray(index), fc.uniqueArray(index), async (gone, stillShown) => {
        const left = original.filter((_, at) => !gone.includes(at));
        const { finding, purged: counts, leaves } = await verify(left, purged([...new Set([...gone, ...stillShown])]));
        expect([finding, leaves]).toEqual([undefined, SIZE]);
        expect(counts.get('the purge') ?? 0).toBe(gone.length);
      }),
    ));

  it('is whole where a repeated purge retired a leaf twice', async () => {
    const again = purged([8]).map((leaf) => ({ ...leaf, retiredBy: 'the repeated purge' }));
    const report = await verify(without(9).toSpliced(8, 1), [...purged([8, 9]), ...again]);
    expect([report.finding, report.leaves, report.purged]).toEqual([undefined, SIZE, new Map([['the purge', 2]])]);
  });

  it('does not take a deletion for a purge of another event', async () => {
    expect((await verify(without(9), purged([8]))).finding).toMatchObject({ kind: 'deleted', index: 9 });
  });

  it('names an event that was altered to bear the place of a purged one, or that stands in its place', async () => {
    const { stream, revision } = eventAt(8);
    const disguised = { ...eventAt(9), stream, revision };
    expect((await verify(without(8).with(8, disguised), purged([8]))).finding).toMatchObject({
      kind: 'flipped',
      index: 9,
      eventId: disguised.id,
    });
    const shown = { ...eventAt(8), data: Buffer.from('{}') };
    expect((await verify(original.with(8, shown), purged([8]))).finding).toMatchObject({
      kind: 'inserted',
      index: 9,
      eventId: shown.id,
    });
  });

  it('names a fork: another tree of a size that was signed, whether in the same list or kept outside', async () => {
    const other = signedOf(recorded.toSpliced(3, 1))[1] as Checkpoint;
    const report = await verifyLog({ log: leavesFrom(original), recorded: each(recorded), checkpoints: [other] });
    expect(report.finding).toMatchObject({ kind: 'forked', index: other.size });
    const both = await verifyLog({
      log: leavesFrom(original),
      recorded: each(recorded),
      checkpoints: [...checkpoints, other],
    });
    expect(both.finding).toMatchObject({ kind: 'forked', index: other.size });
  });

  it('tells an altered tree from an altered log', () =>
    fc.assert(
      fc.asyncProperty(index, async (at) => {
        const wrong = recorded.with(at, { hash: saltOf('no leaf') });
        const altered = await verifyLog({ log: leavesFrom(original), recorded: each(wrong), checkpoints });
        expect(altered.finding).toMatchObject({ kind: 'tree_altered', index: at });
        const short = await verifyLog({
          log: leavesFrom(original),
          recorded: each(recorded.slice(0, at)),
          checkpoints,
        });
        expect(short.finding).toMatchObject({ kind: 'tree_altered', index: at });
      }),
    ));

  it('finds what log and tree were shortened by together', async () => {
    const report = await verifyLog({
      log: leavesFrom(original.slice(0, 20)),
      recorded: each(recorded.slice(0, 20)),
      checkpoints,
    });
    expect(report.finding).toMatchObject({ kind: 'truncated', index: 20 });
  });

  it('begins a new epoch with the last checkpoint of the one before', async () => {
    const epochLeaf = leafOfEpoch('the last note');
    const leaves = await collect(leavesFrom(original, [], epochLeaf));
    const signed = signedOf(leaves);
    const held = (first: Hash) =>
      verifyLog({ log: leavesFrom(original, [], first), recorded: each(leaves), checkpoints: signed });
    expect((await held(epochLeaf)).finding).toBeUndefined();
    expect((await held(leafOfEpoch('another note'))).finding).toMatchObject({ index: 0 });
  });
});
