import { ledger } from '../../projections/ledger/ledger.projection.js';
import { projectionsCommand } from '../../src/cli/projections.js';
import { type StoredEvent } from '../../src/kernel/events.js';
import { newTenantId, newUuid } from '../../src/kernel/ids.js';
import { schemaOf } from '../../src/log/project/checkpoints.js';
import { type Projection } from '../../src/log/project/projection.js';
import { readVerifications } from '../../src/log/project/verifications.js';
import { Histories } from './projections-histories.js';
import { appendAll, database, openWorld, run, session, statusOf, store, until } from './projections-world.js';
import { unrecorded } from '../support/unrecorded.js';

openWorld();

interface CommandResult {
  readonly code: number;
  readonly output: string;
}

const command = async (...words: string[]): Promise<CommandResult> => {
  const lines: string[] = [];
  const print = (line: string): void => void lines.push(line);
  const context = { store, database, print, signal: new AbortController().signal, ...unrecorded };
  const code = await projectionsCommand(words, [ledger], { print, open: (work) => work(context) });
  return { code, output: lines.join('\n') };
};

interface Found {
  readonly table: string;
  readonly key: readonly unknown[];
  readonly event: { readonly position: string; readonly type: string } | null;
}

interface Verified {
  readonly equal: boolean;
  readonly compared: readonly { readonly tables: readonly { readonly differences: readonly Found[] }[] }[];
}

/** The ledger with an error that went live with an event: refunds count with the wrong sign. */
const withSignError = (isWrong: (event: StoredEvent) => boolean): Projection => {
  const turned = (event: StoredEvent): StoredEvent => {
    if (event.type !== 'CreditsReturned.v1' || !isWrong(event)) return event;
    const data = event.data as { readonly amount: number };
    return { ...event, data: { ...data, amount: -data.amount } };
  };
  return { ...ledger, project: (events) => ledger.project(events.map(turned)) };
};

const tenant = newTenantId();
const numbers = (below: number): number => Math.floor(Math.random() * below);

const settle = (history: Histories, deductionId: string): void => {
  const entry = { action: 'report_created', result: 'ok', access: { ct: 'sealed' } };
  history.write(`credits-${tenant}`, 'DeductionSettled.v1', { deductionId, ...entry });
};

/** A deduction whose credits were given back, for each of the amounts. */
const giveBack = (history: Histories, amounts: readonly number[]): void => {
  for (const amount of amounts) {
    const deducted = { deductionId: newUuid(), operation: 'report', amount, requestId: newUuid() };
    history.write(`credits-${tenant}`, 'CreditsDeducted.v1', deducted);
    settle(history, deducted.deductionId);
    const returned = { reference: newUuid(), deductionId: deducted.deductionId, operation: 'report', amount };
    history.write(`credits-${tenant}`, 'CreditsReturned.v1', returned);
  }
};

const live = schemaOf(ledger, 'live');

