import { jest } from '@jest/globals';
import { accounts } from '../../projections/accounts/accounts.projection.js';
import { ledger } from '../../projections/ledger/ledger.projection.js';
import { AccountCheck } from '../../src/credits/account-check.js';
import { DriftTable } from '../../src/credits/drift-table.js';
import { DriftWatch } from '../../src/credits/drift-watch.js';
import { newTenantId, newUuid, type TenantId, tenantUuid } from '../../src/kernel/ids.js';
import { Unavailable } from '../../src/kernel/unavailable.js';
import { HealthChecks } from '../../src/observability/health.js';
import { type Logger } from '../../src/observability/logging.js';
import { Metrics } from '../../src/observability/metrics.js';
import { Database } from '../../src/platform/postgres/database.js';
import { schemaOf } from '../../src/log/project/checkpoints.js';
import { PostgresReadModels, readModelSearchPath } from '../../src/log/project/read-models.js';
import { Rebuild } from '../../src/log/project/rebuild.js';
import { type ProjectionRunner } from '../../src/log/project/runner.js';
import { Histories } from './projections-histories.js';
import {
  appendAll,
  BUDGET,
  database,
  openWorld,
  pools,
  run,
  session,
  statusOf,
  store,
  until,
} from './projections-world.js';

openWorld();

const PROJECTIONS = [accounts, ledger];
const live = schemaOf(ledger, 'live');
const stopped = new AbortController().signal;

interface Alarm {
  readonly tenantId: string;
  readonly firstPosition: string;
  readonly rows: readonly string[];
}

interface Watching {
  readonly watch: DriftWatch;
  readonly health: HealthChecks;
  readonly metrics: Metrics;
  readonly alarms: Alarm[];
}

/** One process with the watch. */
const watching = (driftEvery = 0): Watching => {
  const pool = new Database({
    connectionString: database,
    searchPath: `public,${readModelSearchPath(PROJECTIONS)}`,
    ...BUDGET,
  });
  pools.push(pool);
  const readModels = new PostgresReadModels({ database: pool, store, projections: PROJECTIONS });
  const [health, metrics, alarms] = [new HealthChecks(), new Metrics(), [] as Alarm[]];
  const logger = { error: (fields: Alarm) => alarms.push(fields) } as unknown as Logger;
  const watch = new DriftWatch(store, readModels, new DriftTable(pool), health, metrics, { driftEvery }, logger);
  watch.onModuleInit();
  return { watch, health, metrics, alarms };
};

const open = async (tenants: readonly TenantId[]): Promise<bigint> => {
  const history = new Histories((below) => below - 1, tenants);
  for (const tenant of tenants) {
    const created = { tenantId: tenant, name: 'Bank', tier: 'growth', createdAt: history.time() };
    history.write(`account-${tenant}`, 'AccountCreated.v1', created);
  }
  await appendAll(history.written);
  return write(tenants);
};

const write = async (tenants: readonly TenantId[]): Promise<bigint> => {
  const history = new Histories((below) => below - 1, tenants);
  for (const tenant of tenants) {
    const stream = `credits-${tenant}`;
    history.write(stream, 'CreditsAdjusted.v1', { reference: newUuid(), amount: 100, reason: null });
    const ids = [newUuid(), newUuid()] as const;
    for (const deductionId of ids)
      history.write(stream, 'CreditsDeducted.v1', {
        deductionId,
        operation: 'report',
        amount: 5,
        requestId: newUuid(),
      });
    history.write(stream, 'DeductionRefunded.v1', { deductionId: ids[0], amount: 5, reason: 'deadline' });
  }
  return appendAll(history.written);
};

const level = (runner: ProjectionRunner, position: bigint): Promise<void> =>
  until('the rows to be made', () => (statusOf(runner, 'ledger').position ?? 0n) >= position);

/** Rows of the account's uuid. */
const OF = 'tenant = $1';

