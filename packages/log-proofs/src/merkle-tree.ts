import { hash as digest } from 'node:crypto';

/** A SHA-256, 32 bytes. */
export type Hash = Buffer;

const LEAF = Buffer.of(0);
const HASH_BYTES = 32;
/** Reused, since a verification hashes two nodes for each event: the prefix 0x01, then two hashes. */
const children = Buffer.alloc(1 + 2 * HASH_BYTES, 1);

/** The hash of an empty tree (RFC 9162, section 2.1.1). */
export const EMPTY_ROOT: Hash = digest('sha256', '', 'buffer');

export const hashLeaf = (data: Uint8Array): Hash => digest('sha256', Buffer.concat([LEAF, data]), 'buffer');

export const hashChildren = (left: Hash, right: Hash): Hash => {
  if (left.length !== HASH_BYTES || right.length !== HASH_BYTES) throw new RangeError('a hash has 32 bytes');
  children.set(left, 1);
  children.set(right, 1 + HASH_BYTES);
  return digest('sha256', children, 'buffer');
};

/** The hash of a perfect subtree: its 2^height leaves begin at leaf index × 2^height. */
export type ReadNode = (height: number, index: number) => Promise<Hash>;

/** A perfect subtree of the tree. */
interface Subtree {
  readonly height: number;
  readonly index: number;
}

const isInSize = (value: number, size: number): boolean => Number.isSafeInteger(value) && value >= 0 && value <= size;

/** The perfect subtrees that make up the leaves [start, end), from left to right; `start` is a multiple of their sizes. */
const subtreesOf = (start: number, end: number): Subtree[] => {
  const subtrees: Subtree[] = [];
  let at = start;
  while (at < end) {
    let height = 0;
    while (at % 2 ** (height + 1) === 0 && at + 2 ** (height + 1) <= end) height += 1;
    subtrees.push({ height, index: at / 2 ** height });
    at += 2 ** height;
  }
  return subtrees;
};

const joinFromRight = (hashes: readonly Hash[]): Hash => {
  if (hashes.length === 0) return EMPTY_ROOT;
  return hashes.reduceRight((right, left) => hashChildren(left, right));
};

const rangeHash = async (start: number, end: number, node: ReadNode): Promise<Hash> =>
  joinFromRight(await Promise.all(subtreesOf(start, end).map(({ height, index }) => node(height, index))));

/** The root of the tree's first `size` leaves. */
export const rootOf = (size: number, node: ReadNode): Promise<Hash> => rangeHash(0, size, node);

/** The largest power of two below `size`, where a tree of that many leaves is split. */
const splitOf = (size: number): number => {
  let split = 1;
  while (split * 2 < size) split *= 2;
  return split;
};

/** PATH(index, D[size]) of RFC 9162, section 2.1.3.1. Throws RangeError if the leaf is not among the first `size`. */
export const inclusionProof = async (index: number, size: number, node: ReadNode): Promise<Hash[]> => {
  if (!isInSize(index, size - 1)) throw new RangeError(`leaf ${index} is not in a tree of ${size}`);
  const siblings: Promise<Hash>[] = [];
  let [start, end] = [0, size];
  while (end - start > 1) {
    const middle = start + splitOf(end - start);
    if (index < middle) {
      siblings.push(rangeHash(middle, end, node));
      end = middle;
    } else {
      siblings.push(rangeHash(start, middle, node));
      start = middle;
    }
  }
  return (await Promise.all(siblings)).reverse();
};

/** PROOF(first, D[second]) of RFC 9162, section 2.1.4.1. Throws RangeError unless 0 < first <= second. */
export const consistencyProof = async (first: number, second: number, node: ReadNode): Promise<Hash[]> => {
  if (first < 1 || !isInSize(first, second))
    throw new RangeError(`no tree of ${first} leaves precedes one of ${second}`);
  const hashes: Promise<Hash>[] = [];
  let [start, end, wholeOld] = [0, second, true];
  while (first - start !== end - start) {
    const middle = start + splitOf(end - start);
    if (first <= middle) {
      hashes.push(rangeHash(middle, end, node));
      end = middle;
    } else {
      hashes.push(rangeHash(start, middle, node));
      start = middle;
      wholeOld = false;
    }
  }
  if (!wholeOld) hashes.push(rangeHash(start, end, node));
  return (await Promise.all(hashes)).reverse();
};

