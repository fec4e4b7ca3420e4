import fc from 'fast-check';
import { type AuditFilter, type AuditPage, auditPage } from '../../projections/ledger/audit-log.queries.js';
import { ledger } from '../../projections/ledger/ledger.projection.js';
import { type AccessesRecorded, entryIdOf } from '../../src/audit/domain/audit.events.js';
import { AUDIT_ACTIONS } from '../../src/kernel/access.js';
import { type StoredEvent } from '../../src/kernel/events.js';
import { newTenantId, newUuid, type TenantId } from '../../src/kernel/ids.js';
import { createSlot, schemaOf } from '../../src/platform/projections/checkpoints.js';
import { ReadModels, type Statement } from '../../src/platform/projections/projection.js';
import { type ProjectionSession } from '../../src/platform/projections/session.js';
import { createServiceDatabase } from '../support/stack.js';
import { openSession } from './projections-histories.js';

const DAY = 86_400_000;
const START = Date.parse('2026-03-01T00:00:00Z');
const ACTIONS = AUDIT_ACTIONS.slice(0, 3);

/** Moments of four days, most of them at or beside a midnight. */
const moment = fc
  .tuple(fc.integer({ min: 0, max: 4 }), fc.constantFrom(-1, 0, 1, DAY / 2))
  .map(([day, beside]) => START + day * DAY + beside);

const entry = fc.record({ at: moment, action: fc.constantFrom(...ACTIONS), charged: fc.boolean() });

/** Reads in the schema of the live projection, as the service's connections do. */
class SessionReadModels extends ReadModels {
  constructor(private readonly session: ProjectionSession) {
    super();
  }
  query<Row extends object>({ text, values }: Statement): Promise<Row[]> {
    return this.session.transaction(schemaOf(ledger, 'live'), () => this.session.query<Row>(text, values));
  }
  snapshot(): Promise<never> {
    throw new Error('not asked for');
  }
  waitFor(): Promise<boolean> {
    return Promise.resolve(true);
  }
  assertCurrent(): Promise<void> {
    return Promise.resolve();
  }
}

interface Plan {
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly Plan[];
}

const lookedAt = (plan: Plan): number =>
  (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)) * plan['Actual Loops'] +
  (plan.Plans ?? []).reduce((total, part) => total + lookedAt(part), 0);

interface Entry {
  readonly id: string;
  readonly at: number;
  readonly action: string;
  readonly position: bigint;
  readonly charged?: boolean;
}

const charge = { operation: 'check_eligibility', amount: 1, balance: 5, requestId: 'r' };

const recorded = (tenantId: TenantId, { id, at, action, position, charged = false }: Entry): StoredEvent => ({
  id,
  type: charged ? 'OperationCharged.v1' : 'AccessRecorded.v1',
  data: {
    ...(charged ? { ...charge, chargeId: id } : { deductionId: null, outcome: 'completed' }),
    ...{ action, result: 'ok', access: { ct: id } },
  },
  metadata: {
    $correlationId: newUuid(),
    actor: { type: 'tenant', id: 'k' },
    time: new Date(at).toISOString(),
    schemaVersion: 1,
  },
  stream: `${charged ? 'credits' : 'audit'}-${tenantId}`,
  revision: position,
  position,
  created: new Date(at),
});

/** A transaction that is no access: it has no action. */
const bought = (tenantId: TenantId, { id, at, position }: Omit<Entry, 'action'>): StoredEvent => ({
  ...recorded(tenantId, { id, at, position, action: '', charged: true }),
  type: 'CreditsPurchased.v1',
  data: { reference: id, credits: 5 },
});

const TENANT = newTenantId();
const RANGE = { tenantId: TENANT, start: new Date(START - DAY), end: new Date(START + 6 * DAY) };

/** One attempt at a batch, in events of so many entries each. */
const asBatches = (batchId: string, at: number, cuts: readonly number[]): StoredEvent[] => {
  const event = recorded(TENANT, { id: newUuid(), at, action: 'data_ingested', position: 0n });
  let index = 0;
  return cuts.map((size) => {
    const entries = Array.from({ length: size }, () => ({ index: index++, access: { ct: newUuid() } }));
    const data = { action: 'data_ingested', result: 'ok', batchId, entries };
    return { ...event, id: newUuid(), type: 'AccessesRecorded.v1', data };
  });
};

