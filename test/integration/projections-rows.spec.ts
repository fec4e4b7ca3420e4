import { jest } from '@jest/globals';
import fc from 'fast-check';
import { projections } from '../../src/projections.js';
import { ledger } from '../../projections/ledger/ledger.projection.js';
import { type StoredEvent } from '../../src/kernel/events.js';
import { newTenantId, newUuid } from '../../src/kernel/ids.js';
import { createSlot, readCheckpoint, schemaOf } from '../../src/log/project/checkpoints.js';
import { type Projection } from '../../src/log/project/projection.js';
import { toRebuildBatch, writeRebuildBatch } from '../../src/log/project/rebuild-batch.js';
import { type ProjectionSession } from '../../src/platform/postgres/session.js';
import { ShadowIndexes } from '../../src/log/project/shadow-indexes.js';
import { createServiceDatabase } from '../support/stack.js';
import { soak, soakSeed } from '../support/soak.js';
import { asStored, type Histories, histories, openSession, rowsOf } from './projections-histories.js';

const HISTORIES = soak(3, 30);

jest.setTimeout(120_000);

let session: ProjectionSession;

beforeAll(async () => {
  session = await openSession(await createServiceDatabase(), projections);
});

afterAll(() => session.close());

const cuts = fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 6 });

const eventsFor = ({ streamPrefixes }: Projection, { written }: Histories): StoredEvent[] =>
  asStored(written).filter(({ stream }) => streamPrefixes.some((prefix) => stream.startsWith(prefix)));

const cutInto = (events: readonly StoredEvent[], sizes: readonly number[]): StoredEvent[][] => {
  const batches: StoredEvent[][] = [];
  for (let at = 0, index = 0; at < events.length; index += 1) {
    const size = sizes[index % sizes.length] ?? 1;
    batches.push(events.slice(at, at + size));
    at += size;
  }
  return batches;
};

const project = async (projection: Projection, batches: readonly (readonly StoredEvent[])[]) => {
  await session.transaction('projections', () => createSlot(session, projection, 'live'));
  for (const batch of batches) {
    await session.transaction(schemaOf(projection, 'live'), async () => {
      for (const { text, values } of projection.project(batch)) await session.query(text, values);
    });
  }
  return rowsOf(session, projection);
};

/** The rows of a rebuild that read these batches, its keys and indexes, and which columns may be null. */
const rebuild = async (projection: Projection, batches: readonly (readonly StoredEvent[])[]) => {
  const shadow = schemaOf(projection, 'shadow');
  const indexes = await session.transaction('projections', async () => {
    await createSlot(session, projection, 'shadow');
    return ShadowIndexes.takeFrom(session, shadow, projection.tables, () => undefined);
  });
  const { epoch = '' } = (await readCheckpoint(session, projection.name, 'shadow')) ?? {};
  const target = { projection, slot: 'shadow', epoch } as const;
  for (const [position, events] of batches.entries()) {
    const batch = toRebuildBatch(projection, events, BigInt(position));
    await session.transaction(shadow, () => writeRebuildBatch(session, target, batch, indexes));
  }
  await session.transaction(shadow, () => indexes.make());
  return { rows: await rowsOf(session, projection, 'shadow'), shape: await shapeOf(shadow) };
};

const shapeOf = async (schema: string): Promise<string[]> => {
  const rows = await session.query<{ definition: string }>(
    `SELECT pg_get_indexdef(x.indexrelid) || ' ' || coalesce(k.conname, '') AS definition
     FROM pg_index x JOIN pg_class c ON c.oid = x.indrelid LEFT JOIN pg_constraint k ON k.conindid = x.indexrelid
     WHERE c.relnamespace = $1::regnamespace
     UNION ALL SELECT format('%I.%I %s', c.relname, a.attname, a.attnotnull)
     FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
     WHERE c.relnamespace = $1::regnamespace AND c.relkind = 'r' AND a.attnum > 0 ORDER BY 1`,
    [schema],
  );
  return rows.map(({ definition }) => definition.replaceAll(schema, ''));
};

