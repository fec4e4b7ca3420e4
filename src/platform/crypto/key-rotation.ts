import { randomBytes } from 'node:crypto';
import { open, rename } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { inPages } from '../../kernel/in-pages.js';
import { type Database, type Queryable } from '../postgres/database.js';
import { formatKeyMaterial, KEY_BYTES, type KeyMaterial, KeyMaterialError } from './key-material.js';
import { type KeyOwner, type KeyRing } from './key-ring.js';
import { instancesNotWrappingUnder } from './key-watch.js';

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

/** The same keys and one more, of the next version, written over the key file in one step. */
export const addVersion = async (material: KeyMaterial, file: string): Promise<KeyMaterial> => {
  const next = Math.max(...material.encryptionKeys.keys()) + 1;
  const renewed = {
    ...material,
    encryptionKeys: new Map([...material.encryptionKeys, [next, randomBytes(KEY_BYTES)] as const]),
  };
  const draft = `${file}.${process.pid}`;
  const handle = await open(draft, 'w', 0o600);
  try {
    await handle.writeFile(formatKeyMaterial(renewed));
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(draft, file);
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
 * instance wraps under it too; throws KeyMaterialError where one does not.
 */
export const rewrapAll = async (database: Database, ring: KeyRing, onRows: (rows: number) => void): Promise<void> => {
  await untilAllWrapUnder(database, ring.newest);
  for (const source of TABLES) {
    let rows: number;
    do {
      rows = await database.transaction((transaction) => rewrapBatch(source, ring, transaction));
      onRows(rows);
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
    for await (const rows of inPages(find)) {
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
