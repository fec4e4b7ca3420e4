import { BatchLoader } from '../kernel/batch-loader.js';
import { type Queryable } from '../platform/postgres/database.js';
import { type ReadTile, type Tile } from './tiles.js';

export interface Epoch {
  readonly epoch: number;
  readonly origin: string;
  readonly previousCheckpoint: string | null;
  readonly size: number;
  /** Commit position of the last leaf's event. */
  readonly position: bigint | undefined;
}

interface EpochRow {
  readonly epoch: number;
  readonly origin: string;
  readonly previous_checkpoint: string | null;
  readonly size: string;
  readonly position: string | null;
}

/** The present tree; undefined before the first. */
export const latestEpoch = async (database: Queryable): Promise<Epoch | undefined> => {
  const [row] = await database.query<EpochRow>(
    'SELECT epoch, origin, previous_checkpoint, size, position FROM proof_epochs ORDER BY epoch DESC LIMIT 1',
  );
  if (row === undefined) return undefined;
  return {
    epoch: row.epoch,
    origin: row.origin,
    previousCheckpoint: row.previous_checkpoint,
    size: Number(row.size),
    position: row.position === null ? undefined : BigInt(row.position),
  };
};

/** How far the tree is. All zero before the first. */
export interface TreeState {
  readonly epoch: number;
  readonly leaves: number;
  readonly levelAt: Date | undefined;
  readonly signedLeaves: number;
  readonly signedAt: Date | undefined;
}

interface StateRow {
  readonly epoch: number;
  readonly size: string;
  readonly level_at: Date;
  readonly signed_size: string | null;
  readonly signed_at: Date | null;
}

export const treeState = async (database: Queryable): Promise<TreeState> => {
  const [row] = await database.query<StateRow>(
    `SELECT e.epoch, e.size, e.level_at, c.size AS signed_size, c.signed_at
     FROM (SELECT * FROM proof_epochs ORDER BY epoch DESC LIMIT 1) AS e
     LEFT JOIN LATERAL (SELECT size, signed_at FROM signed_checkpoints WHERE epoch = e.epoch ORDER BY size DESC LIMIT 1)
       AS c ON true`,
    [],
    'tree-state',
  );
  return {
    epoch: row?.epoch ?? 0,
    leaves: Number(row?.size ?? 0),
    levelAt: row?.level_at,
    signedLeaves: Number(row?.signed_size ?? 0),
    signedAt: row?.signed_at ?? undefined,
  };
};

export const originsOfEpochs = async (database: Queryable): Promise<readonly string[]> => {
  const rows = await database.query<{ origin: string }>('SELECT origin FROM proof_epochs ORDER BY epoch');
  return rows.map(({ origin }) => origin);
};

interface TilePlace {
  readonly level: number;
  readonly index: number;
}

const placeId = (level: number, index: number | string): string => `${level}/${index}`;

/** Tiles that are asked for together come by one query. A tile that the tree does not have is empty. */
export const tilesOf = (database: Queryable, epoch: number): ReadTile => {
  const tiles = new BatchLoader<TilePlace, Buffer>(async (requestedTiles) => {
    const places = [...requestedTiles.values()];
    const rows = await database.query<{ level: number; tile_index: string; hashes: Buffer }>(
      `SELECT level, tile_index, hashes FROM unnest($2::smallint[], $3::bigint[]) AS asked (level, tile_index)
       JOIN proof_tiles USING (level, tile_index) WHERE epoch = $1`,
      [epoch, places.map(({ level }) => level), places.map(({ index }) => index)],
      'proof-tiles',
    );
    const found = new Map(rows.map(({ level, tile_index: index, hashes }) => [placeId(level, index), hashes]));
    return new Map([...requestedTiles.keys()].map((id) => [id, found.get(id) ?? Buffer.alloc(0)]));
  });
  return (level, index) => tiles.get(placeId(level, index), { level, index });
};

export interface SignedCheckpoint {
  readonly epoch: number;
  readonly size: number;
  /** A signed note. */
  readonly note: string;
}

