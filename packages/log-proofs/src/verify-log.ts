import { type Checkpoint } from './checkpoint.js';
import { type Hash, TreeFrontier } from './merkle-tree.js';

/** A leaf as it follows from the log. Absent names belong to a leaf whose event was lawfully purged, or to an epoch. */
export interface LogLeaf {
  readonly hash: Hash;
  readonly eventId?: string;
  readonly stream?: string;
  readonly revision?: bigint;
  /** The event that retired this leaf before its own event was purged. */
  readonly purgedBy?: string;
}

/** A leaf as the tree recorded it. */
export interface RecordedLeaf {
  readonly hash: Hash;
  readonly eventId?: string;
}

export type FindingKind =
  | 'flipped'
  | 'deleted'
  | 'inserted'
  | 'reordered'
  | 'truncated'
  /** A signed checkpoint contradicts another one, or the tree. */
  | 'forked'
  /** The recorded leaves are not those that were signed, so they cannot tell which event differs. */
  | 'tree_altered';

export interface Finding {
  readonly kind: FindingKind;
  /** Index of the first leaf that differs; of a fork, the size of the checkpoint. */
  readonly index: number;
  readonly eventId?: string;
  readonly detail: string;
}

export interface LogReport {
  /** Leaves that follow from the log. */
  readonly leaves: number;
  readonly checkpoints: number;
  /** Leaves whose events are gone, by the event that retired them. */
  readonly purged: ReadonlyMap<string, number>;
  /** Undefined: the log is what was signed. */
  readonly finding: Finding | undefined;
}

export interface LogVerification {
  /** From the event store, in its order. */
  readonly log: AsyncIterable<LogLeaf>;
  /** From the stored tree. */
  readonly recorded: AsyncIterable<RecordedLeaf>;
  /** Whose signatures were verified, of one origin. */
  readonly checkpoints: readonly Checkpoint[];
}

const idOf = (leaf: RecordedLeaf | LogLeaf | undefined): { readonly eventId?: string } =>
  leaf?.eventId === undefined ? {} : { eventId: leaf.eventId };

const placeOf = ({ stream, revision, eventId }: LogLeaf): string =>
  stream === undefined ? 'a purged event' : `${eventId} (${stream} at ${revision})`;

/** One side's leaves: their roots at every signed size, and after a difference the hashes that followed it. */
class Side<Leaf extends { readonly hash: Hash }> {
  private readonly tree = TreeFrontier.empty();
  /** Number of signed trees that have been compared, the smallest first. */
  private compared = 0;
  private wrong: Checkpoint | undefined;

  private constructor(
    private readonly leaves: AsyncIterator<Leaf>,
    private readonly signed: readonly Checkpoint[],
  ) {
    this.compare();
  }

  static of<Leaf extends { readonly hash: Hash }>(leaves: AsyncIterable<Leaf>, checkpoints: readonly Checkpoint[]) {
    return new Side<Leaf>(leaves[Symbol.asyncIterator](), checkpoints);
  }

  /** The first signed tree that this side contradicts. */
  get contradicted(): Checkpoint | undefined {
    return this.wrong;
  }

  /** The first signed tree that has more leaves than this side. */
  get unreached(): Checkpoint | undefined {
    return this.signed[this.compared];
  }

  get isAsSigned(): boolean {
    return this.wrong === undefined && this.unreached === undefined;
  }

  async next(): Promise<Leaf | undefined> {
    const next = await this.leaves.next();
    if (next.done === true) return undefined;
    this.tree.append(next.value.hash);
    this.compare();
    return next.value;
  }

  /** Reads all that is left. Returns the hashes, with that of `first`. */
  async rest(first?: Leaf): Promise<ReadonlySet<string>> {
    const keys = new Set<string>();
    for (let leaf = first ?? (await this.next()); leaf !== undefined; leaf = await this.next()) keys.add(keyOf(leaf));
    return keys;
  }

  private compare(): void {
    for (let next = this.unreached; next?.size === this.tree.size; next = this.unreached) {
      if (!next.root.equals(this.tree.root)) this.wrong ??= next;
      this.compared += 1;
    }
  }
}

const keyOf = ({ hash }: { readonly hash: Hash }): string => hash.toString('base64');

