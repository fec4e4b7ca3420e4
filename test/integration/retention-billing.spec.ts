import { settle } from '../support/credit-account.js';
import { jest } from '@jest/globals';
import fc from 'fast-check';
import { purgeStream } from '../../src/retention/stream-purge.js';
import { ForgottenReferences } from '../../src/credits/forgotten-references.js';
import { type CreditRepository } from '../../src/credits/credit-repository.js';
import {
  AdjustCredits,
  CarryBalanceForward,
  ChargeOperation,
  type CreditCommand,
  DeductCredits,
  PurchaseCredits,
  RefundDeduction,
} from '../../src/credits/domain/credits.commands.js';
import { creditsStream } from '../../src/credits/domain/credits.events.js';
import { CREDIT_ACCOUNT_VERSION, toSnapshot } from '../../src/credits/domain/carrying.js';
import { type CreditAccount } from '../../src/credits/domain/credit-account.js';
import { creditAccount } from '../../src/credits/domain/credits.js';
import { type StreamPurged } from '../../src/retention/domain/retention.events.js';
import { type StoredEvent } from '../../src/kernel/events.js';
import { newTenantId, newUuid, type TenantId, tenantUuid } from '../../src/kernel/ids.js';
import { chunk } from '../../src/kernel/chunk.js';
import { isRejection } from '../../src/kernel/rejection.js';
import { Unavailable } from '../../src/kernel/unavailable.js';
import { inYears, RetentionWorld } from '../support/retention-world.js';

jest.setTimeout(180_000);

const metadata = { requestId: 'r', actor: { type: 'system', id: 'spec' } } as const;

let world: RetentionWorld;
beforeAll(async () => {
  world = await RetentionWorld.open();
});
beforeEach(() => world.restart());
afterAll(() => world.close());

const purchase = (tenantId: TenantId, reference: string, credits = 1_000): PurchaseCredits =>
  new PurchaseCredits(
    tenantId,
    { reference, package: 'small', credits, amountMinor: 12_000, origin: 'checkout' },
    metadata,
  );
const deduct = (tenantId: TenantId, deductionId: string, amount = 1): DeductCredits =>
  new DeductCredits(tenantId, { deductionId, operation: 'check_eligibility', amount, requestId: 'r' }, metadata);
const charge = (tenantId: TenantId, amount = 1): ChargeOperation =>
  new ChargeOperation(
    tenantId,
    {
      chargeId: newUuid(),
      operation: 'check_eligibility',
      amount,
      requestId: 'r',
      action: 'eligibility_check',
      result: 'found',
      access: { v: 1, alg: 'A256GCM', key: 'k', iv: 'i', ct: newUuid() },
    },
    metadata,
  );

const plain = (account: CreditAccount) => {
  const { period, balance, open, references } = toSnapshot(account);
  const texts = (entries: readonly object[]) => entries.map((entry) => JSON.stringify(entry)).sort();
  const uncarried = references.map((one) => ({ ...one, carriedAt: null }));
  return { balance, period, open: texts(open), references: texts(uncarried) };
};

const current = async (from: CreditRepository, tenantId: TenantId) =>
  plain((await from.current(tenantId, 'r', 10_000)).state);

const transactionsOf = (tenantId: TenantId) =>
  world.database.query<{ revision: string; balance_after: string }>(
    'SELECT revision, balance_after FROM credit_transactions WHERE tenant = $1 ORDER BY revision',
    [tenantUuid(tenantId)],
  );

