const hashBegun = (seed: number): number => (0x811c9dc5 ^ seed) >>> 0;

const hashedOn = (hash: number, code: number): number => Math.imul(hash ^ code, 0x01000193) >>> 0;

/** FNV-1a; a bucket of another key costs a comparison, never a wrong result. Up to two letters may be left out, by their places. */
export const hashOf = (text: string, seed: number, without = -1, andWithout = -1): number => {
  let hash = hashBegun(seed);
  for (let index = 0; index < text.length; index += 1) {
    if (index === without || index === andWithout) continue;
    hash = hashedOn(hash, text.charCodeAt(index));
  }
  return hash;
};

/** The hashes of all pieces of a text, the same as `hashOf` gives for each: a third of the work. */
export const forEachPiece = (
  text: string,
  seed: number,
  shortest: number,
  visit: (hash: number, from: number, to: number) => void,
): void => {
  for (let from = 0; from <= text.length - shortest; from += 1) {
    let hash = hashBegun(seed);
    for (let at = from; at < text.length; at += 1) {
      hash = hashedOn(hash, text.charCodeAt(at));
      if (at + 1 - from >= shortest) visit(hash, from, at + 1);
    }
  }
};

/** Lists of numbers by key, in two typed arrays: a tenth of the memory of a Map of arrays. */
export class Buckets {
  private constructor(
    private readonly starts: Uint32Array,
    private readonly values: Uint32Array,
  ) {}

  /** `pairs` alternates key and value. A key is a number below `size`. */
  static of(pairs: Uint32Array, length: number, size: number): Buckets {
    const starts = new Uint32Array(size + 1);
    for (let index = 0; index < length; index += 2) {
      const key = (pairs[index] ?? 0) + 1;
      starts[key] = (starts[key] ?? 0) + 1;
    }
    for (let key = 0; key < size; key += 1) starts[key + 1] = (starts[key + 1] ?? 0) + (starts[key] ?? 0);
    const next = starts.slice(0, size);
    const values = new Uint32Array(length / 2);
    for (let index = 0; index < length; index += 2) {
      const key = pairs[index] ?? 0;
      const at = next[key] ?? 0;
      values[at] = pairs[index + 1] ?? 0;
      next[key] = at + 1;
    }
    return new Buckets(starts, values);
  }

  forEach(key: number, visit: (value: number) => void): void {
    const end = this.starts[key + 1] ?? 0;
    for (let at = this.starts[key] ?? 0; at < end; at += 1) visit(this.values[at] ?? 0);
  }

  countOf(key: number): number {
    return (this.starts[key + 1] ?? 0) - (this.starts[key] ?? 0);
  }
}

/** Ids by hashes of 32 bits: each id bears the upper bits of its hash, so that others in its bucket cost hardly anything. */
export class HashedIds {
  private constructor(
    private readonly buckets: Buckets,
    private readonly mask: number,
    private readonly idMask: number,
  ) {}

  /** `pairs` are of hash and id; an id is below `ids`. */
  static of(pairs: PairList, ids: number): HashedIds {
    const bits = Math.ceil(Math.log2(Math.max(2, ids)));
    const idMask = 2 ** bits - 1;
    const size = 2 ** Math.ceil(Math.log2(Math.max(16, pairs.count)));
    const buckets = pairs.toBuckets(size, (hash, id) => ({ key: hash & (size - 1), value: (hash & ~idMask) | id }));
    return new HashedIds(buckets, size - 1, idMask);
  }

  /** Ids of this hash; seldom one of another. */
  forEach(hash: number, visit: (id: number) => void): void {
    this.buckets.forEach(hash & this.mask, (value) => {
      if (((value ^ hash) & ~this.idMask) === 0) visit(value & this.idMask);
    });
  }
}

/** Pairs of numbers in an array that grows. */
export class PairList {
  private kept = new Uint32Array(1 << 16);
  private length = 0;

  add(key: number, value: number): void {
    if (this.length === this.kept.length) {
      const larger = new Uint32Array(2 * this.length);
      larger.set(this.kept);
      this.kept = larger;
    }
    this.kept[this.length] = key;
    this.kept[this.length + 1] = value;
    this.length += 2;
  }

  get count(): number {
    return this.length / 2;
  }

  /** `place` maps a stored pair to a key below `size` and a value. The list is used up. */
  toBuckets(
    size: number,
    place?: (key: number, value: number) => { readonly key: number; readonly value: number },
  ): Buckets {
    const { kept, length } = this;
    this.kept = new Uint32Array(0);
    this.length = 0;
    for (let index = 0; index < length && place !== undefined; index += 2) {
      const { key, value } = place(kept[index] ?? 0, kept[index + 1] ?? 0);
      kept[index] = key;
      kept[index + 1] = value;
    }
    return Buckets.of(kept, length, size);
  }
}
