import { Leadership } from '../../src/platform/leadership/leadership.js';
import { Database } from '../../src/platform/postgres/database.js';
import { createServiceDatabase, eventually, sleep } from '../support/stack.js';

const BEAT = 100;

let url: string;
let database: Database;
const instances: Leadership[] = [];

const start = (changed: string[] = [], leaseMs?: number): Leadership => {
  const leadership = new Leadership({
    database: url,
    beatMs: BEAT,
    ...(leaseMs === undefined ? {} : { leaseMs }),
    onFault: (error) => {
      throw error;
    },
  });
  instances.push(leadership);
  const note = (what: string) => (): void => void changed.push(what);
  leadership.claim({ name: 'work', gained: note('gained'), lost: note('lost') });
  return leadership;
};
const leaders = (): number => instances.filter((instance) => instance.holds('work')).length;
const connectionOf = async (application: string): Promise<void> => {
  await database.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1', [
    application,
  ]);
};

beforeEach(async () => {
  url = await createServiceDatabase();
  database = new Database({ connectionString: url, budgetMs: 10_000 });
}, 60_000);

afterEach(async () => {
  await Promise.all(instances.splice(0).map((instance) => instance.close()));
  await database.close();
});

describe('leadership', () => {
  it('is one instance’s, and another one’s soon after it ends', async () => {
    start();
    start();
    start();
    await eventually('a leader', () => leaders() === 1);
    await sleep(3 * BEAT);
    expect(leaders()).toBe(1);
    const first = instances.findIndex((instance) => instance.holds('work'));
    await instances[first]?.close();
    await eventually('the next leader', () => leaders() === 1);
  });

  it('is lost with the connection, and nothing can be written in its name any more', async () => {
    const changed: string[] = [];
    const instance = start(changed);
    await eventually('a leader', () => leaders() === 1);
    await expect(instance.query('work', 'SELECT 1 AS one', [])).resolves.toEqual([{ one: 1 }]);
    await connectionOf('leadership');
    await expect(instance.query('work', 'SELECT 1 AS one', [])).rejects.toThrow(/unavailable/i);
    expect(instance.holds('work')).toBe(false);
    await eventually('the leader again', () => leaders() === 1);
    expect(changed).toEqual(['gained', 'lost', 'gained']);
  });

  it('is left without an error where the connection is gone already', async () => {
    const one = start();
    await eventually('a leader', () => leaders() === 1);
    await connectionOf('leadership');
    await one.resign('work');
    start();
    await eventually('the next leader', () => leaders() === 1);
    expect(one.holds('work')).toBe(false);
  });

  it('is the instance’s of the highest rank, however many others want it', async () => {
    const ranked = (rank: bigint, changed: string[] = []): Leadership => {
      const instance = new Leadership({ database: url, beatMs: BEAT, onFault: () => undefined });
      instances.push(instance);
      const note = (what: string) => (): void => void changed.push(what);
      instance.claim({
        name: 'work',
        rank: () => Promise.resolve(rank),
        gained: note('gained'),
        lost: note('lost'),
      });
      return instance;
    };
    const older = [ranked(1n), ranked(1n), ranked(1n)];
    await eventually('a leader', () => leaders() === 1);
    const changed: string[] = [];
    const newer = ranked(2n, changed);
    await eventually('the newer one', () => newer.holds('work'));
    await sleep(10 * BEAT);
    expect([newer.holds('work'), older.some((one) => one.holds('work')), changed]).toEqual([true, false, ['gained']]);
    await newer.close();
    await eventually('an older one, where there is no other', () => older.some((one) => one.holds('work')));
  });

  it('is taken from an instance that is stopped and keeps its connection', async () => {
    const stalled = new Leadership({ database: url, beatMs: 1_000_000, onFault: () => undefined });
    stalled.claim({ name: 'work' });
    await eventually('the silent leader', () => stalled.holds('work'));
    start([], 500);
    await eventually('the next leader', () => leaders() === 1);
    await expect(stalled.query('work', 'SELECT 1', [])).rejects.toThrow(/unavailable/i);
    await stalled.close();
  });

  it('is given up without a beat, before another instance may lead', async () => {
    const changed: string[] = [];
    const note = (what: string) => (): void => void changed.push(what);
    const stalled = new Leadership({ database: url, beatMs: 1_000_000, leaseMs: 1_000, onFault: () => undefined });
    instances.push(stalled);
    stalled.claim({ name: 'work', gained: note('gained'), lost: note('lost') });
    await eventually('the silent leader', () => stalled.holds('work'));
    const until = performance.now() + 900;
    // Nothing else runs meanwhile, as in a process that is stopped.
    while (performance.now() < until);
    expect(stalled.holds('work')).toBe(false);
    await expect(stalled.query('work', 'SELECT 1', [])).rejects.toThrow(/unavailable/i);
    await eventually('the loss', () => changed.includes('lost'));
    expect(changed).toEqual(['gained', 'lost']);
  });
});
