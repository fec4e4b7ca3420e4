import pg from 'pg';
import { BATCH, BATCHES_AT_ONCE } from '../stage/seed.js';
import { connectToIndex } from './look-up.js';

const COLUMNS = [
  ['tenant_id', 'text'],
  ['identity_id', 'text'],
  ['identity_hash', 'text'],
  ['ingestion_id', 'uuid'],
  ['status', 'text'],
  ['tier', 'text'],
  ['kyc_expires_at', 'timestamptz'],
  ['last_verified_at', 'timestamptz'],
  ['received_at', 'timestamptz'],
  ['stream', 'text'],
  ['event_id', 'uuid'],
  ['personal', 'jsonb'],
] as const;

const NAMES = COLUMNS.map(([name]) => name).join(', ');
const LISTS = COLUMNS.map(([, type], index) => `$${index + 1}::${type}[]`).join(', ');

const SCHEMA = `
  DROP SCHEMA IF EXISTS bench CASCADE;
  CREATE SCHEMA bench;
  CREATE TABLE bench.identities (LIKE identities INCLUDING ALL)`;
const INSERT = { name: 'insert', text: `INSERT INTO bench.identities (${NAMES}) SELECT * FROM unnest(${LISTS})` };

type Batch = readonly (readonly unknown[])[];

/** Rows of the index in the form of a statement's parameters: a list for each column. */
const takeBatches = async (client: pg.Client, count: number): Promise<Batch[]> => {
  const texts = COLUMNS.map(([name]) => `${name}::text`).join(', ');
  const { rows } = await client.query<unknown[]>({
    text: `SELECT ${texts} FROM identities LIMIT $1`,
    values: [count],
    rowMode: 'array',
  });
  const batches: Batch[] = [];
  for (let from = 0; from < rows.length; from += BATCH) {
    const batch = rows.slice(from, from + BATCH);
    batches.push(COLUMNS.map((_, column) => batch.map((row) => row[column])));
  }
  return batches;
};

/**
 * Records per second of a plain `INSERT … SELECT unnest` of `count` identities. The empty table has the same keys. It runs on
 * the service's own Postgres, with the batch size and concurrency of the ingestion. Each batch is committed to disk.
 */
export const plainInsertRate = async (databaseUrl: string, count: number): Promise<number> => {
  const client = await connectToIndex(databaseUrl);
  const pool = new pg.Pool({ connectionString: databaseUrl, max: BATCHES_AT_ONCE });
  try {
    await client.query(SCHEMA);
    const waiting = (await takeBatches(client, count)).values();
    const startedAt = performance.now();
    const insert = async (): Promise<void> => {
      for (const batch of waiting) await pool.query({ ...INSERT, values: [...batch] });
    };
    await Promise.all(Array.from({ length: BATCHES_AT_ONCE }, insert));
    return (count * 1_000) / (performance.now() - startedAt);
  } finally {
    await client.query('DROP SCHEMA IF EXISTS bench CASCADE');
    await pool.end();
    await client.end();
  }
};
