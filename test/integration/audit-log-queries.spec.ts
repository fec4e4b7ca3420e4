import fc from 'fast-check';
import {
  type AuditCursor,
  auditEntriesBefore,
  type AuditFilter,
  type AuditLogEntry,
  auditPage,
} from '../../projections/ledger/audit-log.queries.js';
import { ledger } from '../../projections/ledger/ledger.projection.js';
import { type AccessesRecorded, entryIdOf } from '../../src/audit/domain/audit.events.js';
import { AUDIT_ACTIONS } from '../../src/kernel/contract.js';
import { type StoredEvent } from '../../src/kernel/events.js';
import { newTenantId, newUuid, type TenantId } from '../../src/kernel/ids.js';
import { createSlot, schemaOf } from '../../src/log/project/checkpoints.js';
import { ReadModels, type Statement } from '../../src/log/project/projection.js';
import { type ProjectionSession } from '../../src/platform/postgres/session.js';
import { createServiceDatabase } from '../support/stack.js';
import { openSession } from './projections-histories.js';

const DAY = 86_400_000;
const START = Date.parse('2026-03-01T00:00:00Z');
const ACTIONS = AUDIT_ACTIONS.slice(0, 3);

/** Moments of four days, most of them at or beside a midnight. */
const moment = fc
  .tuple(fc.integer({ min: 0, max: 4 }), fc.constantFrom(-1, 0, 1, DAY / 2))
  .map(([day, beside]) => START + day * DAY + beside);

const KEYS = ['key00001', 'key00002'] as const;
/** An id is the actor of an entry as the metadata has it; `service` stands for every other one. */
const ACTORS = [...KEYS, 'system'] as const;
const SUBJECTS = [newUuid(), newUuid()] as const;
const REQUESTS = [newUuid(), newUuid()] as const;

const entry = fc.record({
  at: moment,
  action: fc.constantFrom(...ACTIONS),
  charged: fc.boolean(),
  result: fc.constantFrom('ok', 'found'),
  by: fc.constantFrom(...ACTORS),
  subject: fc.option(fc.constantFrom(...SUBJECTS), { nil: undefined }),
  request: fc.constantFrom(...REQUESTS),
});

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
  nextCommit(): Promise<void> {
    return Promise.resolve();
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
  readonly result?: string;
  readonly by?: string;
  readonly subject?: string | undefined;
  readonly request?: string;
}

const charge = { operation: 'check_eligibility', amount: 1, balance: 5, requestId: 'r' };

const recorded = (
  tenantId: TenantId,
  { id, at, action, position, charged = false, result = 'ok', by = 'system', subject, request = newUuid() }: Entry,
): StoredEvent => ({
  id,
  type: charged ? 'OperationCharged.v1' : 'AccessRecorded.v1',
  data: {
    ...(charged ? { ...charge, chargeId: id } : {}),
    ...{ action, result, access: { ct: id }, ...(subject === undefined ? {} : { subject }) },
  },
  metadata: {
    $correlationId: request,
    actor: { type: 'tenant', id: by },
    time: new Date(at).toISOString(),
    schemaVersion: 1,
  },
  stream: `${charged ? 'credits' : 'audit'}-${tenantId}`,
  revision: position,
  position,
  created: new Date(at),
});

type Judged = Pick<Entry, 'action' | 'result' | 'by' | 'subject' | 'request'>;