export interface Inclusion {
  readonly leaf: Hash;
  readonly index: number;
  readonly size: number;
  readonly proof: readonly Hash[];
  readonly root: Hash;
}

/** Whether the leaf is at this index of the tree with this root (RFC 9162, section 2.1.3.2). */
export const verifyInclusion = ({ leaf, index, size, proof, root }: Inclusion): boolean => {
  if (!isInSize(index, size - 1)) return false;
  let [fn, sn, hash] = [index, size - 1, leaf];
  for (const sibling of proof) {
    if (sn === 0) return false;
    if (fn % 2 === 1 || fn === sn) {
      hash = hashChildren(sibling, hash);
      while (fn % 2 === 0 && fn !== 0) [fn, sn] = [fn / 2, Math.floor(sn / 2)];
    } else hash = hashChildren(hash, sibling);
    [fn, sn] = [Math.floor(fn / 2), Math.floor(sn / 2)];
  }
  return sn === 0 && hash.equals(root);
};

export interface Consistency {
  readonly first: number;
  readonly firstRoot: Hash;
  readonly second: number;
  readonly secondRoot: Hash;
  readonly proof: readonly Hash[];
}

const isPowerOfTwo = (value: number): boolean => Number.isInteger(Math.log2(value));

/** Whether the second tree only adds leaves to the first (RFC 9162, section 2.1.4.2). An empty tree precedes any. */
export const verifyConsistency = ({ first, firstRoot, second, secondRoot, proof }: Consistency): boolean => {
  if (!isInSize(first, second)) return false;
  if (first === 0) return proof.length === 0 && firstRoot.equals(EMPTY_ROOT);
  if (first === second) return proof.length === 0 && firstRoot.equals(secondRoot);
  const [seed, ...rest] = isPowerOfTwo(first) ? [firstRoot, ...proof] : proof;
  if (seed === undefined || rest.length === 0) return false;
  let [fn, sn] = [first - 1, second - 1];
  while (fn % 2 === 1) [fn, sn] = [Math.floor(fn / 2), Math.floor(sn / 2)];
  let [old, present] = [seed, seed];
  for (const hash of rest) {
    if (sn === 0) return false;
    if (fn % 2 === 1 || fn === sn) {
      old = hashChildren(hash, old);
      present = hashChildren(hash, present);
      while (fn % 2 === 0 && fn !== 0) [fn, sn] = [fn / 2, Math.floor(sn / 2)];
    } else present = hashChildren(present, hash);
    [fn, sn] = [Math.floor(fn / 2), Math.floor(sn / 2)];
  }
  return sn === 0 && old.equals(firstRoot) && present.equals(secondRoot);
};

/** The right edge of a growing tree: one perfect subtree for each bit of its size. Its memory does not grow with the log. */
export class TreeFrontier {
  private constructor(
    private readonly edge: { height: number; hash: Hash }[],
    private leaves: number,
  ) {}

  static empty(): TreeFrontier {
    return new TreeFrontier([], 0);
  }

  /** The edge of a stored tree. */
  static async of(size: number, node: ReadNode): Promise<TreeFrontier> {
    const edge = subtreesOf(0, size).map(async ({ height, index }) => ({ height, hash: await node(height, index) }));
    return new TreeFrontier(await Promise.all(edge), size);
  }

  /** Another one with the same leaves, which grows by itself. */
  copy(): TreeFrontier {
    return new TreeFrontier([...this.edge], this.leaves);
  }

  get size(): number {
    return this.leaves;
  }

  get root(): Hash {
    return joinFromRight(this.edge.map(({ hash }) => hash));
  }

  /** `completed` is told of every perfect subtree that this leaf completes, itself included. */
  append(leaf: Hash, completed?: (height: number, index: number, hash: Hash) => void): void {
    let [height, index, hash] = [0, this.leaves, leaf];
    completed?.(height, index, hash);
    for (let last = this.edge.at(-1); last?.height === height; last = this.edge.at(-1)) {
      this.edge.pop();
      [height, index, hash] = [height + 1, Math.floor(index / 2), hashChildren(last.hash, hash)];
      completed?.(height, index, hash);
    }
    this.edge.push({ height, hash });
    this.leaves += 1;
  }
}