describe('billing records', () => {
  it('go below a carried balance, and the account that is read from there is the same', async () => {
    const tenantId = newTenantId();
    const [settled, open] = [newUuid(), newUuid()];
    await world.ledger.execute(purchase(tenantId, 'first'), 10_000);
    await world.ledger.execute(deduct(tenantId, settled), 10_000);
    await world.ledger.execute(settle(settled, 1, tenantId), 10_000);
    await world.ledger.execute(deduct(tenantId, open), 10_000);
    await world.purgeAt(inYears(0, 30));
    await world.ledger.execute(settle(open, 1, tenantId), 10_000);
    await world.ledger.execute(deduct(tenantId, newUuid(), 5), 10_000);
    await world.purgeAt(inYears(7, 30));
    expect(await world.store.read(`credits-${tenantId}`, { maxCount: 1 })).toMatchObject([{ revision: 0n }]);
    const before = await current(world.ledger, tenantId);
    await world.purgeAt(inYears(7, 31));
    const [oldest] = await world.store.read(`credits-${tenantId}`, { maxCount: 1 });
    expect(oldest).toMatchObject({ type: 'BalanceCarriedForward.v1', revision: 4n });
    expect(await current(world.newLedger(), tenantId)).toEqual(before);
    expect(before).toMatchObject({ balance: 993 });
    expect(await transactionsOf(tenantId)).toEqual([{ revision: '6', balance_after: '993' }]);
    await world.expectRebuildEqual();
    await world.scavengePartly(`credits-${tenantId}`, 2);
    await world.expectRebuildEqual();
    await world.scavenge();
    await world.expectRebuildEqual();
  });

  it('go in pieces where there are many, and the stream is truncated once they are gone', async () => {
    const tenantId = newTenantId();
    const stream = `credits-${tenantId}`;
    await world.ledger.execute(purchase(tenantId, 'first', 20_000), 10_000);
    const charges = Array.from({ length: 12_000 }, () => charge(tenantId));
    for (const group of chunk(charges, 1_000)) {
      await Promise.all(group.map((command) => world.ledger.execute(command, 30_000)));
    }
    await world.purgeAt(inYears(0, 30));
    await world.ledger.execute(charge(tenantId), 10_000);
    await world.purgeAt(inYears(7, 31));
    const [oldest] = await world.store.read(stream, { maxCount: 1 });
    expect(oldest).toMatchObject({ type: 'BalanceCarriedForward.v1', revision: 12_001n });
    const purges = (await world.store.read(`retention-${tenantId}`)) as unknown as StoredEvent<StreamPurged>[];
    const pieces = purges.map(({ data }) => data).filter((data) => data.stream === stream);
    expect(pieces.map(({ firstKept, rowsBelow }) => rowsBelow ?? firstKept)).toEqual([5_000, 10_000, 12_001]);
    expect(pieces.map(({ firstKept }) => firstKept)).toEqual([0, 0, 12_001]);
    expect(await transactionsOf(tenantId)).toEqual([{ revision: '12002', balance_after: '7999' }]);
    expect(await current(world.newLedger(), tenantId)).toMatchObject({ balance: 7_999 });
    await world.expectRebuildEqual();
    await world.scavenge();
    await world.expectRebuildEqual();
  });

  it('take along the audit entries of charges where no purge of the audit log came before', async () => {
    const tenantId = newTenantId();
    await world.ledger.execute(purchase(tenantId, 'first'), 10_000);
    for (let charges = 0; charges < 2; charges += 1) await world.ledger.execute(charge(tenantId), 10_000);
    await world.purgeAt(inYears(0, 30));
    const ageing = { stream: creditsStream(tenantId), owner: tenantId };
    await purgeStream(world, ageing, { firstKept: 3, occurredBefore: inYears(7, 30) });
    await world.caughtUp();
    expect(await transactionsOf(tenantId)).toEqual([]);
    const days = await world.database.query('SELECT day FROM audit_days WHERE tenant_id = $1', [tenantId]);
    expect(days).toEqual([]);
    await world.expectRebuildEqual();
    await world.scavenge();
    await world.expectRebuildEqual();
  });

  it('stay while a deduction among them is open', async () => {
    const tenantId = newTenantId();
    const open = newUuid();
    await world.ledger.execute(purchase(tenantId, 'first'), 10_000);
    await world.ledger.execute(deduct(tenantId, open), 10_000);
    await world.purgeAt(inYears(0, 30));
    await world.purgeAt(inYears(8));
    expect(await world.store.read(`credits-${tenantId}`, { maxCount: 1 })).toMatchObject([{ revision: 0n }]);
    await world.ledger.execute(
      new RefundDeduction(tenantId, { deductionId: open, reason: 'abandoned' }, metadata),
      10_000,
    );
    await world.purgeAt(inYears(8, 1));
    expect(await world.store.read(`credits-${tenantId}`, { maxCount: 1 })).toMatchObject([{ revision: 2n }]);
    expect(await current(world.newLedger(), tenantId)).toMatchObject({ balance: 1_000, open: [] });
    await world.expectRebuildEqual();
  });

  it.each(['below', 'above'])('leave a snapshot from %s the cut without meaning of its own', async (side) => {
    const tenantId = newTenantId();
    const stream = `credits-${tenantId}`;
    const saveSnapshot = async (): Promise<void> => {
      const { state, revision } = await world.ledger.current(tenantId, 'r', 10_000);
      await world.snapshots.save(stream, CREDIT_ACCOUNT_VERSION, revision, toSnapshot(state));
    };
    await world.ledger.execute(purchase(tenantId, 'first'), 10_000);
    if (side === 'below') await saveSnapshot();
    await world.ledger.execute(purchase(tenantId, 'second', 500), 10_000);
    await world.purgeAt(inYears(0, 30));
    await world.ledger.execute(purchase(tenantId, 'third', 7), 10_000);
    if (side === 'above') await saveSnapshot();
    await world.purgeAt(inYears(8));
    const after = world.newLedger();
    const revived = await after.execute(purchase(tenantId, 'third', 7), 10_000);
    expect(revived.appended).toBe(false);
    expect(await current(after, tenantId)).toMatchObject({ balance: 1_507 });
    expect(await world.snapshots.load(stream, CREDIT_ACCOUNT_VERSION)).toEqual(
      side === 'below' ? undefined : expect.objectContaining({ revision: 3n }),
    );
  });

  it('are carried forward once a month, and only where the account has moved', async () => {
    const tenantId = newTenantId();
    await world.ledger.execute(purchase(tenantId, 'first'), 10_000);
    for (const days of [1, 2, 30, 31, 60]) await world.purgeAt(inYears(0, days));
    const command = new CarryBalanceForward(
      tenantId,
      { period: '2026-01', time: '2026-01-31T00:00:00.000Z' },
      metadata,
    );
    expect((await world.newLedger().execute(command, 10_000)).appended).toBe(false);
    const types = (await world.store.read(`credits-${tenantId}`)).map(({ type }) => type);
    expect(types).toEqual(['CreditsPurchased.v1', 'BalanceCarriedForward.v1']);
  });

  it('are searched for a forgotten reference only once the rows hold the carry that forgot it', async () => {
    const tenantId = newTenantId();
    await world.ledger.execute(purchase(tenantId, 'first'), 10_000);
    await world.purgeAt(inYears(0, 30));
    await world.caughtUp();
    const { carriedFor } = (await world.ledger.current(tenantId, 'r', 10_000)).state;
    const forgotten = new ForgottenReferences(world.readModels);
    const found = await forgotten.find(tenantId, carriedFor, ['first', 'never']);
    expect([...found]).toEqual([['first', { kind: 'purchase', amount: 1_000, reversed: 0, carriedAt: null }]]);
    const ahead = forgotten.find(tenantId, '2099-01', ['first']);
    await expect(ahead).rejects.toThrow(Unavailable);
  });

  it('of one account that fails keep no other from its turn', async () => {
    const [failing, other] = [newTenantId(), newTenantId()].sort() as [TenantId, TenantId];
    for (const tenantId of [failing, other]) await world.ledger.execute(purchase(tenantId, 'first'), 10_000);
    const execute = world.ledger.execute.bind(world.ledger);
    const spy = jest
      .spyOn(world.ledger, 'execute')
      .mockImplementation((command, budgetMs) =>
        command.tenantId === failing ? Promise.reject(new Unavailable('event_store')) : execute(command, budgetMs),
      );
    await expect(world.purgeAt(inYears(0, 30))).rejects.toThrow(Unavailable);
    spy.mockRestore();
    const lastOf = async (tenantId: TenantId) => (await world.store.read(`credits-${tenantId}`)).at(-1)?.type;
    expect([await lastOf(failing), await lastOf(other)]).toEqual(['CreditsPurchased.v1', 'BalanceCarriedForward.v1']);
    await world.purgeAt(inYears(0, 30));
    expect(await lastOf(failing)).toBe('BalanceCarriedForward.v1');
  });

  it('whatever happened in between, purging changes neither balance nor what is open nor what was bought', async () => {
    const step = fc.record({
      kind: fc.constantFrom('purchase', 'adjust', 'charge', 'deduct', 'settle', 'refund', 'month'),
      nth: fc.nat(8),
      amount: fc.integer({ min: 1, max: 40 }),
    });
    const history = fc.array(step, { minLength: 10, maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(history, async (steps) => {
        const tenantId = newTenantId();
        world.restart();
        const ids = Array.from({ length: 9 }, () => newUuid());
        let expected = creditAccount.initialState();
        let months = 0;
        const act = async (command: CreditCommand): Promise<void> => {
          const outcome = await world.ledger.execute(command, 10_000).catch((error: unknown) => {
            if (!isRejection(error)) throw error;
            return undefined;
          });
          if (outcome?.appended !== true) return;
          const dated = { ...command, today: world.clock.now().toISOString().slice(0, 10) };
          for (const event of creditAccount.decide(dated, expected)) expected = creditAccount.evolve(expected, event);
        };
        for (const { kind, nth, amount } of steps) {
          const deductionId = `${ids[nth]}`;
          if (kind === 'purchase') await act(purchase(tenantId, `p${nth}`, amount));
          if (kind === 'adjust')
            await act(new AdjustCredits(tenantId, { reference: `a${nth}`, amount: -amount, reason: null }, metadata));
          if (kind === 'charge') await act(charge(tenantId, amount));
          if (kind === 'deduct') await act(deduct(tenantId, deductionId, amount));
          if (kind === 'settle') await act(settle(deductionId, 1, tenantId));
          if (kind === 'refund')
            await act(new RefundDeduction(tenantId, { deductionId, reason: 'deadline' }, metadata));
          if (kind !== 'month') continue;
          months += 1;
          await world.purgeAt(inYears(0, months * 31));
        }
        await world.purgeAt(inYears(9));
        const { balance, open, references } = plain(expected);
        const purged = await current(world.newLedger(), tenantId);
        expect(purged).toMatchObject({ balance, open });
        // Older references are looked up among the transactions.
        expect(references).toEqual(expect.arrayContaining(purged.references));
      }),
      { numRuns: 6 },
    );
    await world.expectRebuildEqual();
    await world.scavenge();
    await world.expectRebuildEqual();
  });
});