const round = async ({ watch }: Watching, times = 1): Promise<void> => {
  for (let turn = 0; turn < times; turn += 1) await watch.watch(stopped);
};

const untilRounds = async (one: Watching, done: () => boolean | Promise<boolean>): Promise<void> => {
  for (let turn = 0; !(await done()); turn += 1) {
    if (turn > 100) throw new Error('not within 100 rounds');
    await round(one);
  }
};

const measured = async ({ metrics }: Watching, name: string): Promise<number> =>
  Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(await metrics.registry.metrics())?.[1]);

describe('the drift watch', () => {
  it('goes from account to account, over restarts, and finds nothing where nothing is', async () => {
    const tenants = [newTenantId(), newTenantId(), newTenantId()].sort();
    await level(await run(PROJECTIONS), await open(tenants));
    const one = watching();
    await round(one, 2);
    const turns = () =>
      session.query<{ tenant: string }>('SELECT tenant_id AS tenant FROM drift_checks ORDER BY turn_at');
    expect((await turns()).map(({ tenant }) => tenant)).toEqual(tenants.slice(0, 2));
    const successor = watching();
    await round(successor, 2);
    expect((await turns()).map(({ tenant }) => tenant)).toEqual([tenants[1], tenants[2], tenants[0]]);
    expect(one.alarms.concat(successor.alarms)).toEqual([]);
    expect((await one.health.ready()).status).toBe('up');
    expect(await measured(one, 'drift_accounts')).toBe(0);
    expect(await measured(successor, 'drift_accounts_checked_total')).toBe(2);
  });

  it('gives an account no second turn within ten intervals, and a new account its first', async () => {
    const checks = () => session.query('SELECT tenant_id, checked_at FROM drift_checks ORDER BY checked_at');
    const runner = await run(PROJECTIONS);
    await level(runner, await open([newTenantId()]));
    await session.query('DELETE FROM drift_checks');
    await round(watching(60_000), 10);
    const first = await checks();
    expect(first.length).toBeGreaterThan(0);
    const later = newTenantId();
    await level(runner, await open([later]));
    await round(watching(60_000), 10);
    expect(await checks()).toEqual([...first, expect.objectContaining({ tenant_id: later })]);
  });

  it('surveys all accounts by their sums, and looks at once at one that changed without a transaction', async () => {
    const tenants = [newTenantId(), newTenantId(), newTenantId()].sort();
    const [, used, tampered] = tenants as [TenantId, TenantId, TenantId];
    const runner = await run(PROJECTIONS);
    await level(runner, await open(tenants));
    const one = watching();
    const known = 'SELECT FROM drift_checks WHERE tenant_id = ANY ($1) AND sums IS NOT NULL';
    await untilRounds(one, async () => (await session.query(known, [tenants])).length === tenants.length);
    const checked = () => measured(one, 'drift_accounts_checked_total');
    await one.watch.survey(stopped);
    const before = await checked();
    await level(runner, await write([used]));
    await session.query(`UPDATE ${live}.usage_by_day SET credits = credits + 5 WHERE tenant_id = $1`, [tampered]);
    await one.watch.survey(stopped);
    expect(await checked()).toBe(before + 1);
    expect(one.alarms.map(({ tenantId }) => tenantId)).toEqual([tampered]);
    await session.query(`UPDATE ${live}.usage_by_day SET credits = credits - 5 WHERE tenant_id = $1`, [tampered]);
  });

  it('surveys on past an account that cannot be compared, and reports it', async () => {
    const tenants = [newTenantId(), newTenantId()].sort() as [TenantId, TenantId];
    await level(await run(PROJECTIONS), await open(tenants));
    const one = watching();
    const known = 'SELECT FROM drift_checks WHERE tenant_id = ANY ($1) AND sums IS NOT NULL';
    await untilRounds(one, async () => (await session.query(known, [tenants])).length === tenants.length);
    const change = (by: number) =>
      session.query(`UPDATE ${live}.usage_by_day SET credits = credits + $2 WHERE tenant_id = ANY ($1)`, [tenants, by]);
    await change(5);
    const { run: compare } = AccountCheck.prototype;
    const comparing = jest.spyOn(AccountCheck.prototype, 'run').mockImplementation(function (
      this: AccountCheck,
      ...of
    ) {
      if (of[0] === tenants[0]) return Promise.reject(new Error('its stream cannot be read'));
      return compare.apply(this, of);
    });
    await expect(one.watch.survey(stopped)).rejects.toThrow('its stream cannot be read');
    comparing.mockRestore();
    expect(one.alarms.map(({ tenantId }) => tenantId)).toEqual([tenants[1]]);
    await change(-5);
    await session.query(`UPDATE drift_checks SET differing = 0`);
  });

  it('is not misled by rows that lag', async () => {
    const tenant = newTenantId();
    const runner = await run(PROJECTIONS);
    await level(runner, await open([tenant]));
    await runner.stop();
    await write([tenant]);
    const one = watching();
    await round(one);
    expect(one.alarms).toEqual([]);
    expect(await session.query('SELECT 1 FROM drift_checks WHERE differing = 0')).toHaveLength(1);
  });

  it('finds a fault in any table, tells where, and takes it back once it is mended', async () => {
    const faults = [
      ['balances balance', `UPDATE ${live}.balances SET balance = balance + 1 WHERE tenant_id = $1`],
      ['balances balance', `DELETE FROM ${live}.balances WHERE tenant_id = $1`],
      [
        'credit_transactions 3 amount',
        `UPDATE ${live}.credit_transactions SET amount = -amount WHERE ${OF} AND revision = 3`,
      ],
      ['credit_transactions 1 amount', `DELETE FROM ${live}.credit_transactions WHERE ${OF} AND revision = 1`],
      ['usage_by_day', `UPDATE ${live}.usage_by_day SET credits = credits + 5 WHERE tenant_id = $1`],
      ['open_deductions', `DELETE FROM ${live}.open_deductions WHERE tenant_id = $1`],
    ] as const;
    const tenants = faults.map(() => newTenantId());
    await level(await run(PROJECTIONS), await open(tenants));
    for (const [index, [, fault]] of faults.entries()) {
      const tenant = tenants[index] ?? newTenantId();
      await session.query(fault, fault.includes(OF) ? [tenantUuid(tenant)] : [tenant]);
    }
    const one = watching();
    await untilRounds(one, () => one.alarms.length === faults.length);
    for (const [index, [row]] of faults.entries()) {
      const alarm = one.alarms.find(({ tenantId }) => tenantId === tenants[index]);
      expect(alarm?.rows[0]).toContain(row);
    }
    const first = Math.min(...one.alarms.map(({ firstPosition }) => Number(firstPosition)));
    expect(await measured(one, 'drift_accounts')).toBe(faults.length);
    expect(await measured(one, 'drift_first_position')).toBe(first);
    const { status, parts, notes } = await one.health.ready();
    expect([status, parts['drift']]).toEqual(['degraded', 'degraded']);
    expect(notes?.['drift']).toBe(`rows of 6 accounts are not what the log says, first at position ${first}`);

    const options = { session, store, projection: ledger, signal: stopped };
    await (await Rebuild.begin(options)).swap();
    await untilRounds(one, async () => {
      await session.query(`UPDATE drift_checks SET checked_at = '-infinity'`);
      return (await measured(one, 'drift_accounts')) === 0;
    });
    one.health.changed();
    expect((await one.health.ready()).status).toBe('up');
    expect(one.alarms).toHaveLength(faults.length);
  });

  it('waits where the rows are of another version', async () => {
    const one = watching();
    await write([newTenantId()]);
    await expect(round(one)).rejects.toThrow(Unavailable);
  });
});