const apart = (event: StoredEvent): StoredEvent[] => {
  const { batchId, entries, ...common } = event.data as AccessesRecorded['data'];
  return entries.map(({ index, access }) => ({
    ...event,
    id: entryIdOf(batchId, index),
    type: 'AccessRecorded.v1',
    data: { ...common, deductionId: null, outcome: 'completed', access },
  }));
};

describe('the audit log', () => {
  let session: ProjectionSession;
  let readModels: SessionReadModels;
  let position = 0n;
  beforeAll(async () => {
    session = await openSession(await createServiceDatabase(), [ledger]);
    await session.transaction('projections', () => createSlot(session, ledger, 'live'));
    readModels = new SessionReadModels(session);
  });
  afterAll(() => session.close());

  const write = (events: readonly StoredEvent[]): Promise<void> =>
    session.transaction(schemaOf(ledger, 'live'), async () => {
      for (const { text, values } of ledger.project(events)) await session.query(text, values);
    });

  const record = (tenantId: TenantId, entries: readonly Entry[]): Promise<void> =>
    write(entries.map((one) => recorded(tenantId, one)));

  const withPositions = <One extends object>(ones: readonly One[]): (One & Pick<Entry, 'id' | 'position'>)[] =>
    ones.map((one) => ({ ...one, id: newUuid(), position: (position += 1n) }));

  it('gives every page and total of any range and action as counting by hand does, of one tenant’s accesses alone', async () => {
    const filters = fc.record({
      start: moment,
      end: moment,
      action: fc.option(fc.constantFrom(...ACTIONS), { nil: undefined }),
      limit: fc.integer({ min: 1, max: 8 }),
      offset: fc.integer({ min: 0, max: 12 }),
    });
    const everyCase = fc.asyncProperty(
      fc.array(entry, { maxLength: 20 }),
      fc.array(entry, { maxLength: 5 }),
      fc.array(fc.record({ at: moment }), { maxLength: 5 }),
      fc.array(filters, { minLength: 1, maxLength: 6 }),
      async (own, foreign, purchases, asked) => {
        const tenantId = newTenantId();
        const entries = withPositions(own);
        await record(tenantId, entries);
        await write(withPositions(purchases).map((one) => bought(tenantId, one)));
        await record(newTenantId(), withPositions(foreign));
        for (const { start, end, action, limit, offset } of asked) {
          const filter: AuditFilter = { tenantId, start: new Date(start), end: new Date(end), action };
          const matching = entries
            .filter(({ at, action: done }) => at >= start && at < end && (action === undefined || done === action))
            .sort((one, other) => other.at - one.at || Number(other.position - one.position));
          const { total, entries: page } = await auditPage(readModels, filter, { limit, offset });
          expect(total).toBe(matching.length);
          expect(page.map(({ eventId, stream, access }) => [eventId, stream, access])).toEqual(
            matching
              .slice(offset, offset + limit)
              .map(({ id, charged }) => [id, `${charged === true ? 'credits' : 'audit'}-${tenantId}`, { ct: id }]),
          );
        }
      },
    );
    await fc.assert(everyCase, { numRuns: 40 });
  }, 60_000);

  it.each([
    ['accesses', () => false],
    ['charges', () => true],
    ['both', (n: number) => n % 2_000 === 0 || n % 3 === 0],
  ])(
    'reads as many entries as a page of a rare action holds, however many there are of other %s',
    async (_, charged) => {
      const tenantId = newTenantId();
      const actionOf = (n: number) => (n % 1_000 === 0 ? 'identity_erased' : 'eligibility_check');
      const one = (_: unknown, n: number) => ({ at: START + n, action: actionOf(n), charged: charged(n) });
      await record(tenantId, withPositions(Array.from({ length: 10_000 }, one)));
      await session.query(`ANALYZE ${schemaOf(ledger, 'live')}.audit_entries`);
      await session.query(`ANALYZE ${schemaOf(ledger, 'live')}.credit_transactions`);
      const filter = {
        tenantId,
        start: new Date(START),
        end: new Date(START + DAY),
        action: 'identity_erased',
      } as const;
      expect((await auditPage(readModels, filter, { limit: 5, offset: 2 })).entries).toHaveLength(5);
      expect(await rowsRead(() => auditPage(readModels, filter, { limit: 5, offset: 2 }))).toBeLessThan(200);
    },
  );

  it('reads as many entries as a page of any action and the edges of its range hold, however long the history', async () => {
    const tenantId = newTenantId();
    const one = (_: unknown, n: number) => ({
      at: START + n * 60_000,
      action: 'eligibility_check',
      charged: n % 10 > 0,
    });
    await record(tenantId, withPositions(Array.from({ length: 20_000 }, one)));
    await session.query(`ANALYZE ${schemaOf(ledger, 'live')}.audit_entries`);
    await session.query(`ANALYZE ${schemaOf(ledger, 'live')}.credit_transactions`);
    const filter = { tenantId, start: new Date(START + DAY - 600_000), end: new Date(START + 12 * DAY + 600_000) };
    const page = { limit: 5, offset: 2 };
    expect(await auditPage(readModels, filter, page)).toMatchObject({ total: 11 * 1_440 + 20 });
    expect(await rowsRead(() => auditPage(readModels, filter, page))).toBeLessThan(300);
  });

  it('shows of any batches what it showed when each of their entries had an event of its own', async () => {
    const attempt = fc.record({
      batch: fc.nat({ max: 2 }),
      at: moment,
      cuts: fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 3 }),
    });
    const everyCase = fc.asyncProperty(
      fc.array(attempt, { maxLength: 6 }),
      fc.array(fc.record({ limit: fc.integer({ min: 1, max: 9 }), offset: fc.nat({ max: 12 }) }), { minLength: 3 }),
      async (attempts, pages) => {
        const batches = [newUuid(), newUuid(), newUuid()];
        const events = attempts.flatMap(({ batch, at, cuts }) => asBatches(batches[batch] ?? '', at, cuts));
        const shown = async (history: readonly StoredEvent[]): Promise<AuditPage[]> => {
          await session.transaction('projections', () => createSlot(session, ledger, 'live'));
          await write(history.map((event, index) => ({ ...event, position: BigInt(index + 1) })));
          const answers: AuditPage[] = [];
          for (const page of [{ limit: 100, offset: 0 }, ...pages])
            for (const filter of [RANGE, { ...RANGE, action: 'data_ingested' } as const])
              answers.push(await auditPage(readModels, filter, page));
          return answers;
        };
        const together = await shown(events);
        expect(together).toEqual(await shown(events.flatMap(apart)));
      },
    );
    await fc.assert(everyCase, { numRuns: 30 });
  }, 60_000);

  it('counts what it shows: entries that come between a look at the one and at the other are in both or in neither', async () => {
    const tenantId = newTenantId();
    const busy = new SessionReadModels(session);
    const query = busy.query.bind(busy);
    busy.query = async (statement) => {
      const rows = await query<never>(statement);
      await record(tenantId, withPositions([{ at: START, action: 'eligibility_check' }]));
      return rows;
    };
    const filter = { tenantId, start: new Date(START), end: new Date(START + DAY) };
    for (let count = 0; count < 5; count += 1) {
      const { total, entries } = await auditPage(busy, filter, { limit: 1_000, offset: 0 });
      expect([total, entries.length]).toEqual([count, count]);
    }
  });

  /** How many rows and index entries Postgres looks at for a query. */
  const rowsRead = async (ask: () => Promise<unknown>): Promise<number> => {
    const query = readModels.query.bind(readModels);
    let plan: Plan | undefined;
    readModels.query = async ({ text, values }) => {
      const [row] = await query<{ 'QUERY PLAN': [{ Plan: Plan }] }>({
        text: `EXPLAIN (ANALYZE, FORMAT JSON) ${text}`,
        values,
      });
      plan = row?.['QUERY PLAN'][0].Plan;
      return [];
    };
    await ask();
    readModels.query = query;
    return plan === undefined ? Number.NaN : lookedAt(plan);
  };
});
