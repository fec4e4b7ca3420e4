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
  /** The recorded leaves are not those that were signed, so they cannot show which event differs. */
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
  /** From the event store, in its order, page by page. */
  readonly log: AsyncIterable<readonly LogLeaf[]>;
  /** From the stored tree, page by page. */
  readonly recorded: AsyncIterable<readonly RecordedLeaf[]>;
  /** The id of a recorded leaf's event, where `recorded` does not tell it. */
  readonly nameOf?: (index: number) => Promise<string | undefined>;
  /** Whose signatures were verified, of one origin. */
  readonly checkpoints: readonly Checkpoint[];
}

const idOf = (leaf: RecordedLeaf | LogLeaf | undefined): { readonly eventId?: string } =>
  leaf?.eventId === undefined ? {} : { eventId: leaf.eventId };

const placeOf = ({ stream, revision, eventId }: LogLeaf): string =>
  stream === undefined ? 'a purged event' : `${eventId} (${stream} at ${revision})`;

/** A tree as it grows, compared with what was signed of it. */
class GrowingTree {
  private constructor(
    private readonly tree: TreeFrontier,
    private readonly signed: readonly Checkpoint[],
    /** Number of signed trees that have been compared, the smallest first. */
    private compared: number,
    private wrong: Checkpoint | undefined,
  ) {
    this.compare();
  }

  static empty(signed: readonly Checkpoint[]): GrowingTree {
    return new GrowingTree(TreeFrontier.empty(), signed, 0, undefined);
  }

  /** Another one with the same leaves, which grows by itself. */
  copy(): GrowingTree {
    return new GrowingTree(this.tree.copy(), this.signed, this.compared, this.wrong);
  }

  /** The first signed tree that this one contradicts. */
  get contradicted(): Checkpoint | undefined {
    return this.wrong;
  }

  /** The first signed tree that has more leaves than this one. */
  get unreached(): Checkpoint | undefined {
    return this.signed[this.compared];
  }

  get isAsSigned(): boolean {
    return this.wrong === undefined && this.unreached === undefined;
  }

  append(hash: Hash): void {
    this.tree.append(hash);
    this.compare();
  }

  /** Whether it is as signed once these leaves have been appended. */
  becomesAsSigned(hashes: readonly Hash[]): boolean {
    for (const hash of hashes) this.append(hash);
    return this.isAsSigned;
  }

  private compare(): void {
    for (let next = this.unreached; next?.size === this.tree.size; next = this.unreached) {
      if (!next.root.equals(this.tree.root)) this.wrong ??= next;
      this.compared += 1;
    }
  }
}

/** Leaves one after another, of which most need no promise. */
class Leaves<Leaf extends RecordedLeaf> {
  private readonly pages: AsyncIterator<readonly Leaf[]>;
  private page: readonly Leaf[] = [];
  private at = 0;

  constructor(pages: AsyncIterable<readonly Leaf[]>) {
    this.pages = pages[Symbol.asyncIterator]();
  }

  /** The next one of the page that was read. Undefined at its end. */
  here(): Leaf | undefined {
    const leaf = this.page[this.at];
    if (leaf !== undefined) this.at += 1;
    return leaf;
  }

  /** The first one of the next page that has any. Undefined at the end of all. */
  async turn(): Promise<Leaf | undefined> {
    for (;;) {
      const next = await this.pages.next();
      if (next.done === true) return undefined;
      [this.page, this.at] = [next.value, 0];
      const leaf = this.here();
      if (leaf !== undefined) return leaf;
    }
  }

  /** `first`, and all that follow. */
  async rest(first: Leaf | undefined): Promise<readonly Hash[]> {
    const hashes: Hash[] = [];
    for (let leaf = first; leaf !== undefined; leaf = this.here() ?? (await this.turn())) hashes.push(leaf.hash);
    return hashes;
  }
}

const keyOf = (hash: Hash): string => hash.toString('latin1');

const keysOf = (hashes: readonly Hash[]): ReadonlySet<string> => new Set(hashes.map(keyOf));

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
  const isThere = restOfLog.has(keyOf(expected.hash));
  const isKnown = restOfTree.has(keyOf(found.hash));
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

/** What is read side by side. */
interface Sides {
  readonly log: Leaves<LogLeaf>;
  readonly recorded: Leaves<RecordedLeaf>;
  /** The tree of all leaves that are the same. */
  readonly same: GrowingTree;
}

/** What was signed decides which side is true. */
const judged = async (
  difference: Pick<Difference, 'index' | 'expected' | 'found'>,
  { log, recorded, same }: Sides,
): Promise<Finding> => {
  const restOfLog = await log.rest(difference.found);
  const restOfTree = await recorded.rest(difference.expected);
  if (same.copy().becomesAsSigned(restOfTree))
    return named({ ...difference, restOfLog: keysOf(restOfLog), restOfTree: keysOf(restOfTree) });
  const { index } = difference;
  if (same.becomesAsSigned(restOfLog))
    return altered(index, `the recorded leaf ${index} is not what was signed; the log is`);
  return altered(
    index,
    `neither the log nor the recorded leaves are what was signed, from leaf ${index} on at the latest`,
  );
};

/** Both sides are the same as far as the recorded leaves go. */
const atTheEnd = async (index: number, { log, same }: Sides): Promise<Finding | undefined> => {
  const { contradicted, unreached } = same;
  if (contradicted !== undefined) return forked(contradicted, `another tree of ${contradicted.size} events was signed`);
  if (unreached === undefined) return undefined;
  const isAsSigned = same.becomesAsSigned(await log.rest(log.here() ?? (await log.turn())));
  if (isAsSigned) return altered(index, `${unreached.size} events were signed, and ${index} leaves are recorded`);
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
export const verifyLog = async ({ checkpoints, nameOf, ...sources }: LogVerification): Promise<LogReport> => {
  const purged = new Map<string, number>();
  const signed = checkpoints.toSorted((one, other) => one.size - other.size);
  const [log, recorded] = [new Leaves(sources.log), new Leaves(sources.recorded)];
  const sides: Sides = { log, recorded, same: GrowingTree.empty(signed) };
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
    const expected = recorded.here() ?? (await recorded.turn());
    if (expected === undefined) return report(await atTheEnd(leaves, sides));
    const found = log.here() ?? (await log.turn());
    if (found === undefined || !found.hash.equals(expected.hash)) {
      const eventId = expected.eventId ?? (await nameOf?.(leaves));
      const named = { ...expected, ...(eventId !== undefined && { eventId }) };
      return report(await judged({ index: leaves, expected: named, found }, sides));
    }
    sides.same.append(found.hash);
    if (found.purgedBy !== undefined) purged.set(found.purgedBy, (purged.get(found.purgedBy) ?? 0) + 1);
    leaves += 1;
  }
};
