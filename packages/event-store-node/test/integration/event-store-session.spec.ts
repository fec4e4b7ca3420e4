import { Session } from '../../src/postgres/session.js';
import { createDatabase } from '../../../../test/support/postgres.js';

describe('a Postgres session of the event store', () => {
  it('does not ask for those who have given up before their turn comes', async () => {
    const session = await Session.open(await createDatabase(), 5_000);
    await session.run('CREATE SEQUENCE asked', 5_000);
    const ask = { name: 'ask', text: `SELECT nextval('asked')` };
    const giveUp = new AbortController();
    const before = session.query({ name: 'sleep', text: 'SELECT pg_sleep(0.2)' }, [], 5_000);
    const given = session.query(ask, [], 5_000, giveUp.signal);
    const longQuery = session.query(ask, [], 5_000, new AbortController().signal);
    giveUp.abort();
    await expect(given).rejects.toThrow('aborted');
    expect(await longQuery).toEqual([['1']]);
    await before;
    await session.close();
  });
});
