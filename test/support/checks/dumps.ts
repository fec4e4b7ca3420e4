import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import pg from 'pg';

/** Every row of every table of a database as text. Binary columns appear in hexadecimal and as raw bytes. */
export const dumpPostgres = async (databaseUrl: string): Promise<Buffer> => {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows: tables } = await client.query<{ name: string }>(
      `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
       WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
    );
    const parts: Buffer[] = [];
    for (const { name } of tables) {
      const { rows } = await client.query<Record<string, unknown>>(`SELECT * FROM ${name}`);
      for (const row of rows) {
        parts.push(Buffer.from(`${name} ${JSON.stringify(row)}\n`));
        parts.push(...Object.values(row).filter((value) => Buffer.isBuffer(value)));
      }
    }
    return Buffer.concat(parts);
  } finally {
    await client.end();
  }
};

/** Every key and value of a Redis, in its own serialisation. */
export const dumpRedis = async (url: string): Promise<Buffer> => {
  const redis = new Redis(url);
  try {
    const parts: Buffer[] = [];
    for (const key of await redis.keys('*')) {
      // Null: a job has ended since its key was listed.
      const value = (await redis.dumpBuffer(key)) as Buffer | null;
      parts.push(Buffer.from(`${key}\n`), value ?? Buffer.alloc(0));
      if ((await redis.type(key)) === 'hash') parts.push(Buffer.from(JSON.stringify(await redis.hgetall(key))));
    }
    return Buffer.concat(parts);
  } finally {
    redis.disconnect();
  }
};

/** Every file under a folder. */
export const filesUnder = (folder: string): { readonly path: string; readonly bytes: Buffer }[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile() === true)
    .map((path) => ({ path, bytes: readFileSync(path) }));
