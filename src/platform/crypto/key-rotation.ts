import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { paginate } from '../../kernel/paginate.js';
import { type Database, type Queryable } from '../postgres/database.js';
import { replaceKeyFile } from './key-file.js';
import { formatKeyMaterial, KEY_BYTES, type KeyMaterial, KeyMaterialError, parseKeyMaterial } from './key-material.js';
import { type KeyOwner, type KeyRing } from './key-ring.js';
import { instancesNotWrappingUnder } from './key-watch.js';
import { type StillAlone } from './rotation-lock.js';
import { forgetVersion, knownVersions, verifyKeyMaterial } from './verify-key-material.js';

/** A table whose rows are wrapped under key-encryption keys, and how a row tells its owner. */
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
/** Instances that all hold a version wrap under it after their next look at each other; milliseconds. */
const AGREEMENT = 20_000;
const LOOK_EVERY = 250;

interface Row extends KeyOwner {
  readonly version: number;
  readonly wrapped: Buffer;
}

/** How many rows of both tables are under each version. */
export const rowsByVersion = async (database: Database): Promise<ReadonlyMap<number, number>> => {
  const rows = await database.query<{ version: number; count: string }>(
    `SELECT version, sum(count) AS count FROM (
       SELECT encryption_key_version AS version, count(*) AS count FROM data_keys GROUP BY 1
       UNION ALL SELECT encryption_key_version, count(*) FROM signing_keys GROUP BY 1) AS counted
     GROUP BY version ORDER BY version`,
  );
  return new Map(rows.map(({ version, count }) => [version, Number(count)]));
};

/** Where that cannot be told it counts as written, since its version must then never be another key. */
const holds = (file: string, text: string): Promise<boolean> =>
  readFile(file, 'utf8').then(
    (present) => present === text,
    () => true,
  );

/**
 * Adds a key of the next version to the key file, durably. Its check value is stored before the file is replaced, so that a
 * version is never two keys; one whose rotation ended in between is left out for good. Throws KeyMaterialError, and the file
 * is then as it was.
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
    // Where even this fails the version is left out.
    if (!(await holds(file, after))) await forgetVersion(version, key, database).catch(() => undefined);
    throw error;
  }
  return renewed;
};

const select = ({ table, id, tenantId, subject }: WrappedTable): string =>
  `SELECT ${id}::text AS id, ${tenantId} AS "tenantId", ${subject} AS subject,
     encryption_key_version AS version, wrapped FROM ${table}`;

const rewrapBatch = async (source: WrappedTable, ring: KeyRing, transaction: Queryable): Promise<number> => {
  // A row that is being destroyed meanwhile is left alone.
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

/** What is wrapped under an older version after the last row was rewrapped would be left behind. */
const untilAllWrapUnder = async (database: Database, version: number): Promise<void> => {
  const deadline = performance.now() + AGREEMENT;
  while ((await instancesNotWrappingUnder(database, version)) > 0) {
    if (performance.now() > deadline) {
      throw new KeyMaterialError(`some instances do not wrap under version ${version} yet: rotate again`);
    }
    await sleep(LOOK_EVERY);
  }
};

/**
 * Wraps every key anew under the newest version, a few hundred a transaction, so that serving goes on. Begins once every live
 * instance wraps under it too; throws KeyMaterialError where one does not. Ends where `onRows`, called after each transaction,
 * throws.
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

/** Unwraps every key there is; answers with the ids of those that do not open. */
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
