import { type Queryable } from '../../platform/postgres/database.js';
import { type Projection } from './projection.js';
import { type ProjectionSession } from '../../platform/postgres/session.js';

/** `live` serves the queries; `shadow` is a rebuild under way. */
export type Slot = 'live' | 'shadow';

export type Version = Pick<Projection, 'name' | 'version'>;

/**
 * Live rows are in a schema named by their version. Code of another version therefore finds no table at all, whenever
 * the rows are swapped.
 */
export const schemaOf = ({ name, version }: Version, slot: Slot): string =>
  `projection_${name}_${slot === 'live' ? version : 'shadow'}`;

export interface Checkpoint {
  readonly version: string;
  readonly epoch: string;
  /** The rows include everything up to this commit position; undefined: nothing yet. */
  readonly position: bigint | undefined;
}

/** Another writer has taken this projection over. Nothing was written. */
export class Fenced extends Error {
  override readonly name = 'Fenced';

  constructor(projection: string) {
    super(`projection ${projection} was taken over by another writer`);
  }
}

interface Row {
  readonly version: string;
  readonly epoch: string;
  readonly position: string | null;
}

const toCheckpoint = ({ version, epoch, position }: Row): Checkpoint => ({
  version,
  epoch,
  position: position === null ? undefined : BigInt(position),
});

export const readCheckpoint = async (
  database: Queryable,
  projection: string,
  slot: Slot = 'live',
  lock: '' | 'FOR UPDATE' = '',
): Promise<Checkpoint | undefined> => {
  const rows = await database.query<Row>(
    `SELECT version, epoch, position FROM projections.checkpoints WHERE projection = $1 AND slot = $2 ${lock}`,
    [projection, slot],
  );
  return rows[0] === undefined ? undefined : toCheckpoint(rows[0]);
};

/** Commit position of the live rows of each projection. */
export const readPositions = async (database: Queryable): Promise<ReadonlyMap<string, bigint>> => {
  const rows = await database.query<{ projection: string; position: string }>(
    `SELECT projection, position FROM projections.checkpoints WHERE slot = 'live' AND position IS NOT NULL`,
  );
  return new Map(rows.map(({ projection, position }) => [projection, BigInt(position)]));
};

