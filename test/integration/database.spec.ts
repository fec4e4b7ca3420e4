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

describe('an error of our own code', () => {
  let database: Database;
  beforeAll(async () => {
    database = new Database({ connectionString: await createDatabase(), maxConnections: 1 });
  });
  afterAll(() => database.close());

  it('is not taken for an absence of Postgres', async () => {
    const circular: Record<string, unknown> = {};
    circular['itself'] = circular;
    await expect(database.query('SELECT $1::jsonb', [circular])).rejects.toBeInstanceOf(TypeError);
    await expect(database.query('SELEKT 1')).rejects.toMatchObject({ code: '42601' });
  });

  it('is not made of two statements that share a name', async () => {
    for (let time = 0; time < 2; time += 1) {
      expect(await database.query('SELECT 1 AS one', [], 'shared')).toEqual([{ one: 1 }]);
      expect(await database.query('SELECT 2 AS two', [], 'shared')).toEqual([{ two: 2 }]);
    }
  });
});

describe('an absent Postgres', () => {
  it.each([
    ['refuses connections', 'postgresql://nobody@127.0.0.1:1/none'],
    ['has no address', 'postgresql://nobody@postgres.invalid/none'],
  ])('is Unavailable where it %s', async (_, connectionString) => {
    const database = new Database({ connectionString });
    await expect(database.query('SELECT 1')).rejects.toBeInstanceOf(Unavailable);
    await database.close();
  });
});
