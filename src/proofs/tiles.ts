import { hashChildren, type Hash, type ReadNode } from '@kyc/log-proofs/merkle-tree';

/** Nodes of every eighth height are stored, 256 to a tile. */
const TILE_HEIGHT = 8;
const TILE_WIDTH = 2 ** TILE_HEIGHT;
const HASH_BYTES = 32;

/** The hashes of a tile, one behind another; the last tile of a level may be shorter. */
export type ReadTile = (level: number, index: number) => Promise<Buffer>;

const hashAt = (tile: Buffer, at: number): Hash => {
  const hash = tile.subarray(at * HASH_BYTES, (at + 1) * HASH_BYTES);
  if (hash.length < HASH_BYTES) throw new RangeError('the tree is not that large');
  return hash;
};

const subtreeHash = (tile: Buffer, at: number, width: number): Hash => {
  if (width === 1) return hashAt(tile, at);
  const half = width / 2;
  return hashChildren(subtreeHash(tile, at, half), subtreeHash(tile, at + half, half));
};

/** Reads each tile once. Throws RangeError for a node that the tree does not have. */
export const nodesOf = (readTile: ReadTile): ReadNode => {
  const tiles = new Map<string, Promise<Buffer>>();
  const tile = (level: number, index: number): Promise<Buffer> => {
    const place = `${level}/${index}`;
    const present = tiles.get(place) ?? readTile(level, index);
    tiles.set(place, present);
    return present;
  };
  return async (height, index) => {
    const width = 2 ** (height % TILE_HEIGHT);
    const first = index * width;
    const hashes = await tile(Math.floor(height / TILE_HEIGHT), Math.floor(first / TILE_WIDTH));
    return subtreeHash(hashes, first % TILE_WIDTH, width);
  };
};

/** Tiles of leaves that are asked for together. */
const TILES_AT_ONCE = 16;

/** The hashes of the first `size` leaves. They end with a tile that is shorter than it should be. */
export async function* leafHashesOf(size: number, readTile: ReadTile): AsyncGenerator<readonly Hash[]> {
  const count = Math.ceil(size / TILE_WIDTH);
  for (let first = 0; first < count; first += TILES_AT_ONCE) {
    const indexes = Array.from({ length: Math.min(TILES_AT_ONCE, count - first) }, (_, offset) => first + offset);
    const tiles = await Promise.all(indexes.map((index) => readTile(0, index)));
    for (const [offset, tile] of tiles.entries()) {
      const wanted = Math.min(TILE_WIDTH, size - (first + offset) * TILE_WIDTH);
      const held = Math.min(wanted, Math.floor(tile.length / HASH_BYTES));
      yield Array.from({ length: held }, (_, at) => hashAt(tile, at));
      if (held < wanted) return;
    }
  }
}

export interface Tile {
  readonly level: number;
  readonly index: number;
  readonly hashes: Buffer;
}

interface OpenTile {
  readonly level: number;
  readonly index: number;
  readonly hashes: Hash[];
}

/** The last tile of each level while the tree grows. */
export class TileEdge {
  private readonly changed = new Set<OpenTile>();

  private constructor(private readonly open: Map<number, OpenTile>) {}

  static async of(size: number, readTile: ReadTile): Promise<TileEdge> {
    const open = new Map<number, OpenTile>();
    for (let [level, nodes] = [0, size]; nodes > 0; [level, nodes] = [level + 1, Math.floor(nodes / TILE_WIDTH)]) {
      const index = Math.floor(nodes / TILE_WIDTH);
      if (nodes % TILE_WIDTH === 0) continue;
      const tile = await readTile(level, index);
      const hashes = Array.from({ length: nodes % TILE_WIDTH }, (_, at) => hashAt(tile, at));
      open.set(level, { level, index, hashes });
    }
    return new TileEdge(open);
  }

  /** A perfect subtree was completed. */
  add(height: number, index: number, hash: Hash): void {
    if (height % TILE_HEIGHT !== 0) return;
    const tile = this.tileOf(height / TILE_HEIGHT, Math.floor(index / TILE_WIDTH));
    tile.hashes.push(hash);
    this.changed.add(tile);
  }

  /** The tiles that were changed since the last call. */
  take(): readonly Tile[] {
    const tiles = [...this.changed].map(({ level, index, hashes }) => ({
      level,
      index,
      hashes: Buffer.concat(hashes),
    }));
    this.changed.clear();
    return tiles;
  }

  private tileOf(level: number, index: number): OpenTile {
    const present = this.open.get(level);
    if (present?.index === index) return present;
    const next = { level, index, hashes: [] };
    this.open.set(level, next);
    return next;
  }
}