/** The name of the tree, a note's first line. */
export const originOf = ({ note }: Pick<SignedCheckpoint, 'note'>): string => note.slice(0, note.indexOf('\n'));

interface CheckpointRow {
  readonly epoch: number;
  readonly size: string;
  readonly note: string;
}

const checkpointOf = ({ epoch, size, note }: CheckpointRow): SignedCheckpoint => ({ epoch, size: Number(size), note });

export const latestCheckpoint = async (database: Queryable): Promise<SignedCheckpoint | undefined> => {
  const [row] = await database.query<CheckpointRow>(
    'SELECT epoch, size, note FROM signed_checkpoints ORDER BY epoch DESC, size DESC LIMIT 1',
    [],
    'latest-checkpoint',
  );
  return row && checkpointOf(row);
};

export const checkpointsOf = async (database: Queryable, epoch: number): Promise<readonly SignedCheckpoint[]> => {
  const rows = await database.query<CheckpointRow>(
    'SELECT epoch, size, note FROM signed_checkpoints WHERE epoch = $1 ORDER BY size',
    [epoch],
  );
  return rows.map(checkpointOf);
};

/** The last checkpoint of each UTC day of a period that is smaller than this one, of its tree. */
export const dailyCheckpoints = async (
  database: Queryable,
  { epoch, size }: SignedCheckpoint,
  from: Date,
  to: Date,
): Promise<readonly SignedCheckpoint[]> => {
  const rows = await database.query<CheckpointRow>(
    `SELECT DISTINCT ON ((signed_at AT TIME ZONE 'UTC')::date) epoch, size, note FROM signed_checkpoints
     WHERE epoch = $1 AND size < $2 AND signed_at >= $3 AND signed_at < $4
     ORDER BY (signed_at AT TIME ZONE 'UTC')::date, size DESC`,
    [epoch, size, from, to],
  );
  return rows.map(checkpointOf);
};

export interface LeafRow {
  readonly epoch: number;
  readonly index: number;
  readonly eventId: string;
  readonly stream: string;
  readonly revision: bigint;
}

interface StoredLeaf {
  readonly epoch: number;
  readonly leaf_index: string;
  readonly event_id: string;
  readonly stream: string;
  readonly revision: string;
}

const leafOf = ({ epoch, leaf_index, event_id, stream, revision }: StoredLeaf): LeafRow => ({
  epoch,
  index: Number(leaf_index),
  eventId: event_id,
  stream,
  revision: BigInt(revision),
});

const LEAF = 'SELECT epoch, leaf_index, event_id, stream, revision FROM proof_leaves';

/** The leaves of these events in the present tree; those that have none are left out. */
export const leavesOfEvents = async (
  database: Queryable,
  epoch: number,
  eventIds: readonly string[],
): Promise<readonly LeafRow[]> => {
  // Of a young table Postgres might take the index of the epoch, which holds every leaf.
  const rows = await database.query<StoredLeaf>(
    `${LEAF} WHERE event_id = ANY($1::uuid[])`,
    [eventIds],
    'leaves-of-events',
  );
  return rows.filter((row) => row.epoch === epoch).map(leafOf);
};

export const leavesFrom = async (
  database: Queryable,
  epoch: number,
  from: number,
  limit: number,
): Promise<readonly LeafRow[]> => {
  const rows = await database.query<StoredLeaf>(
    `${LEAF} WHERE epoch = $1 AND leaf_index >= $2 ORDER BY leaf_index LIMIT $3`,
    [epoch, from, limit],
  );
  return rows.map(leafOf);
};

/** The oldest leaves of a stream from one revision on and below another. */
export const leavesOfStream = async (
  database: Queryable,
  { epoch, stream, from, below, limit }: { epoch: number; stream: string; from: bigint; below: bigint; limit: number },
): Promise<readonly LeafRow[]> => {
  const rows = await database.query<StoredLeaf>(
    `${LEAF} WHERE epoch = $1 AND stream = $2 AND revision >= $3 AND revision < $4 ORDER BY revision LIMIT $5`,
    [epoch, stream, from, below, limit],
  );
  return rows.map(leafOf);
};