const isWanted = (one: Judged, { actions, results, actor, subject, requestId }: Partial<AuditFilter>): boolean =>
  (actions === undefined || (actions as readonly string[]).includes(one.action)) &&
  (results === undefined || (results as readonly string[]).includes(one.result ?? '')) &&
  (actor === undefined || actor === (one.by === 'system' ? 'service' : one.by)) &&
  (subject === undefined || subject === one.subject) &&
  (requestId === undefined || requestId === one.request);

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
    data: { ...common, access },
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

  /** The pages behind a cursor, each asked for with the cursor of the one before. */
  const followed = async (filter: AuditFilter, limit: number, from: AuditCursor | undefined) => {
    const entries: AuditLogEntry[] = [];
    for (let after = from; after !== undefined;) {
      const page = await auditEntriesBefore(readModels, filter, { limit, after });
      entries.push(...page.entries);
      after = page.next;
    }
    return entries;
  };

  it('gives every page and total of any range and filter as counting by hand does, of one tenant’s accesses alone', async () => {
    const filters = fc.record({
      start: moment,
      end: moment,
      wanted: fc.record(
        {
          actions: fc.uniqueArray(fc.constantFrom(...ACTIONS), { minLength: 1, maxLength: 2 }),
          results: fc.constantFrom(['ok' as const], ['found' as const, 'ok' as const], ['clear' as const]),
          actor: fc.constantFrom(...KEYS, 'service'),
          subject: fc.constantFrom(...SUBJECTS),
          requestId: fc.constantFrom(...REQUESTS),
        },
        { requiredKeys: [] },
      ),
      limit: fc.integer({ min: 1, max: 8 }),
      offset: fc.integer({ min: 0, max: 12 }),
    });
    const everyCase = fc.asyncProperty(
      fc.array(entry, { maxLength: 20 }),
      fc.array(entry, { maxLength: 5 }),
      fc.array(fc.record({ at: moment }), { maxLength: 5 }),
      fc.array(filters, { minLength: 1, maxLength: 6 }),
      async (own, foreign, purchases, queryCases) => {
        const tenantId = newTenantId();
        const entries = withPositions(own);
        await record(tenantId, entries);
        await write(withPositions(purchases).map((one) => bought(tenantId, one)));
        await record(newTenantId(), withPositions(foreign));
        for (const { start, end, wanted, limit, offset } of queryCases) {
          const filter: AuditFilter = {
            tenantId,
            start: new Date(start),
            end: new Date(end),
            ...wanted,
          };
          const matching = entries
            .filter((one) => one.at >= start && one.at < end && isWanted(one, wanted))
            .sort((one, other) => other.at - one.at || Number(other.position - one.position));
          const { total, entries: page, next } = await auditPage(readModels, filter, { limit, offset });
          expect(total).toBe(matching.length);
          expect(page.map(({ eventId, stream, access }) => [eventId, stream, access])).toEqual(
            matching
              .slice(offset, offset + limit)
              .map(({ id, charged }) => [id, `${charged ? 'credits' : 'audit'}-${tenantId}`, { ct: id }]),
          );
          expect(next !== undefined).toBe(offset + page.length < matching.length && page.length > 0);
          const rest = await followed(filter, limit, next);
          expect([...page, ...rest].map(({ eventId }) => eventId)).toEqual(matching.slice(offset).map(({ id }) => id));
        }
      },
    );
    await fc.assert(everyCase, { numRuns: 40 });
  }, 60_000);

  /** `id` is a new one for each tenant. */
  const rare = (id: string): readonly (readonly [string, Partial<Entry>, Partial<AuditFilter>])[] => [
    ['action', { action: 'identity_erased' }, { actions: ['identity_erased'] }],
    ['of two actions', { action: 'identity_erased' }, { actions: ['identity_erased', 'pep_check'] }],
    ['result', { result: 'invalid' }, { results: ['invalid', 'not_disclosed'] }],
    ['actor', { by: 'rare0001' }, { actor: 'rare0001' }],
    [
      'action and actor',
      { by: 'rare0001', action: 'identity_read' },
      { actions: ['identity_read'], actor: 'rare0001' },
    ],
    ['person', { subject: id }, { subject: id }],
    ['request', { request: id }, { requestId: id }],
    ['request with a common result', { request: id }, { requestId: id, results: ['ok'] }],
  ];

  it.each([
    ['accesses', () => false],
    ['charges', () => true],
    ['both', (n: number) => n % 2_000 === 0 || n % 3 === 0],
  ])(
    'reads as many entries as a page of a rare kind, person or request holds, however many there are of other %s',
    async (_, charged) => {
      for (const index of rare('').keys()) {
        const [what, marks, wanted] = rare(newUuid())[index] ?? ['', {}, {}];
        const tenantId = newTenantId();
        const one = (_: unknown, n: number) => ({
          ...{
            at: START + n,
            action: 'eligibility_check',
            charged: charged(n),
            by: KEYS[n % 2] ?? '',
            subject: newUuid(),
          },
          ...(n % 500 === 0 ? marks : {}),
        });
        await record(tenantId, withPositions(Array.from({ length: 5_000 }, one)));
        await session.query(`ANALYZE ${schemaOf(ledger, 'live')}.audit_entries`);
        await session.query(`ANALYZE ${schemaOf(ledger, 'live')}.credit_transactions`);
        const filter = { tenantId, start: new Date(START), end: new Date(START + DAY), ...wanted };
        const first = await auditPage(readModels, filter, { limit: 5, offset: 2 });
        expect([what, first.total, first.entries.length]).toEqual([what, 10, 5]);
        const looked = await rowsRead(() => auditPage(readModels, filter, { limit: 5, offset: 2 }));
        const further = await rowsRead(() => auditEntriesBefore(readModels, filter, { limit: 3, after: first.next }));
        expect([what, looked < 300, further < 300]).toEqual([what, true, true]);
      }
    },
    60_000,
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
        const shown = async (history: readonly StoredEvent[]) => {
          await session.transaction('projections', () => createSlot(session, ledger, 'live'));
          await write(history.map((event, index) => ({ ...event, position: BigInt(index + 1) })));
          const answers: { readonly total: number; readonly entries: readonly object[] }[] = [];
          for (const page of [{ limit: 100, offset: 0 }, ...pages])
            for (const filter of [RANGE, { ...RANGE, actions: ['data_ingested'] } as const]) {
              const { total, entries } = await auditPage(readModels, filter, page);
              // An entry of a batch shares the place of its event, and names it.
              const alike = { place: undefined, recordedIn: undefined };
              answers.push({ total, entries: entries.map((entry) => ({ ...entry, ...alike })) });
            }
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
