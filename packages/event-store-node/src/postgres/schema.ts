import pg from 'pg';
import { type Session } from './session.js';

/**
 * A row of `writes` holds consecutive events of one stream in their wire format. `position` and `revision` are those of its
 * last event. The rows have no compression and room for 8 KB inside the row, since small writes are the frequent ones.
 */
const SCHEMA = `
  CREATE SCHEMA IF NOT EXISTS event_store;
  CREATE TABLE event_store.streams (
    id bigint PRIMARY KEY,
    name text COLLATE "C" NOT NULL UNIQUE
  );
  CREATE TABLE event_store.writes (
    position bigint PRIMARY KEY,
    stream bigint NOT NULL,
    revision bigint NOT NULL,
    events integer NOT NULL,
    created_at bigint NOT NULL,
    frames bytea NOT NULL
  ) WITH (toast_tuple_target = 8160);
  ALTER TABLE event_store.writes ALTER COLUMN frames SET STORAGE EXTERNAL;
  CREATE UNIQUE INDEX writes_by_stream ON event_store.writes (stream, revision);
  CREATE INDEX tombstones ON event_store.writes (stream) WHERE revision = 9223372036854775807;
`;

const UNKNOWN_DATABASE = '3D000';
const DATABASE_EXISTS = '42P04';

const EXISTS = { name: 'schema-exists', text: `SELECT to_regclass('event_store.writes')` };

/** Creates the schema where it is missing. Runs under the owner's lock only. */
export async function ensureSchema(session: Session): Promise<void> {
  const [row] = await session.query(EXISTS, [], 10_000);
  if (row?.[0] === null) await session.run(`BEGIN; ${SCHEMA} COMMIT`, 10_000);
}

/** Creates the database where the server reports it as missing. */
export async function ensureDatabase(databaseUrl: string): Promise<void> {
  if ((await connectError(databaseUrl)) !== UNKNOWN_DATABASE) return;
  const url = new URL(databaseUrl);
  const name = decodeURIComponent(url.pathname.slice(1));
  url.pathname = '/postgres';
  const client = new pg.Client({ connectionString: url.toString(), connectionTimeoutMillis: 2_000 });
  await client.connect();
  try {
    await client.query(`CREATE DATABASE ${client.escapeIdentifier(name)}`);
  } catch (error) {
    if ((error as { code?: string }).code !== DATABASE_EXISTS) throw error;
  } finally {
    await client.end();
  }
}

async function connectError(databaseUrl: string): Promise<string | undefined> {
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 2_000 });
  try {
    await client.connect();
    await client.end();
    return undefined;
  } catch (error) {
    return (error as { code?: string }).code;
  }
}
