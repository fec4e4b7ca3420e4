import { ConsoleSessions, type Session } from '../../src/accounts/sessions/console-sessions.js';
import { newTenantId } from '../../src/kernel/ids.js';
import { Database } from '../../src/platform/postgres/database.js';
import { ManualClock } from '../support/manual-clock.js';
import { createServiceDatabase } from '../support/stack.js';

const MINUTE = 60_000;

let database: Database;
let clock: ManualClock;
let sessions: ConsoleSessions;

beforeAll(async () => {
  database = new Database({ connectionString: await createServiceDatabase() });
});
afterAll(() => database.close());
beforeEach(() => {
  clock = new ManualClock();
  sessions = new ConsoleSessions(database, clock);
});

const someone = (): Session => ({
  principal: { kind: 'tenant', tenantId: newTenantId(), keyId: 'HyBJKgiB' },
  isDemo: false,
});

describe('a session', () => {
  it('is found on every instance, by its token alone', async () => {
    const session = someone();
    const token = await sessions.begin(session);
    expect(await new ConsoleSessions(database, clock).find(token)).toEqual(session);
    expect(await sessions.find('A'.repeat(43))).toBeUndefined();
    const rows = await database.query<{ row: string }>('SELECT s::text AS row FROM console_sessions s');
    expect(rows.map(({ row }) => row).join('\n')).not.toContain(token);
  });

  it('lasts as long as it is used, for eight hours at most', async () => {
    const token = await sessions.begin(someone());
    for (let minutes = 0; minutes < 8 * 60; minutes += 20) {
      expect([minutes, await sessions.find(token)]).toEqual([minutes, expect.any(Object)]);
      clock.advance(20 * MINUTE);
    }
    clock.advance(1);
    expect(await sessions.find(token)).toBeUndefined();
  });

  it('ends after 30 minutes without a request', async () => {
    const token = await sessions.begin(someone());
    clock.advance(30 * MINUTE);
    expect(await sessions.find(token)).toEqual(expect.any(Object));
    clock.advance(30 * MINUTE + 1);
    expect(await sessions.find(token)).toBeUndefined();
  });

  it('that was ended elsewhere is over here too', async () => {
    const elsewhere = new ConsoleSessions(database, clock);
    const token = await sessions.begin(someone());
    expect(await elsewhere.find(token)).toEqual(expect.any(Object));
    await sessions.end(token);
    expect([await sessions.find(token), await elsewhere.find(token)]).toEqual([undefined, undefined]);
  });

  it('gives way to one other, and to none once it is over', async () => {
    const former = await sessions.begin(someone());
    const wanted = someone();
    const begun = await Promise.all(Array.from({ length: 4 }, () => sessions.replace(former, wanted)));
    const tokens = begun.filter((token) => token !== undefined);
    expect(tokens).toHaveLength(1);
    expect(await sessions.find(tokens[0] ?? '')).toEqual(wanted);
    expect(await sessions.find(former)).toBeUndefined();
  });

  it('is known here once it was found, so that who guesses can be told apart', async () => {
    const token = await sessions.begin(someone());
    const here = new ConsoleSessions(database, clock);
    expect(here.knows(token)).toBe(false);
    await here.find(token);
    await here.find('A'.repeat(43));
    expect([here.knows(token), here.knows('A'.repeat(43))]).toEqual([true, false]);
  });

  it('leaves nothing behind once it is over', async () => {
    const { principal, isDemo } = someone();
    await sessions.begin({ principal, isDemo });
    clock.advance(31 * MINUTE);
    await sessions.begin(someone());
    const rows = await database.query('SELECT 1 FROM console_sessions WHERE principal = $1', [
      JSON.stringify(principal),
    ]);
    expect(rows).toEqual([]);
  });

  it('of an operator names nobody in the database, and leaves no row once it is over', async () => {
    await database.query('DELETE FROM console_sessions');
    const subject = 'josephine@example.org';
    const token = await sessions.begin({ principal: { kind: 'operator', subject, roles: ['admin'] }, isDemo: false });
    const rows = await database.query<{ row: string; principal: Buffer }>(
      'SELECT s::text AS row, principal FROM console_sessions s',
    );
    for (const { row, principal } of rows) expect(`${row} ${principal.toString('latin1')}`).not.toContain(subject);
    expect((await sessions.find(token))?.principal).toMatchObject({ subject });
    clock.advance(31 * MINUTE);
    await sessions.purge();
    expect(await database.query('SELECT FROM console_sessions')).toEqual([]);
  });

  it('does not last because it is looked at', async () => {
    const token = await sessions.begin(someone());
    for (let minutes = 0; minutes < 30; minutes += 10) {
      clock.advance(10 * MINUTE);
      expect(await sessions.find(token, false)).toEqual(expect.any(Object));
    }
    clock.advance(1);
    expect(await sessions.find(token, false)).toBeUndefined();
  });
});