/** The revision below which all leaves of a stream are retired. */
export const retiredBelow = async (database: Queryable, epoch: number, stream: string): Promise<bigint> => {
  const rows = await database.query<{ below: string }>(
    'SELECT below FROM proof_retired WHERE epoch = $1 AND stream = $2',
    [epoch, stream],
  );
  return BigInt(rows[0]?.below ?? 0);
};

export const markRetired = async (database: Queryable, epoch: number, stream: string, below: bigint): Promise<void> => {
  await database.query(
    `INSERT INTO proof_retired (epoch, stream, below) VALUES ($1, $2, $3)
     ON CONFLICT (epoch, stream) DO UPDATE SET below = greatest(proof_retired.below, excluded.below)`,
    [epoch, stream, below],
  );
};

/** Statements of the one process that grows the tree. */
export interface Writer {
  query<Row extends object>(text: string, values: readonly unknown[]): Promise<Row[]>;
}

export const beginEpoch = async (
  writer: Writer,
  { epoch, origin, previousCheckpoint }: Omit<Epoch, 'size' | 'position'>,
) => {
  await writer.query(
    `INSERT INTO proof_epochs (epoch, origin, previous_checkpoint, size) VALUES ($1, $2, $3, 0)
     ON CONFLICT (epoch) DO NOTHING`,
    [epoch, origin, previousCheckpoint],
  );
};

/** The tree holds every event of the log now. */
export const markLevel = async (writer: Writer, epoch: number): Promise<void> => {
  await writer.query('UPDATE proof_epochs SET level_at = now() WHERE epoch = $1', [epoch]);
};

export interface Growth {
  readonly epoch: number;
  readonly from: number;
  readonly to: number;
  readonly position: bigint | undefined;
  readonly tiles: readonly Tile[];
  readonly leaves: readonly Omit<LeafRow, 'epoch'>[];
}

/** One statement, so that tiles, leaves and size move together. False if the tree is not of the size `from` any more. */
export const grow = async (writer: Writer, { epoch, from, to, position, tiles, leaves }: Growth): Promise<boolean> => {
  const rows = await writer.query(
    `WITH moved AS (
       UPDATE proof_epochs SET size = $3, position = coalesce($4, position) WHERE epoch = $1 AND size = $2 RETURNING 1),
     tiles AS (
       INSERT INTO proof_tiles (epoch, level, tile_index, hashes)
       SELECT $1, tile.* FROM moved, unnest($5::smallint[], $6::bigint[], $7::bytea[]) AS tile
       ON CONFLICT (epoch, level, tile_index) DO UPDATE SET hashes = excluded.hashes),
     leaves AS (
       INSERT INTO proof_leaves (epoch, leaf_index, event_id, stream, revision)
       SELECT $1, leaf.* FROM moved, json_to_recordset($8::json) AS leaf(i bigint, e uuid, s text, r bigint))
     SELECT 1 FROM moved`,
    [
      epoch,
      from,
      to,
      position ?? null,
      tiles.map(({ level }) => level),
      tiles.map(({ index }) => index),
      tiles.map(({ hashes }) => hashes),
      JSON.stringify(
        leaves.map(({ index, eventId, stream, revision }) => ({
          i: index,
          e: eventId,
          s: stream,
          r: String(revision),
        })),
      ),
    ],
  );
  return rows.length === 1;
};

/** Never where one of this size or a larger one is there. */
export const keepCheckpoint = async (writer: Writer, { epoch, size, note }: SignedCheckpoint): Promise<void> => {
  await writer.query(
    `INSERT INTO signed_checkpoints (epoch, size, note) SELECT $1, $2, $3
     WHERE NOT EXISTS (SELECT 1 FROM signed_checkpoints WHERE epoch = $1 AND size >= $2)
     ON CONFLICT DO NOTHING`,
    [epoch, size, note],
  );
};