describe('a projection that was broken for a while', () => {
  let firstWrong: bigint;
  let head: bigint;

  beforeEach(async () => {
    const before = new Histories(numbers, [tenant]);
    before.credits(30);
    giveBack(before, [5, 5]);
    const last = await appendAll(before.written);
    const wrong = new Histories(numbers, [tenant]);
    giveBack(wrong, [5, 7, 5]);
    head = await appendAll(wrong.written);
    firstWrong = 0n;
    const isWrong = (event: StoredEvent): boolean => {
      if (event.position <= last) return false;
      if (firstWrong === 0n) firstWrong = event.position;
      return true;
    };
    const runner = await run([withSignError(isWrong)]);
    await until('the rows to be made', () => (statusOf(runner, 'ledger').position ?? 0n) >= head);
  });

  it('is located by diff and bisect, and mended by a rebuild', async () => {
    const { code, output } = await command('diff', 'ledger', '--json', '--limit', '50');
    expect(code).toBe(1);
    const { differences } = JSON.parse(output) as { differences: readonly Found[] };
    const balance = differences.find(({ table }) => table === 'balances');
    expect(balance).toMatchObject({
      key: [tenant],
      event: { position: String(firstWrong), type: 'CreditsReturned.v1' },
    });
    const usage = differences.find(({ table }) => table === 'usage_by_day');
    expect(usage?.event).toMatchObject({ type: 'CreditsReturned.v1' });
    const transactions = differences.filter(({ table }) => table === 'credit_transactions');
    expect(transactions[0]?.event?.position).toBe(String(firstWrong));
    expect(transactions.filter(({ event }) => event?.type === 'CreditsReturned.v1')).toHaveLength(3);

    expect((await command('diff', 'ledger', '--at', String(firstWrong - 1n))).output).toContain('0 shown of');
    const at = await command('diff', 'ledger', '--at', String(firstWrong));
    expect(at.code).toBe(1);
    expect(at.output).toMatch(/amount: live -5, rebuilt 5/);

    const bisected = await command('bisect', 'ledger', 'balances', tenant);
    expect(bisected.code).toBe(1);
    expect(bisected.output).toContain(`since position ${firstWrong}: CreditsReturned.v1`);
    expect(bisected.output).toMatch(/balance \d+ -> \d+/);

    expect((await command('rebuild', 'ledger')).code).toBe(0);
    expect(await command('diff', 'ledger')).toMatchObject({ code: 0 });
    expect(await command('bisect', 'ledger', 'balances', `["${tenant}"]`)).toMatchObject({
      code: 0,
      output: expect.stringContaining('is as the log says') as string,
    });
  });

  it('is told by verify as one document, and noted for the metric', async () => {
    const { code, output } = await command('verify', '--all', '--json');
    expect(code).toBe(1);
    const { equal, compared } = JSON.parse(output) as Verified;
    expect(equal).toBe(false);
    expect(compared[0]).toMatchObject({
      projection: 'ledger',
      version: ledger.version,
      position: String(head),
      equal: false,
    });
    expect(await readVerifications(session)).toMatchObject([
      { projection: 'ledger', position: head, differingTables: 4 },
    ]);
    await command('rebuild', 'ledger');
    expect((await command('verify', '--all')).code).toBe(0);
    expect(await readVerifications(session)).toMatchObject([{ differingTables: 0, differingRows: 0 }]);
  });

  it('finds the event whose row stayed, which the log makes and unmakes', async () => {
    await command('rebuild', 'ledger');
    const deductionId = newUuid();
    const history = new Histories(numbers, [tenant]);
    const deducted = { deductionId, operation: 'report', amount: 5, requestId: newUuid() };
    history.write(`credits-${tenant}`, 'CreditsDeducted.v1', deducted);
    await appendAll(history.written);
    await until('the deduction to be open', async () => {
      const found = await session.query(`SELECT 1 FROM ${live}.open_deductions WHERE deduction_id = $1`, [deductionId]);
      return found.length === 1;
    });
    await session.query(`CREATE TABLE kept AS SELECT * FROM ${live}.open_deductions`);
    const settling = new Histories(numbers, [tenant]);
    settle(settling, deductionId);
    const settled = await appendAll(settling.written);
    await until('the deduction to be closed', async () => {
      const found = await session.query(`SELECT 1 FROM ${live}.open_deductions WHERE deduction_id = $1`, [deductionId]);
      return found.length === 0;
    });
    await session.query(`INSERT INTO ${live}.open_deductions SELECT * FROM kept WHERE deduction_id = $1`, [
      deductionId,
    ]);
    await session.query('DROP TABLE kept');
    const key = JSON.stringify([tenant, deductionId]);
    const { output } = await command('bisect', 'ledger', 'open_deductions', key);
    expect(output).toContain(`since position ${settled}: DeductionSettled.v1`);
  });

  it('names the columns that only one side has, and compares the rows by the others', async () => {
    await command('rebuild', 'ledger');
    await session.query(`ALTER TABLE ${live}.balances ADD COLUMN spare integer`);
    const asIs = await command('bisect', 'ledger', 'balances', tenant);
    expect(asIs.code).toBe(1);
    expect(asIs.output).toMatch(/is as the log says .* in the columns that both have; only the live table has spare/);
    await session.query(`UPDATE ${live}.balances SET balance = balance + 1000000 WHERE tenant_id = $1`, [tenant]);
    const { output } = await command('bisect', 'ledger', 'balances', tenant);
    expect(output).toMatch(/\n {2}balance: live 1\d{6}, rebuilt \d{1,6}\n/);
    expect((await command('diff', 'ledger')).output).toContain('balances: only the live table has spare');
    const { compared } = JSON.parse((await command('verify', 'ledger', '--json')).output) as Verified;
    expect(compared[0]?.tables).toContainEqual(
      expect.objectContaining({ table: 'balances', foreign_columns: { live: ['spare int4'], rebuilt: [] } }),
    );
    await session.query(`ALTER TABLE ${live}.balances DROP COLUMN spare`);
  });

  it('shows every column of a row that is missing', async () => {
    await command('rebuild', 'ledger');
    await session.query(`DELETE FROM ${live}.balances WHERE tenant_id = $1`, [tenant]);
    const { output, code } = await command('bisect', 'ledger', 'balances', tenant);
    expect(code).toBe(1);
    expect(output).toMatch(/ missing\n[\s\S]*\n {2}balance: live nothing, rebuilt \d+\n/);
  });

  it('names no event for a row that none explains', async () => {
    await command('rebuild', 'ledger');
    await session.query(`UPDATE ${live}.balances SET balance = balance + 1000000 WHERE tenant_id = $1`, [tenant]);
    const { output, code } = await command('bisect', 'ledger', 'balances', tenant);
    expect(code).toBe(1);
    expect(output).toContain('the rows do not show which one');
    await session.query(
      `INSERT INTO ${live}.audit_days VALUES ($1, '2020-01-01', 'identity_read', 'ok', 'service', 3)`,
      [tenant],
    );
    expect((await command('diff', 'ledger')).output).toContain('no event of the log makes this row');
  });
});
