import { PostgresPendingReversals } from '../../src/credits/pending-reversals.js';
import { newTenantId, newUuid } from '../../src/kernel/ids.js';
import { Database } from '../../src/platform/postgres/database.js';
import { createServiceDatabase } from '../support/stack.js';

let database: Database;
let pending: PostgresPendingReversals;

beforeAll(async () => {
  database = new Database({ connectionString: await createServiceDatabase() });
  pending = new PostgresPendingReversals(database);
}, 60_000);

afterAll(() => database.close());

describe('reversals under way', () => {
  it('are noted whole, found page by page in the order of their key, and removed', async () => {
    const tenants = [newTenantId(), newTenantId()].sort();
    const made = tenants.flatMap((tenantId) =>
      [newUuid(), newUuid()].sort().map((chargeId, index) => ({
        tenantId,
        chargeId,
        afterRevision: BigInt(index) - 1n,
        keyedRow: index === 0 ? null : 'ab'.repeat(32),
      })),
    );
    await Promise.all([...made, ...made].map((reversal) => pending.note(reversal)));
    const pages = [];
    for (let after; ; after = pages.at(-1)?.at(-1)) {
      const page = await pending.notedBefore(0, 3, after);
      if (page.length === 0) break;
      pages.push(page);
    }
    expect(pages).toEqual([made.slice(0, 3), made.slice(3)]);
    expect(await pending.notedBefore(60_000, 10)).toEqual([]);
    await Promise.all(made.map((reversal) => pending.remove(reversal)));
    expect(await pending.notedBefore(0, 10)).toEqual([]);
  });
});