interface Difference {
  readonly index: number;
  readonly expected: RecordedLeaf;
  readonly found: LogLeaf | undefined;
  /** The hashes from the difference on. */
  readonly restOfLog: ReadonlySet<string>;
  readonly restOfTree: ReadonlySet<string>;
}

const named = ({ index, expected, found, restOfLog, restOfTree }: Difference): Finding => {
  if (found === undefined)
    return { kind: 'truncated', index, ...idOf(expected), detail: `the log ends before leaf ${index}` };
  const flipped = {
    kind: 'flipped',
    index,
    ...idOf(expected),
    detail: `${placeOf(found)} is not what was signed`,
  } as const;
  if (found.eventId !== undefined && found.eventId === expected.eventId) return flipped;
  const isThere = restOfLog.has(keyOf(expected));
  const isKnown = restOfTree.has(keyOf(found));
  if (isThere && isKnown)
    return { kind: 'reordered', index, ...idOf(found), detail: `${placeOf(found)} stands in another event's place` };
  if (isThere)
    return { kind: 'inserted', index, ...idOf(found), detail: `${placeOf(found)} was not there when it was signed` };
  if (isKnown)
    return { kind: 'deleted', index, ...idOf(expected), detail: `${expected.eventId ?? 'an event'} is gone` };
  return flipped;
};

const forked = ({ size }: Checkpoint, detail: string): Finding => ({ kind: 'forked', index: size, detail });

const altered = (index: number, detail: string): Finding => ({ kind: 'tree_altered', index, detail });

/** What was signed decides which side is true. */
const judged = async (
  difference: Pick<Difference, 'index' | 'expected' | 'found'>,
  log: Side<LogLeaf>,
  tree: Side<RecordedLeaf>,
): Promise<Finding> => {
  const restOfLog = await log.rest(difference.found);
  const restOfTree = await tree.rest(difference.expected);
  if (tree.isAsSigned) return named({ ...difference, restOfLog, restOfTree });
  const { index } = difference;
  if (log.isAsSigned) return altered(index, `the recorded leaf ${index} is not what was signed; the log is`);
  return altered(
    index,
    `neither the log nor the recorded leaves are what was signed, from leaf ${index} on at the latest`,
  );
};

/** Both sides are the same as far as the recorded leaves go. */
const atTheEnd = async (index: number, log: Side<LogLeaf>, tree: Side<RecordedLeaf>): Promise<Finding | undefined> => {
  const { contradicted, unreached } = tree;
  if (contradicted !== undefined) return forked(contradicted, `another tree of ${contradicted.size} events was signed`);
  if (unreached === undefined) return undefined;
  await log.rest();
  if (log.isAsSigned) return altered(index, `${unreached.size} events were signed, and ${index} leaves are recorded`);
  return { kind: 'truncated', index, detail: `${unreached.size} events were signed, and the log ends before` };
};

/** The checkpoints come by size. */
const twofold = (checkpoints: readonly Checkpoint[]): Checkpoint | undefined =>
  checkpoints.find(({ size, root }, index) => {
    const next = checkpoints[index + 1];
    return next?.size === size && !next.root.equals(root);
  });

/**
 * Compares the log with what was signed, and names the first event that differs. Both sides are read once and side by
 * side; memory does not grow with the log unless a difference is found.
 */
export const verifyLog = async ({ log, recorded, checkpoints }: LogVerification): Promise<LogReport> => {
  const purged = new Map<string, number>();
  const signed = checkpoints.toSorted((one, other) => one.size - other.size);
  const [fromLog, fromTree] = [Side.of(log, signed), Side.of(recorded, signed)];
  let leaves = 0;
  const report = (finding: Finding | undefined): LogReport => ({
    leaves,
    checkpoints: checkpoints.length,
    purged,
    finding,
  });
  const signedTwice = twofold(signed);
  if (signedTwice !== undefined)
    return report(forked(signedTwice, `two trees of ${signedTwice.size} events were signed`));
  for (;;) {
    const expected = await fromTree.next();
    if (expected === undefined) return report(await atTheEnd(leaves, fromLog, fromTree));
    const found = await fromLog.next();
    if (found === undefined || !found.hash.equals(expected.hash))
      return report(await judged({ index: leaves, expected, found }, fromLog, fromTree));
    if (found.purgedBy !== undefined) purged.set(found.purgedBy, (purged.get(found.purgedBy) ?? 0) + 1);
    leaves += 1;
  }
};
