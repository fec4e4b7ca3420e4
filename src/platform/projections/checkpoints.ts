import { type Queryable } from '../postgres/database.js';
import { type Projection } from './projection.js';
import { type ProjectionSession } from './session.js';

/** `live` serves the queries; `shadow` is a rebuild under way. */
export type Slot = 'live' | 'shadow';

export type Version = Pick<Projection, 'name' | 'version'>;

/** Of releases whose versions were hashes of 64 digits. */
const LENGTH_OF_VERSION = 8;

/**
 * Live rows stand in a schema named by their version, so that code of another version finds no table in place of theirs, at
 * whatever moment they are swapped.
 */
export const schemaOf = ({ name, version }: Version, slot: Slot): string =>
  `projection_${name}_${slot === 'live' ? version.slice(0, LENGTH_OF_VERSION) : 'shadow'}`;

export interface Checkpoint {
  readonly version: string;
  readonly epoch: string;
  /** Everything up to this commit position is in the rows; undefined: nothing yet. */
  readonly position: bigint | undefined;
}

/** Another writer has taken this projection over: nothing was written. */
export class Fenced extends Error {
  override readonly name = 'Fenced';

  constructor(projection: string) {
    super(`projection ${projection} was taken over by another writer`);
  }
}

/** A version stands in the column `hash`: older releases, which may run beside this one, know it by that name. */
interface Row {
  readonly hash: string;
  readonly epoch: string;
  readonly position: string | null;
}

const toCheckpoint = ({ hash, epoch, position }: Row): Checkpoint => ({
  version: hash,
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
    `SELECT hash, epoch, position FROM projections.checkpoints WHERE projection = $1 AND slot = $2 ${lock}`,
    [projection, slot],
  );
  return rows[0] === undefined ? undefined : toCheckpoint(rows[0]);
};

