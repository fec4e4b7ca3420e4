import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { eventually } from '../processes.js';

/** Copies a whole database beside it, like a back-up restored elsewhere. The test stops all users of the database first. */
export const copyOfDatabase = async (databaseUrl: string): Promise<string> => {
  const copy = new URL(databaseUrl);
  const original = copy.pathname.slice(1);
  const name = `copy_${randomBytes(8).toString('hex')}`;
  copy.pathname = '/postgres';
  const client = new pg.Client({ connectionString: copy.href });
  await client.connect();
  try {
    // The last connections take a moment to end.
    await eventually('a copy of the database', () =>
      client
        .query(`CREATE DATABASE ${pg.escapeIdentifier(name)} TEMPLATE ${pg.escapeIdentifier(original)}`)
        .then(() => true),
    );
  } finally {
    await client.end();
  }
  copy.pathname = `/${name}`;
  return copy.href;
};
