import { Unavailable } from '../../src/kernel/unavailable.js';
import { Database } from '../../src/platform/postgres/database.js';
import { createDatabase, sleep } from '../support/stack.js';

describe('a transaction whose connection breaks between two statements', () => {
  it('is Unavailable at the next of them, and the process lives on', async () => {
    const database = new Database({ connectionString: await createDatabase(), budgetMs: 5_000 });
    try {
      const broken = database.transaction(async (transaction) => {
        const [row] = await transaction.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
        await database.query('SELECT pg_terminate_backend($1)', [row?.pid]);
        await sleep(200);
        await transaction.query('SELECT 1');
      });
      await expect(broken).rejects.toBeInstanceOf(Unavailable);
      expect(await database.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
    } finally {
      await database.close();
    }
  });
});