/** Makes a slot's schema with empty tables; what was there before is dropped. Inside a transaction. */
export const createSlot = async (transaction: Queryable, projection: Projection, slot: Slot): Promise<void> => {
  const schema = schemaOf(projection, slot);
  await transaction.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`);
  await transaction.query(`CREATE SCHEMA ${schema}`);
  await transaction.query(`SET LOCAL search_path TO ${schema}`);
  await transaction.query(projection.schema);
  await transaction.query(
    `INSERT INTO projections.checkpoints (projection, slot, hash) VALUES ($1, $2, $3)
     ON CONFLICT (projection, slot) DO UPDATE
       SET hash = excluded.hash, epoch = checkpoints.epoch + 1, position = NULL, updated_at = now()`,
    [projection.name, slot, projection.version],
  );
};

/** Schemas of live rows once were named by their projection alone. */
const nameByVersion = async (transaction: Queryable, live: Version): Promise<void> => {
  const plain = `projection_${live.name}`;
  const rows = await transaction.query<{ found: boolean }>('SELECT to_regnamespace($1) IS NOT NULL AS found', [plain]);
  if (rows[0]?.found === true) {
    await transaction.query(`ALTER SCHEMA ${plain} RENAME TO ${schemaOf(live, 'live')}`);
  }
};

/** Stands for the code of rows that are no version's: those of a log which has been put back to an earlier state, and none at all. */
const DISOWNED = 'disowned';

/** Whether anything of the log is in any rows. */
const hasBegun = async (transaction: Queryable): Promise<boolean> =>
  (await transaction.query('SELECT 1 FROM projections.checkpoints WHERE position IS NOT NULL LIMIT 1')).length > 0;

/**
 * Makes every live schema that is missing: where others hold rows already, one that no query finds before it
 * was rebuilt. Any number of processes may do it at once.
 */
export const prepareSchemas = async (transaction: Queryable, projections: readonly Projection[]): Promise<void> => {
  await transaction.query("SELECT pg_advisory_xact_lock(hashtextextended('projections.catalogue', 0))");
  const begun = await hasBegun(transaction);
  for (const projection of projections) {
    await transaction.query(
      'INSERT INTO projections.versions (projection, hash) VALUES ($1, $2) ON CONFLICT DO NOTHING',
      [projection.name, projection.version],
    );
    const live = await readCheckpoint(transaction, projection.name);
    if (live === undefined)
      await createSlot(transaction, begun ? { ...projection, version: DISOWNED } : projection, 'live');
    else await nameByVersion(transaction, { name: projection.name, version: live.version });
  }
};

/** An operator's rebuild makes this code the newest version there is. */
export const declareNewest = async (database: Queryable, projection: Projection): Promise<void> => {
  await database.query(
    `INSERT INTO projections.versions (projection, hash) VALUES ($1, $2)
     ON CONFLICT (projection, hash) DO UPDATE SET generation = nextval('projections.generations')`,
    [projection.name, projection.version],
  );
};

/** Whether no version newer than this code was ever seen. */
export const isNewest = async (database: Queryable, projection: Projection): Promise<boolean> => {
  const rows = await database.query<{ hash: string }>(
    'SELECT hash FROM projections.versions WHERE projection = $1 ORDER BY generation DESC LIMIT 1',
    [projection.name],
  );
  return rows[0]?.hash === projection.version;
};

/** Begins a new epoch, which fences every earlier writer; undefined where the rows were made by other code. */
export const takeOver = async (database: Queryable, projection: Projection): Promise<Checkpoint | undefined> => {
  const rows = await database.query<Row>(
    `UPDATE projections.checkpoints SET epoch = epoch + 1, updated_at = now()
     WHERE projection = $1 AND slot = 'live' AND hash = $2 RETURNING hash, epoch, position`,
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
    `UPDATE projections.checkpoints SET hash = $2, epoch = epoch + 1, position = NULL, updated_at = now()
     WHERE projection = $1 AND slot = 'live'`,
    [projection, DISOWNED],
  );
};

/**
 * Where rows are ahead of the log, the log was restored from an older back-up: whatever is appended next would be skipped, and
 * the rows tell of events that never were. They are disowned, durably and before anything can be appended, so that no query
 * finds them, nothing that waits for a position is told that they have reached it, and their leader makes them anew. Answers
 * where they stood.
 */
export const disownRowsAhead = async (
  session: ProjectionSession,
  projection: string,
  headOfLog: () => Promise<bigint | undefined>,
): Promise<bigint | undefined> => {
  // The rows first: whoever projects meanwhile only ever reads what the log holds already.
  const position = (await readCheckpoint(session, projection))?.position;
  if (position === undefined || position <= ((await headOfLog()) ?? -1n)) return undefined;
  await session.transaction('projections', () => disown(session, projection, position));
  return position;
};

/** The first statement of a batch's transaction: moves the checkpoint, and locks it against every other writer. */
export const moveCheckpoint = async (
  transaction: Queryable,
  projection: Projection,
  slot: Slot,
  epoch: string,
  position: bigint,
): Promise<void> => {
  const rows = await transaction.query(
    `UPDATE projections.checkpoints SET position = $5, updated_at = now()
     WHERE projection = $1 AND slot = $2 AND hash = $3 AND epoch = $4 AND (position IS NULL OR position <= $5)
     RETURNING 1`,
    [projection.name, slot, projection.version, epoch, position],
    'move-checkpoint',
  );
  if (rows.length === 0) throw new Fenced(projection.name);
};

/** A projection's live rows, as written under an epoch. */
export interface Writer {
  readonly projection: Projection;
  readonly epoch: string;
}

/**
 * The same for several projections' live rows at once, or, without a position, only says that their leader lives. Answers whose
 * checkpoints it locked: another writer's are passed over, and those that a swap holds, so that nobody waits for it but its own.
 */
export const moveCheckpoints = async (
  transaction: Queryable,
  writers: readonly Writer[],
  position: bigint | undefined,
): Promise<ReadonlySet<string>> => {
  const rows = await transaction.query<{ projection: string }>(
    `WITH held AS (
       SELECT c.projection FROM projections.checkpoints c
       JOIN unnest($1::text[], $2::text[], $3::bigint[]) AS writer(projection, hash, epoch) USING (projection, hash, epoch)
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

/** Says that the leader lives, and finds out whether it still is the leader. */
export const heartbeat = async (database: Queryable, { name, version }: Projection, epoch: string): Promise<void> => {
  const rows = await database.query(
    `UPDATE projections.checkpoints SET updated_at = now()
     WHERE projection = $1 AND slot = 'live' AND hash = $2 AND epoch = $3 RETURNING 1`,
    [name, version, epoch],
    'heartbeat',
  );
  if (rows.length === 0) throw new Fenced(name);
};

/** Says at once that nobody keeps the rows up with the log, where their leader cannot apply an event. */
export const abandon = async (database: Queryable, { name, version }: Projection, epoch: string): Promise<void> => {
  await database.query(
    `UPDATE projections.checkpoints SET updated_at = '-infinity'
     WHERE projection = $1 AND slot = 'live' AND hash = $2 AND epoch = $3`,
    [name, version, epoch],
  );
};

export const leaderLock = (projection: string): string => `projection.${projection}`;

/** Ends the connection of a leader that has not been heard of: a process that is stopped keeps its connection, and the lock. */
export const evictSilentLeader = async (database: Queryable, projection: string, silenceMs: number): Promise<void> => {
  await database.query(
    `SELECT pg_terminate_backend(l.pid) FROM pg_locks l
     JOIN pg_database d ON d.oid = l.database AND d.datname = current_database()
     JOIN projections.checkpoints c ON c.projection = $2 AND c.slot = 'live'
     WHERE l.locktype = 'advisory' AND l.granted AND l.objsubid = 1
       AND ((l.classid::bigint << 32) | l.objid::bigint) = hashtextextended($1, 0)
       AND c.updated_at < now() - $3 * interval '1 millisecond'`,
    [leaderLock(projection), projection, silenceMs],
  );
};