describe.each(projections.map((projection) => [projection.name, projection] as const))('%s', (_, projection) => {
  it('has the same rows however the log is cut into batches', async () => {
    await fc.assert(
      fc.asyncProperty(histories, cuts, async (history, sizes) => {
        const events = eventsFor(projection, history);
        const oneByOne = await project(projection, cutInto(events, [1]));
        expect(await project(projection, cutInto(events, sizes))).toEqual(oneByOne);
        expect(await project(projection, [events])).toEqual(oneByOne);
      }),
      { ...soakSeed, numRuns: HISTORIES },
    );
  });

  it('has the same rows, keys and indexes after a rebuild', async () => {
    const shape = await shapeOf(schemaOf(projection, 'live'));
    await fc.assert(
      fc.asyncProperty(histories, cuts, async (history, sizes) => {
        const events = eventsFor(projection, history);
        const rows = await project(projection, cutInto(events, [1]));
        expect(await rebuild(projection, cutInto(events, sizes))).toEqual({ rows, shape });
      }),
      { numRuns: HISTORIES },
    );
  });
});

const tenantId = newTenantId();

describe('the ledger', () => {
  it('tells balance, use and what is open as the deciders would', async () => {
    const at = (day: string) => `2026-03-${day}T10:00:00.000Z`;
    const event = (revision: number, type: string, time: string, data: object): StoredEvent => ({
      id: `00000000-0000-4000-8000-${revision.toString().padStart(12, '0')}`,
      type,
      data,
      metadata: { $correlationId: `request-${revision}`, actor: { type: 'tenant', id: 'k' }, time, schemaVersion: 1 },
      stream: `credits-${tenantId}`,
      revision: BigInt(revision),
      position: BigInt(revision),
      created: new Date(time),
    });
    const deduction = (digit: string) => `00000000-0000-4000-9000-00000000000${digit}`;
    const deduct = (digit: string, operation: string, amount: number) => ({
      deductionId: deduction(digit),
      operation,
      amount,
    });
    const charge = (digit: string, balance: number) => ({
      chargeId: deduction(digit),
      operation: 'check_eligibility',
      amount: 1,
      balance,
      ...{ action: 'eligibility_check', result: 'found', access: { ct: digit } },
    });
    const history = [
      event(0, 'CreditsPurchased.v1', at('01'), { reference: 'p', credits: 100 }),
      event(1, 'CreditsDeducted.v1', at('01'), deduct('1', 'check_eligibility', 1)),
      event(2, 'CreditsDeducted.v1', at('01'), deduct('2', 'assess_risk', 5)),
      event(3, 'DeductionSettled.v1', at('01'), {
        ...deduct('1', 'check_eligibility', 1),
        ...{ action: 'eligibility_check', result: 'found', access: { ct: 's' } },
      }),
      event(4, 'DeductionRefunded.v1', at('02'), { ...deduct('2', 'assess_risk', 5), reason: 'deadline' }),
      event(5, 'CreditsDeducted.v1', at('02'), deduct('3', 'check_eligibility', 1)),
      event(6, 'CreditsAdjusted.v1', at('02'), { reference: 'a', amount: -10, reason: null }),
      event(7, 'OperationCharged.v1', at('02'), charge('4', 87)),
      event(8, 'OperationCharged.v1', at('02'), charge('5', 86)),
      event(9, 'ChargeReversed.v1', at('03'), { ...charge('5', 87), revision: 8, chargedAt: at('02') }),
    ];
    const rows = await project(ledger, [history.slice(0, 4), history.slice(4, 9), history.slice(9)]);
    const parsed = (table: string) => rows[table]?.map((row) => JSON.parse(row) as Record<string, unknown>) ?? [];
    expect(parsed('balances')).toMatchObject([{ tenant_id: tenantId, balance: 87, transactions: 9 }]);
    expect(parsed('open_deductions')).toMatchObject([{ deduction_id: deduction('3'), amount: 1 }]);
    expect(parsed('usage_by_day')).toEqual(
      expect.arrayContaining([
        { tenant_id: tenantId, day: '2026-03-01', operation: 'check_eligibility', actor: 'service', credits: 1 },
        { tenant_id: tenantId, day: '2026-03-01', operation: 'assess_risk', actor: 'service', credits: 0 },
        { tenant_id: tenantId, day: '2026-03-02', operation: 'check_eligibility', actor: 'service', credits: 2 },
      ]),
    );
    const transactions = parsed('credit_transactions').sort(
      (one, other) => Number(one['revision']) - Number(other['revision']),
    );
    expect(transactions.map((row) => [row['type'], row['amount'], row['balance_after'], row['operation']])).toEqual([
      ['purchase', 100, 100, null],
      ['usage', -1, 99, 'check_eligibility'],
      ['usage', -5, 94, 'assess_risk'],
      ['refund', 5, 99, 'assess_risk'],
      ['usage', -1, 98, 'check_eligibility'],
      ['adjustment', -10, 88, null],
      ['usage', -1, 87, 'check_eligibility'],
      ['usage', -1, 86, 'check_eligibility'],
      ['refund', 1, 87, 'check_eligibility'],
    ]);
    expect(transactions.map((row) => row['reference'])).toEqual([
      ...['p', deduction('1'), deduction('2'), deduction('2'), deduction('3'), 'a'],
      ...[null, null, deduction('5')],
    ]);
  });

  describe('with a reversed charge', () => {
    const CHARGED_AT = '2026-03-01T10:00:00.000Z';
    const stored = (revision: number, type: string, id: string, data: object): StoredEvent => ({
      id,
      type,
      data,
      metadata: { $correlationId: 'request', actor: { type: 'tenant', id: 'k' }, time: CHARGED_AT, schemaVersion: 1 },
      stream: `credits-${tenantId}`,
      revision: BigInt(revision),
      position: BigInt(revision),
      created: new Date(0),
    });
    const charges = ['1', '2', '3'].map((digit, index) => {
      const chargeId = `00000000-0000-4000-9000-00000000000${digit}`;
      const what = { operation: 'check_eligibility', amount: 1, balance: 9, action: 'eligibility_check' };
      const data = { chargeId, ...what, result: 'found', access: { ct: digit } };
      return stored(index, 'OperationCharged.v1', chargeId, data);
    });
    const reversal = (revision: number, of: number) =>
      stored(revision, 'ChargeReversed.v1', `00000000-0000-4000-8000-00000000000${revision}`, {
        ...{ chargeId: charges[of]?.id, revision: of, chargedAt: CHARGED_AT },
        ...{ operation: 'check_eligibility', amount: 1, balance: 9 },
      });

    it('show it as not disclosed, whichever batch reverses it', async () => {
      const rows = await project(ledger, [[...charges, reversal(3, 0)], [reversal(4, 1)]]);
      const results = rows['credit_transactions']?.map((row) => JSON.parse(row) as Record<string, unknown>) ?? [];
      const byId = new Map(results.map((row) => [row['id'], row['result']]));
      expect(charges.map(({ id }) => byId.get(id))).toEqual(['not_disclosed', 'not_disclosed', 'found']);
    });

    it('take it from the usage of its day, but bring no day back that a purge has dropped', async () => {
      const kept = await project(ledger, [[...charges, reversal(3, 0)], [reversal(4, 1)]]);
      expect(kept['usage_by_day']?.map((row) => JSON.parse(row) as object)).toMatchObject([{ credits: 1 }]);
      const stream = `credits-${tenantId}`;
      const cut = { firstKept: '3', occurredBefore: '2026-03-02T00:00:00.000Z' };
      const purge = { ...stored(0, 'StreamPurged.v1', newUuid(), { stream, ...cut }), stream: `retention-${tenantId}` };
      const dropped = await project(ledger, [charges, [{ ...purge, position: 3n }], [reversal(4, 1)]]);
      expect(dropped['usage_by_day']).toEqual([]);
    });
  });
});