/** Drops a slot's schema and creates it with empty tables. Call it inside a transaction. */
export const createSlot = async (transaction: Queryable, projection: Projection, slot: Slot): Promise<void> => {
  const schema = schemaOf(projection, slot);
  await transaction.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`);
  await transaction.query(`CREATE SCHEMA ${schema}`);
  await transaction.query(`SET LOCAL search_path TO ${schema}`);
  await transaction.query(projection.schema);
  await transaction.query(
    `INSERT INTO projections.checkpoints (projection, slot, version) VALUES ($1, $2, $3)
     ON CONFLICT (projection, slot) DO UPDATE
       SET version = excluded.version, epoch = checkpoints.epoch + 1, position = NULL, updated_at = now()`,
    [projection.name, slot, projection.version],
  );
};

/**
 * Stands in place of a version for rows that no code may use. These are rows from before the log was restored, or no
 * rows at all.
 */
const DISOWNED = 'disowned';

/** Whether any projection's rows include anything of the log. */
const hasBegun = async (transaction: Queryable): Promise<boolean> =>
  (await transaction.query('SELECT 1 FROM projections.checkpoints WHERE position IS NOT NULL LIMIT 1')).length > 0;

/**
 * Creates every missing live schema. If other projections have rows already, queries do not find the new schema until
 * its rows are rebuilt. Any number of processes may run this at once.
 */
export const prepareSchemas = async (transaction: Queryable, projections: readonly Projection[]): Promise<void> => {
  await transaction.query("SELECT pg_advisory_xact_lock(hashtextextended('projections.catalogue', 0))");
  const begun = await hasBegun(transaction);
  for (const projection of projections) {
    await transaction.query(
      'INSERT INTO projections.versions (projection, version) VALUES ($1, $2) ON CONFLICT DO NOTHING',
      [projection.name, projection.version],
    );
    if ((await readCheckpoint(transaction, projection.name)) === undefined)
      await createSlot(transaction, begun ? { ...projection, version: DISOWNED } : projection, 'live');
  }
};

/** Declares this code the newest version, for a rebuild by an operator. */
export const declareNewest = async (database: Queryable, projection: Projection): Promise<void> => {
  await database.query(
    `INSERT INTO projections.versions (projection, version) VALUES ($1, $2)
     ON CONFLICT (projection, version) DO UPDATE SET generation = nextval('projections.generations')`,
    [projection.name, projection.version],
  );
};

/** Whether no newer version than this code was ever seen. */
export const isNewest = async (database: Queryable, projection: Projection): Promise<boolean> => {
  const rows = await database.query<{ version: string }>(
    'SELECT version FROM projections.versions WHERE projection = $1 ORDER BY generation DESC LIMIT 1',
    [projection.name],
  );
  return rows[0]?.version === projection.version;
};

/** Begins a new epoch, which fences every earlier writer. Undefined if the rows were made by other code. */
export const takeOver = async (database: Queryable, projection: Projection): Promise<Checkpoint | undefined> => {
  const rows = await database.query<Row>(
    `UPDATE projections.checkpoints SET epoch = epoch + 1, updated_at = now()
     WHERE projection = $1 AND slot = 'live' AND version = $2 RETURNING version, epoch, position`,
    [projection.name, projection.version],
  );
  return rows[0] === undefined ? undefined : toCheckpoint(rows[0]);
};

const disown = async (transaction: Queryable, projection: string, position: bigint): Promise<void> => {
  await transaction.query('SET LOCAL synchronous_commit TO on');
  const live = await readCheckpoint(transaction, projection, 'live', 'FOR UPDATE');
  if (live?.position === undefined || live.position < position) return;
  const [schema, disowned] = [live.version, DISOWNED].map((version) => schemaOf({ name: projection, version }, 'live'));
  await transaction.query(`ALTER SCHEMA ${schema} RENAME TO ${disowned}`);
  await transaction.query(
    `UPDATE projections.checkpoints SET version = $2, epoch = epoch + 1, position = NULL, updated_at = now()
     WHERE projection = $1 AND slot = 'live'`,
    [projection, DISOWNED],
  );
};

/** Logged once, by the part that detects it. */
export const ROWS_AHEAD =
  'the rows are ahead of the event log, which was restored from an older back-up: they are made anew from it';

/**
 * Rows ahead of the log mean that the log was restored from an older back-up. The projection would skip the next
 * events, and its rows describe events that do not exist. The rows are disowned, durably and before anything can be
 * appended. Queries then do not find them, and they end no wait for a position. The leader rebuilds them.
 * Returns the position of the rows, or undefined if they are not ahead.
 */
export const disownRowsAhead = async (
  session: ProjectionSession,
  projection: string,
  headOfLog: () => Promise<bigint | undefined>,
): Promise<bigint | undefined> => {
  // Reads the rows' position before the head. A projection under way holds only events that the log already has.
  const position = (await readCheckpoint(session, projection))?.position;
  if (position === undefined || position <= ((await headOfLog()) ?? -1n)) return undefined;
  await session.transaction('projections', () => disown(session, projection, position));
  return position;
};

/**
 * The first statement of a batch's transaction. It moves the checkpoint and locks it against every other writer. Throws
 * Fenced.
 */
export const moveCheckpoint = async (
  transaction: Queryable,
  projection: Projection,
  slot: Slot,
  epoch: string,
  position: bigint,
): Promise<void> => {
  const rows = await transaction.query(
    `UPDATE projections.checkpoints SET position = $5, updated_at = now()
     WHERE projection = $1 AND slot = $2 AND version = $3 AND epoch = $4 AND (position IS NULL OR position <= $5)
     RETURNING 1`,
    [projection.name, slot, projection.version, epoch, position],
    'move-checkpoint',
  );
  if (rows.length === 0) throw new Fenced(projection.name);
};

/** The writer of a projection's live rows, under an epoch. */
export interface Writer {
  readonly projection: Projection;
  readonly epoch: string;
}

/**
 * The same for the live rows of several projections. Without a position it is a heartbeat of their leader. Returns the
 * projections whose checkpoints it locked. It skips checkpoints of another writer, and those locked by a swap. Only the
 * swapped projection then waits for the swap.
 */
export const moveCheckpoints = async (
  transaction: Queryable,
  writers: readonly Writer[],
  position: bigint | undefined,
): Promise<ReadonlySet<string>> => {
  const rows = await transaction.query<{ projection: string }>(
    `WITH held AS (
       SELECT c.projection FROM projections.checkpoints c
       JOIN unnest($1::text[], $2::text[], $3::bigint[]) AS writer(projection, version, epoch) USING (projection, version, epoch)
       WHERE c.slot = 'live' AND ($4::bigint IS NULL OR c.position IS NULL OR c.position <= $4)
       FOR UPDATE OF c SKIP LOCKED
     )
     UPDATE projections.checkpoints c SET position = coalesce($4, c.position), updated_at = now()
     FROM held WHERE c.projection = held.projection AND c.slot = 'live' RETURNING c.projection`,
    [
      writers.map(({ projection }) => projection.name),
      writers.map(({ projection }) => projection.version),
      writers.map(({ epoch }) => epoch),
      position ?? null,
    ],
    'move-checkpoints',
  );
  return new Set(rows.map(({ projection }) => projection));
};

/** Reports at once that no one keeps the rows up to date, because their leader cannot apply an event. */
export const abandon = async (database: Queryable, { name, version }: Projection, epoch: string): Promise<void> => {
  await database.query(
    `UPDATE projections.checkpoints SET updated_at = '-infinity'
     WHERE projection = $1 AND slot = 'live' AND version = $2 AND epoch = $3`,
    [name, version, epoch],
  );
};
