import { randomBytes } from 'node:crypto';
import { Database } from '../../src/platform/postgres/database.js';
import { forgetFreedPages } from '../../src/platform/postgres/maintenance.js';
import { createDatabase } from '../support/stack.js';

describe('after a deletion', () => {
  let database: Database;
  beforeAll(async () => {
    database = new Database({ connectionString: await createDatabase(), budgetMs: 5_000 });
    await database.query(
      'CREATE TABLE secrets (id int PRIMARY KEY, secret text STORAGE plain) WITH (autovacuum_enabled = off)',
    );
  });
  afterAll(() => database.close());

  /** The table's own pages as they stand in the file, after what is in memory was written. */
  const pages = async (): Promise<string> => {
    await database.maintain('CHECKPOINT', 60_000);
    const [row] = await database.query<{ pages: string }>(
      `SELECT encode(pg_read_binary_file(pg_relation_filepath('secrets')), 'escape') AS pages`,
    );
    return row?.pages ?? '';
  };

  it('leaves nothing of the last rows of a table in its file', async () => {
    const secret = randomBytes(16).toString('hex');
    await database.query('INSERT INTO secrets SELECT n, $1 || n FROM generate_series(1, 50) AS n', [secret]);
    await database.query('DELETE FROM secrets');
    expect(await pages()).toContain(secret);
    expect(await forgetFreedPages(database, ['secrets'], { ownServer: false })).toEqual([]);
    expect(await pages()).not.toContain(secret);
  });

  it('says which step a server refuses, and goes on with the others', async () => {
    const refused = await forgetFreedPages(database, ['no_such_table', 'secrets'], { ownServer: false });
    expect(refused.map(({ step }) => step)).toEqual(['VACUUM (INDEX_CLEANUP ON) no_such_table']);
  });
});
