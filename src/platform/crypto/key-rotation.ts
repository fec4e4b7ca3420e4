import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { paginate } from '../../kernel/paginate.js';
import { type Database, type Queryable } from '../postgres/database.js';
import { replaceKeyFile } from './key-file.js';
import {
  formatKeyMaterial,
  KEY_BYTES,
  type KeyMaterial,
  KeyMaterialError,
  parseKeyMaterial,
} from '../../kernel/key-material.js';
import { type KeyOwner, type KeyRing } from './key-ring.js';
import { instancesNotWrappingUnder } from './key-watch.js';
import { type StillAlone } from './rotation-lock.js';
import { forgetVersion, knownVersions, verifyKeyMaterial } from './verify-key-material.js';

/** A table whose rows are wrapped under key-encryption keys, and the columns that name a row's owner. */
interface WrappedTable {
  readonly table: 'data_keys' | 'signing_keys';
  readonly id: 'id' | 'kid';
  readonly tenantId: string;
  readonly subject: string;
}

const TABLES: readonly WrappedTable[] = [
  { table: 'data_keys', id: 'id', tenantId: 'tenant_id', subject: 'subject' },
  { table: 'signing_keys', id: 'kid', tenantId: "''", subject: "'signing'" },
];

const BATCH = 500;
/** Milliseconds to wait until all instances wrap under a version. Each does so soon after all report that they hold it. */
const AGREEMENT = 20_000;
const POLL_INTERVAL_MS = 250;

interface Row extends KeyOwner {
  readonly version: number;
  readonly wrapped: Buffer;
}

/** Number of rows of both tables, by key version. */
export const rowsByVersion = async (database: Database): Promise<ReadonlyMap<number, number>> => {
  const rows = await database.query<{ version: number; count: string }>(
    `SELECT version, sum(count) AS count FROM (
       SELECT encryption_key_version AS version, count(*) AS count FROM data_keys GROUP BY 1
       UNION ALL SELECT encryption_key_version, count(*) FROM signing_keys GROUP BY 1) AS counted
     GROUP BY version ORDER BY version`,
  );
  return new Map(rows.map(({ version, count }) => [version, Number(count)]));
};

/** Counts a file that cannot be read as written, since its version must never get another key. */
const holds = (file: string, text: string): Promise<boolean> =>
  readFile(file, 'utf8').then(
    (present) => present === text,
    () => true,
  );

/**
 * Adds a key of the next version to the key file, durably. Its check value is stored before the file is replaced, so a version
 * never has two keys. If a rotation ends in between, its version stays unused for good. Throws KeyMaterialError, and then
 * leaves the file as it was.
 */
export const addVersion = async (file: string, database: Database, stillAlone: StillAlone): Promise<KeyMaterial> => {
  const before = await readFile(file, 'utf8');
  const material = parseKeyMaterial(before, file);
  const version = Math.max(...material.encryptionKeys.keys(), ...(await knownVersions(database))) + 1;
  const key = randomBytes(KEY_BYTES);
  const renewed = { ...material, encryptionKeys: new Map([...material.encryptionKeys, [version, key] as const]) };
  const after = formatKeyMaterial(renewed);
  const claim = async (): Promise<void> => {
    await verifyKeyMaterial(renewed, database);
    await stillAlone();
  };
  try {
    await replaceKeyFile(file, { before, after }, claim);
  } catch (error) {
    // If this fails too, the version stays unused.
    if (!(await holds(file, after))) await forgetVersion(version, key, database).catch(() => undefined);
    throw error;
  }
  return renewed;
};

const select = ({ table, id, tenantId, subject }: WrappedTable): string =>
  `SELECT ${id}::text AS id, ${tenantId} AS "tenantId", ${subject} AS subject,
     encryption_key_version AS version, wrapped FROM ${table}`;

const rewrapBatch = async (source: WrappedTable, ring: KeyRing, transaction: Queryable): Promise<number> => {
  // Skips a row that another transaction is destroying.
  const rows = await transaction.query<Row>(
    `${select(source)} WHERE encryption_key_version <> $1 LIMIT ${BATCH} FOR UPDATE SKIP LOCKED`,
    [ring.newest],
  );
  const renewed = rows.map((row) => ({ id: row.id, ...ring.wrap(row, ring.unwrap(row, row)) }));
  await transaction.query(
    `UPDATE ${source.table} AS t SET encryption_key_version = r.version, wrapped = r.wrapped
     FROM unnest($1::text[], $2::integer[], $3::bytea[]) AS r(id, version, wrapped)
     WHERE t.${source.id} = r.id::${source.id === 'id' ? 'uuid' : 'text'}`,
    [renewed.map(({ id }) => id), renewed.map(({ version }) => version), renewed.map(({ wrapped }) => wrapped)],
  );
  return rows.length;
};

/** An instance that still wraps under an older version could add such a row after the last rewrap. So this waits. */
const untilAllWrapUnder = async (database: Database, version: number): Promise<void> => {
  const deadline = performance.now() + AGREEMENT;
  while ((await instancesNotWrappingUnder(database, version)) > 0) {
    if (performance.now() > deadline) {
      throw new KeyMaterialError(`some instances do not wrap under version ${version} yet: rotate again`);
    }
    await sleep(POLL_INTERVAL_MS);
  }
};

/**
 * Wraps every key anew under the newest version, a few hundred per transaction, so that the service keeps running. Starts once
 * every live instance wraps under that version. Throws KeyMaterialError if one does not. Stops if `onRows`, called after each
 * transaction, throws.
 */
export const rewrapAll = async (
  database: Database,
  ring: KeyRing,
  onRows: (rows: number) => Promise<void>,
): Promise<void> => {
  await untilAllWrapUnder(database, ring.newest);
  for (const source of TABLES) {
    let rows: number;
    do {
      rows = await database.transaction((transaction) => rewrapBatch(source, ring, transaction));
      await onRows(rows);
    } while (rows > 0);
  }
};

/** Unwraps every key and returns the ids of those that do not open. */
export const keysThatDoNotOpen = async (
  database: Database,
  ring: KeyRing,
  onRows: (rows: number) => void,
): Promise<readonly string[]> => {
  const broken: string[] = [];
  for (const source of TABLES) {
    const find = (last: Row | undefined, limit: number) =>
      database.query<Row>(
        `${select(source)} WHERE ${source.id}::text > $1 ORDER BY ${source.id}::text LIMIT ${limit}`,
        [last?.id ?? ''],
      );
    for await (const rows of paginate(find)) {
      broken.push(...rows.filter((row) => !opens(ring, row)).map(({ id }) => id));
      onRows(rows.length);
    }
  }
  return broken;
};

const opens = (ring: KeyRing, row: Row): boolean => {
  try {
    ring.unwrap(row, row).fill(0);
    return true;
  } catch {
    return false;
  }
};
