import fc from 'fast-check';
import { auditLog } from '../../projections/audit_log/audit_log.projection.js';
import { auditEntries, type AuditFilter, auditTotal } from '../../projections/audit_log/audit_log.queries.js';
import { AUDIT_ACTIONS } from '../../src/kernel/access.js';
import { type StoredEvent } from '../../src/kernel/events.js';
import { newTenantId, newUuid, type TenantId } from '../../src/kernel/ids.js';
import { createSlot, schemaOf } from '../../src/platform/projections/checkpoints.js';
import { ReadModels, type Statement } from '../../src/platform/projections/projection.js';
import { type ProjectionSession } from '../../src/platform/projections/session.js';
import { createDatabase } from '../support/stack.js';
import { openSession } from './projections-histories.js';

const DAY = 86_400_000;
const START = Date.parse('2026-03-01T00:00:00Z');
const ACTIONS = AUDIT_ACTIONS.slice(0, 3);

/** Moments of four days, most of them at or beside a midnight. */
const moment = fc
  .tuple(fc.integer({ min: 0, max: 4 }), fc.constantFrom(-1, 0, 1, DAY / 2))
  .map(([day, beside]) => START + day * DAY + beside);

const entry = fc.record({ at: moment, action: fc.constantFrom(...ACTIONS) });

/** Reads in the schema of the live projection, as the service's connections do. */
class SessionReadModels extends ReadModels {
  constructor(private readonly session: ProjectionSession) {
    super();
  }
  query<Row extends object>({ text, values }: Statement): Promise<Row[]> {
    return this.session.transaction(schemaOf(auditLog.name, 'live'), () => this.session.query<Row>(text, values));
  }
  waitFor(): Promise<boolean> {
    return Promise.resolve(true);
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
}

const recorded = (tenantId: TenantId, { id, at, action, position }: Entry): StoredEvent => ({
  id,
  type: 'AccessRecorded.v1',
  data: { action, result: 'ok', deductionId: null, outcome: 'completed', access: { ct: id } },
  metadata: {
    $correlationId: newUuid(),
    actor: { type: 'tenant', id: 'k' },
    time: new Date(at).toISOString(),
    schemaVersion: 1,
  },
  stream: `audit-${tenantId}`,
  revision: position,
  position,
  created: new Date(at),
});

describe('the audit log', () => {
  let session: ProjectionSession;
  let readModels: SessionReadModels;
  let position = 0n;
  beforeAll(async () => {
    session = await openSession(await createDatabase(), [auditLog]);
    await session.transaction('projections', () => createSlot(session, auditLog, 'live'));
    readModels = new SessionReadModels(session);
  });
  afterAll(() => session.close());

  const record = async (tenantId: TenantId, entries: readonly Entry[]): Promise<void> => {
    await session.transaction(schemaOf(auditLog.name, 'live'), async () => {
      const events = entries.map((one) => recorded(tenantId, one));
      for (const { text, values } of auditLog.project(events)) await session.query(text, values);
    });
  };

  const withPositions = (entries: readonly { readonly at: number; readonly action: string }[]): Entry[] =>
    entries.map((one) => ({ ...one, id: newUuid(), position: (position += 1n) }));

  it('gives every page and total of any range and action as counting by hand does, of one tenant alone', async () => {
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
      fc.array(filters, { minLength: 1, maxLength: 6 }),
      async (own, foreign, asked) => {
        const tenantId = newTenantId();
        const entries = withPositions(own);
        await record(tenantId, entries);
        await record(newTenantId(), withPositions(foreign));
        for (const { start, end, action, limit, offset } of asked) {
          const filter: AuditFilter = { tenantId, start: new Date(start), end: new Date(end), action };
          const matching = entries
            .filter(({ at, action: done }) => at >= start && at < end && (action === undefined || done === action))
            .sort((one, other) => other.at - one.at || Number(other.position - one.position));
          expect(await auditTotal(readModels, filter)).toBe(matching.length);
          const page = await auditEntries(readModels, filter, { limit, offset });
          expect(page.map(({ eventId }) => eventId)).toEqual(
            matching.slice(offset, offset + limit).map(({ id }) => id),
          );
        }
      },
    );
    await fc.assert(everyCase, { numRuns: 40 });
  }, 60_000);

  it('reads as many entries as a page of a rare action holds, however many there are of others', async () => {
    const tenantId = newTenantId();
    const actionOf = (n: number) => (n % 1_000 === 0 ? 'identity_erased' : 'eligibility_check');
    const many = Array.from({ length: 10_000 }, (_, n) => ({ at: START + n, action: actionOf(n) }));
    await record(tenantId, withPositions(many));
    await session.query(`ANALYZE ${schemaOf(auditLog.name, 'live')}.audit_entries`);
    const filter = { tenantId, start: new Date(START), end: new Date(START + DAY), action: 'identity_erased' } as const;
    expect(await auditEntries(readModels, filter, { limit: 5, offset: 2 })).toHaveLength(5);
    expect(await rowsRead(() => auditEntries(readModels, filter, { limit: 5, offset: 2 }))).toBeLessThan(100);
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
