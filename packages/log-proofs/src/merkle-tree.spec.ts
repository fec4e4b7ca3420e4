import { RFC9162 } from '@transmute/rfc9162';
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import {
  consistencyProof,
  EMPTY_ROOT,
  hashChildren,
  hashLeaf,
  inclusionProof,
  type Hash,
  type ReadNode,
  rootOf,
  TreeFrontier,
  verifyConsistency,
  verifyInclusion,
} from './merkle-tree.js';

const MOST = 70;

const leavesOf = (size: number): Hash[] =>
  Array.from({ length: size }, (_, index) => hashLeaf(Buffer.from(`leaf ${index}`)));

const nodesOver =
  (leaves: readonly Hash[]): ReadNode =>
  async (height, index) => {
    if (height === 0) {
      const leaf = leaves[index];
      if (leaf === undefined) throw new RangeError(`no leaf ${index}`);
      return leaf;
    }
    const node = nodesOver(leaves);
    return hashChildren(await node(height - 1, 2 * index), await node(height - 1, 2 * index + 1));
  };

const INPUTS = ['', '00', '10', '2021', '3031', '40414243', '5051525354555657', '606162636465666768696a6b6c6d6e6f'];
const published = INPUTS.map((input) => hashLeaf(Buffer.from(input, 'hex')));

const all = leavesOf(MOST);
const node = nodesOver(all);

describe('the tree of RFC 9162', () => {
  it('has the published roots of the eight leaves of certificate transparency', async () => {
    const roots = [
      '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
      'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
      'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
      'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
      '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
      '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
      'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
      '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
    ];
    for (const [index, root] of roots.entries())
      expect((await rootOf(index + 1, nodesOver(published))).toString('hex')).toBe(root);
    expect(EMPTY_ROOT).toEqual(createHash('sha256').digest());
  });

  it('has the published consistency proofs of that tree', async () => {
    const hex = async (first: number, second: number): Promise<string[]> =>
      (await consistencyProof(first, second, nodesOver(published))).map((hash) => hash.toString('hex'));
    expect(await hex(1, 8)).toEqual([
      '96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7',
      '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
      '6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4',
    ]);
    expect(await hex(6, 8)).toEqual([
      '0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a',
      'ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0',
      'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
    ]);
    expect(await hex(2, 5)).toEqual([
      '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
      'bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b',
    ]);
  });

  it('has the published inclusion proofs of that tree', async () => {
    const hex = async (index: number, size: number): Promise<string[]> =>
      (await inclusionProof(index, size, nodesOver(published))).map((hash) => hash.toString('hex'));
    expect(await hex(0, 8)).toEqual([
      '96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7',
      '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
      '6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4',
    ]);
    expect(await hex(5, 8)).toEqual([
      'bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b',
      'ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0',
      'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
    ]);
    expect(await hex(2, 3)).toEqual(['fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125']);
    expect(await hex(1, 5)).toEqual([
      '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
      '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
      'bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b',
    ]);
  });

  it('has the roots and proofs of an independent implementation', async () => {
    const entries = Array.from({ length: MOST }, (_, index) => RFC9162.strToBin(`leaf ${index}`));
    for (const size of [1, 2, 3, 4, 7, 8, 13, 33]) {
      const root = await rootOf(size, node);
      expect(root).toEqual(Buffer.from(await RFC9162.treeHead(entries.slice(0, size))));
      for (let index = 0; index < size; index += 1) {
        const theirs = await RFC9162.PATH(index, entries.slice(0, size));
        expect(await inclusionProof(index, size, node)).toEqual(theirs.map((hash) => Buffer.from(hash)));
      }
      for (let first = 1; first < size; first += 1) {
        const theirs = await RFC9162.PROOF(first, entries.slice(0, size));
        // Theirs begins with the old root where a reader has it already (a power of two); RFC 9162 leaves it out.
        const own = Number.isInteger(Math.log2(first)) ? theirs.slice(1) : theirs;
        expect(await consistencyProof(first, size, node)).toEqual(own.map((hash) => Buffer.from(hash)));
      }
    }
  });

  it('proves every leaf of every size, and nothing with one bit changed', async () => {
    const sizes = fc.integer({ min: 1, max: MOST });
    const indexed = sizes.chain((size) => fc.tuple(fc.constant(size), fc.nat(size - 1), fc.nat(), fc.nat(255)));
    await fc.assert(
      fc.asyncProperty(indexed, async ([size, index, which, bit]) => {
        const [leaf, root] = [all[index] as Hash, await rootOf(size, node)];
        const proof = await inclusionProof(index, size, node);
        expect(verifyInclusion({ leaf, index, size, proof, root })).toBe(true);
        const wrong = [leaf, root, ...proof].map((hash) => Buffer.from(hash));
        const changed = wrong[which % wrong.length] as Hash;
        changed.writeUInt8(changed.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
        const [otherLeaf, otherRoot, ...otherProof] = wrong as [Hash, Hash, ...Hash[]];
        expect(verifyInclusion({ leaf: otherLeaf, index, size, proof: otherProof, root: otherRoot })).toBe(false);
        expect(verifyInclusion({ leaf, index: index + 1, size, proof, root })).toBe(false);
        expect(verifyInclusion({ leaf, index, size, proof: [...proof, leaf], root })).toBe(false);
        if (proof.length > 0) expect(verifyInclusion({ leaf, index, size, proof: proof.slice(1), root })).toBe(false);
      }),
    );
  });

  it('proves that every tree extends every smaller one, and nothing with one bit changed', async () => {
    const pairs = fc
      .integer({ min: 1, max: MOST })
      .chain((second) => fc.tuple(fc.integer({ min: 1, max: second }), fc.constant(second), fc.nat(), fc.nat(255)));
    await fc.assert(
      fc.asyncProperty(pairs, async ([first, second, which, bit]) => {
        const [firstRoot, secondRoot] = [await rootOf(first, node), await rootOf(second, node)];
        const proof = await consistencyProof(first, second, node);
        expect(verifyConsistency({ first, firstRoot, second, secondRoot, proof })).toBe(true);
        const wrong = [firstRoot, secondRoot, ...proof].map((hash) => Buffer.from(hash));
        const changed = wrong[which % wrong.length] as Hash;
        changed.writeUInt8(changed.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
        const [one, other, ...rest] = wrong as [Hash, Hash, ...Hash[]];
        expect(verifyConsistency({ first, firstRoot: one, second, secondRoot: other, proof: rest })).toBe(false);
      }),
    );
  });

  it('refuses a proof of what is not there', async () => {
    await expect(inclusionProof(3, 3, node)).rejects.toThrow('leaf 3 is not in a tree of 3');
    await expect(consistencyProof(0, 3, node)).rejects.toThrow(RangeError);
    await expect(consistencyProof(4, 3, node)).rejects.toThrow('no tree of 4 leaves precedes one of 3');
  });

  it('grows by its right edge alone, from any size that was stored', async () => {
    for (const start of [0, 1, 6, 7, 8, 31]) {
      const frontier = await TreeFrontier.of(start, node);
      for (let size = start; size < MOST; size += 1) {
        expect(frontier.root).toEqual(await rootOf(size, node));
        const completed: Promise<void>[] = [];
        frontier.append(all[size] as Hash, (height, index, hash) => {
          completed.push(node(height, index).then((expected) => expect(hash).toEqual(expected)));
        });
        await Promise.all(completed);
      }
    }
  });
});
