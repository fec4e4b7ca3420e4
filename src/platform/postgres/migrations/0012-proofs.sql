-- The Merkle tree of the log, and the checkpoints that were signed of it. The tree follows from the log and is made again
-- where it is lost. The checkpoints do not: back them up.

-- One tree each. A restore of an older log begins another one.
CREATE TABLE proof_epochs (
  epoch integer PRIMARY KEY,
  -- Name of the tree in its checkpoints, and of the key that signs them.
  origin text NOT NULL,
  -- The last checkpoint of the tree before, a signed note. The first leaf hashes it. Null for the first tree.
  previous_checkpoint text,
  -- Number of leaves.
  size bigint NOT NULL,
  -- Commit position of the last leaf's event. Null for none.
  position bigint,
  -- When the tree last held every event of the log, to ten seconds.
  level_at timestamptz NOT NULL DEFAULT now()
);

-- Hashes of 32 bytes, up to 256 of one height, from left to right. Level n holds the nodes of height 8n.
CREATE TABLE proof_tiles (
  epoch integer NOT NULL,
  level smallint NOT NULL,
  tile_index bigint NOT NULL,
  hashes bytea NOT NULL,
  PRIMARY KEY (epoch, level, tile_index)
);

-- The event of each leaf. Streams and ids only.
CREATE TABLE proof_leaves (
  epoch integer NOT NULL,
  leaf_index bigint NOT NULL,
  event_id uuid NOT NULL,
  stream text NOT NULL,
  revision bigint NOT NULL,
  PRIMARY KEY (epoch, leaf_index)
);
CREATE INDEX proof_leaves_event ON proof_leaves (event_id);
CREATE INDEX proof_leaves_stream ON proof_leaves (epoch, stream, revision);

-- Streams below this revision are retired: the log itself holds the hashes of those leaves (LeavesRetired).
CREATE TABLE proof_retired (
  epoch integer NOT NULL,
  stream text NOT NULL,
  below bigint NOT NULL,
  PRIMARY KEY (epoch, stream)
);

-- Every checkpoint that was signed: one for a size, and never a smaller one later.
CREATE TABLE signed_checkpoints (
  epoch integer NOT NULL,
  size bigint NOT NULL,
  note text NOT NULL,
  signed_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (epoch, size)
);
