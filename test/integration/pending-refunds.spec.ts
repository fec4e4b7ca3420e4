import { PostgresPendingRefunds } from '../../src/credits/pending-refunds.js';
import { newTenantId, newUuid } from '../../src/kernel/ids.js';
import { Database } from '../../src/platform/postgres/database.js';
import { createServiceDatabase } from '../support/stack.js';

let database: Database;
let duties: PostgresPendingRefunds;

beforeAll(async () => {
  database = new Database({ connectionString: await createServiceDatabase() });
  duties = new PostgresPendingRefunds(database);
}, 60_000);

afterAll(() => database.close());

describe('duties to refund', () => {
  it('are noted and discharged by the thousand, each for its own account, in few statements', async () => {
    const [ours, theirs] = [newTenantId(), newTenantId()];
    const made = Array.from({ length: 2_000 }, (_, index) => ({
      tenantId: index % 2 === 0 ? ours : theirs,
      deductionId: newUuid(),
    }));
    let statements = 0;
    const query = database.query.bind(database);
    database.query = ((...of: Parameters<typeof query>) => ((statements += 1), query(...of))) as typeof query;
    await Promise.all(made.map((duty) => duties.note(duty)));
    expect(statements).toBeLessThanOrEqual(4);
    database.query = query;
    const ids = made.map(({ deductionId }) => deductionId);
    expect((await duties.noted(ours, ids)).size).toBe(1_000);
    const [first, ...rest] = made.filter(({ tenantId }) => tenantId === ours);
    await Promise.all(rest.map((duty) => duties.complete(duty)));
    expect(await duties.noted(ours, ids)).toEqual(new Set([first?.deductionId]));
    expect((await duties.noted(theirs, ids)).size).toBe(1_000);
  });

  it('may be noted and discharged again', async () => {
    const duty = { tenantId: newTenantId(), deductionId: newUuid() };
    await duties.note(duty);
    await duties.note(duty);
    expect(await duties.noted(duty.tenantId, [duty.deductionId])).toEqual(new Set([duty.deductionId]));
    await duties.complete(duty);
    await duties.complete(duty);
    expect((await duties.noted(duty.tenantId, [duty.deductionId])).size).toBe(0);
  });

  it('of long ago are found page by page in the order of their key', async () => {
    await database.query('DELETE FROM refund_duties');
    const made = [1, 2, 3].map(() => ({ tenantId: newTenantId(), deductionId: newUuid() }));
    for (const [index, duty] of made.entries()) {
      await duties.note(duty);
      const age = `UPDATE refund_duties SET noted_at = now() - make_interval(hours => $2) WHERE deduction_id = $1`;
      await database.query(age, [duty.deductionId, index]);
    }
    const [, ...old] = made;
    const [first, second] = old.sort((one, other) => (one.tenantId < other.tenantId ? -1 : 1));
    expect(await duties.notedBefore(1_800_000, 10)).toEqual([first, second]);
    expect(await duties.notedBefore(1_800_000, 1)).toEqual([first]);
    expect(await duties.notedBefore(1_800_000, 10, first)).toEqual([second]);
    expect(await duties.notedBefore(1_800_000, 10, second)).toEqual([]);
  });
});
