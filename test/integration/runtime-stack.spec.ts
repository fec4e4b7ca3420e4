import pg from 'pg';
import { createDatabase, redisInstalled, startRedis } from '../support/stack.js';

describe('the stack that tests run on', () => {
  it('gives each caller an empty database of its own on one server', async () => {
    const urls = await Promise.all([createDatabase(), createDatabase()]);
    expect(new URL(urls[0] ?? '').host).toBe(new URL(urls[1] ?? '').host);
    expect(urls[0]).not.toBe(urls[1]);
    const client = new pg.Client({ connectionString: urls[0] });
    await client.connect();
    const { rows } = await client.query(
      "SELECT count(*)::int AS tables FROM information_schema.tables WHERE table_schema = 'public'",
    );
    await client.end();
    expect(rows).toEqual([{ tables: 0 }]);
  }, 60_000);

  (redisInstalled ? it : it.skip)('gives a Redis that answers, or says that none is installed', async () => {
    const redis = await startRedis();
    expect(redis?.url).toMatch(/^redis:\/\/127\.0\.0\.1:\d+\/0$/);
    await redis?.stop();
  });
});
