import fc from 'fast-check';
import { ManualClock } from '../../../test/support/manual-clock.js';
import { newTenantId } from '../../kernel/ids.js';
import { Unavailable } from '../../kernel/unavailable.js';
import { HeldKey } from './data-keys.js';
import { TenantKeys } from './tenant-keys.js';

const LIMITS = { lease: 4, most: 10 };
const DAY = 24 * 3_600_000;

/** The table of keys, shared by instances. */
class Table {
  readonly leased = new Map<string, number>();
  statements = 0;
  failing: string | undefined;

  ofOwner = ({ tenantId, subject }: { tenantId: string; subject: string }): Promise<HeldKey> => {
    if (subject === this.failing) return Promise.reject(new Unavailable('keys'));
    return Promise.resolve(new HeldKey(`${tenantId}${subject}`, Buffer.alloc(32)));
  };

  takeSeals = async (ids: readonly string[], seals: number, most: number): Promise<ReadonlySet<string>> => {
    this.statements += 1;
    await Promise.resolve();
    const granted = ids.filter((id) => (this.leased.get(id) ?? 0) + seals <= most);
    for (const id of granted) this.leased.set(id, (this.leased.get(id) ?? 0) + seals);
    return new Set(granted);
  };
}

const instanceOf = (table: Table, clock: ManualClock): TenantKeys =>
  new TenantKeys(table, table.takeSeals, clock, LIMITS);

describe('the keys of a tenant', () => {
  const tenant = newTenantId();

  it('are used for so many seals at most, however many instances there are and however often they start', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            at: fc.nat({ max: 2 }),
            batches: fc.array(fc.integer({ min: 1, max: LIMITS.lease }), { maxLength: 9 }),
            restarts: fc.boolean(),
          }),
        ),
        async (steps) => {
          const table = new Table();
          const clock = new ManualClock();
          const used = new Map<string, number>();
          const instances = [0, 1, 2].map(() => instanceOf(table, clock));
          for (const { at, batches, restarts } of steps) {
            if (restarts) instances[at] = instanceOf(table, clock);
            for (const seals of batches) {
              const key = await instances[at]?.take(tenant, 'audit', seals);
              if (key !== undefined) used.set(key.id, (used.get(key.id) ?? 0) + seals);
            }
          }
          for (const count of used.values()) expect(count).toBeLessThanOrEqual(LIMITS.most);
        },
      ),
    ));

  it('are one a purpose and UTC month, of stored answers one a day, by the clock that is given', async () => {
    const clock = new ManualClock(Date.parse('2026-11-30T23:59:59.999Z'));
    const keys = instanceOf(new Table(), clock);
    const ids = async () => [
      (await keys.take(tenant, 'audit')).id,
      (await keys.take(tenant, 'texts')).id,
      (await keys.take(tenant, 'answers')).id,
    ];
    expect(await ids()).toEqual([`${tenant}/audit/2026-11`, `${tenant}/texts/2026-11`, `${tenant}/answers/2026-11-30`]);
    clock.advance(1);
    expect(await ids()).toEqual([`${tenant}/audit/2026-12`, `${tenant}/texts/2026-12`, `${tenant}/answers/2026-12-01`]);
    clock.advance(DAY);
    expect((await ids())[2]).toBe(`${tenant}/answers/2026-12-02`);
  });

  it('turn with the month in a statement or two, whatever the number of tenants and of those who wait', async () => {
    const clock = new ManualClock(Date.parse('2026-11-30T23:59:59.999Z'));
    const table = new Table();
    const keys = instanceOf(table, clock);
    const tenants = Array.from({ length: 500 }, () => newTenantId());
    await Promise.all(tenants.map((one) => keys.take(one, 'audit')));
    clock.advance(1);
    table.statements = 0;
    const taken = await Promise.all([...tenants, ...tenants].map((one) => keys.take(one, 'audit')));
    expect(new Set(taken.map(({ id }) => id)).size).toBe(500);
    expect(table.statements).toBeLessThanOrEqual(2);
  });

  it('are leased once by those who ask while a lease is under way', async () => {
    const table = new Table();
    const keys = instanceOf(table, new ManualClock());
    const first = keys.take(tenant, 'audit');
    await Promise.resolve();
    await Promise.resolve();
    await Promise.all([first, keys.take(tenant, 'audit'), keys.take(tenant, 'audit')]);
    expect([...table.leased.values()]).toEqual([LIMITS.lease]);
  });

  it('are refused to those alone whose own key is out of reach', async () => {
    const table = new Table();
    const keys = instanceOf(table, new ManualClock());
    table.failing = '/texts/2026-03';
    const both = [keys.take(tenant, 'texts'), keys.take(tenant, 'audit')];
    expect((await Promise.allSettled(both)).map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
    table.failing = undefined;
    expect((await keys.take(tenant, 'texts')).id).toBe(`${tenant}/texts/2026-03`);
  });
});
