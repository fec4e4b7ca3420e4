import { fork } from 'node:child_process';
import { once } from 'node:events';
import pg from 'pg';
import { plainContact } from '../load/requests.js';

/** Chosen by measurement. Both more and fewer connections lower the rate. */
const CONNECTIONS = 16;
const ROWS_A_STATEMENT = 10_000;

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS bare_entry (id uuid PRIMARY KEY, tenant text NOT NULL, detail jsonb NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now());
  CREATE TABLE IF NOT EXISTS bare_identity (email text, phone text, tier text NOT NULL, verified_at timestamptz NOT NULL,
    PRIMARY KEY (email, phone));
`;

const INSERT_IDENTITIES = `
  INSERT INTO bare_identity SELECT email, phone, 'Tier2', now() FROM unnest($1::text[], $2::text[]) AS given (email, phone)
  ON CONFLICT DO NOTHING`;

/** Gives the bare handler the same identities to find. */
export const fillBare = async (databaseUrl: string, first: number, count: number): Promise<void> => {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(SCHEMA);
    for (let from = first; from < first + count; from += ROWS_A_STATEMENT) {
      const size = Math.min(ROWS_A_STATEMENT, first + count - from);
      const contacts = Array.from({ length: size }, (_, offset) => plainContact(from + offset));
      await client.query(INSERT_IDENTITIES, [contacts.map(({ email }) => email), contacts.map(({ phone }) => phone)]);
    }
    await client.query('VACUUM ANALYZE bare_identity');
  } finally {
    await client.end();
  }
};

export interface BareServer {
  readonly port: number;
  readonly pid: number;
  stop(): Promise<void>;
}

export const startBare = async (databaseUrl: string): Promise<BareServer> => {
  const child = fork(new URL('./bare-fastify.js', import.meta.url));
  child.send({ databaseUrl, connections: CONNECTIONS });
  const [word] = (await once(child, 'message')) as [{ address?: string; error?: string }];
  if (word.address === undefined) throw new Error(`the bare handler did not start: ${word.error ?? ''}`);
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    await once(child, 'exit');
  };
  return { port: Number(new URL(word.address).port), pid: child.pid ?? 0, stop };
};
