import { auditStream } from '../../src/audit/domain/audit.events.js';
import { type AuditAction, type AuditResult } from '../../src/kernel/contract.js';
import { creditsStream } from '../../src/credits/domain/credits.events.js';
import { type Envelope } from '../../src/kernel/envelope.js';
import { type TenantId, tenantUuid } from '../../src/kernel/ids.js';
import { type ReadModels } from '../../src/log/project/projection.js';

import { IN_CREDITS } from './accesses.js';
import { type AuditCursor, type AuditFilter, AuditStatement, COLUMNS, type WantedEntries } from './audit-statement.js';

export type { AuditCursor, AuditFilter, WantedEntries } from './audit-statement.js';

/** The projection that holds the audit log. */
export const AUDIT_LOG = 'ledger';

export interface AuditLogEntry {
  readonly eventId: string;
  /** The event that holds it among others, where it is the entry with this index. Undefined: it is an event of its own. */
  readonly recordedIn: { readonly eventId: string; readonly index: number } | undefined;
  readonly place: AuditCursor;
  /** The entry's stream in the log. */
  readonly stream: string;
  /** The decision of a charged check, whose charge has its id. Null of any other entry. */
  readonly decisionId: string | null;
  readonly occurredAt: Date;
  readonly action: AuditAction;
  readonly result: AuditResult;
  readonly requestId: string;
  /** The id of an API key, or an unnamed actor (see kernel/audit-actors.ts). */
  readonly actor: string;
  /** Opens at the place (tenant, stream, eventId, field `access`). */
  readonly access: Envelope;
}

interface EntryRow {
  readonly event_id: string;
  readonly recorded_by: string | null;
  readonly stream: string | null;
  readonly occurred_at: Date;
  readonly position: string;
  readonly ordinal: number;
  readonly action: AuditAction;
  readonly result: AuditResult;
  readonly request_id: string;
  readonly actor: string;
  /** The envelope as JSON. */
  readonly access: string;
}

/** Every column but the total is null if the page is empty. */
type CountedRow = { readonly total: string } & (EntryRow | { readonly event_id: null });

export interface AuditPage {
  /** Number of all matching entries, from the same snapshot as the entries. */
  readonly total: number;
  readonly entries: readonly AuditLogEntry[];
  /** The last entry of the page, if others follow. */
  readonly next: AuditCursor | undefined;
}

const streamOf = (tenantId: TenantId, { stream }: EntryRow): string => {
  if (stream === null) return auditStream(tenantId);
  return stream === IN_CREDITS ? creditsStream(tenantId) : stream;
};

const isDecided = ({ stream, action, result }: EntryRow): boolean =>
  stream === IN_CREDITS && (action === 'sanctions_check' || action === 'pep_check') && result !== 'not_disclosed';

const toEntry = (tenantId: TenantId, row: EntryRow): AuditLogEntry => ({
  eventId: row.event_id,
  recordedIn: row.recorded_by === null ? undefined : { eventId: row.recorded_by, index: row.ordinal },
  place: { occurredAt: row.occurred_at, position: row.position, ordinal: row.ordinal },
  stream: streamOf(tenantId, row),
  decisionId: isDecided(row) ? row.event_id : null,
  occurredAt: row.occurred_at,
  action: row.action,
  result: row.result,
  requestId: row.request_id,
  actor: row.actor,
  access: JSON.parse(row.access) as Envelope,
});

const asPage = (tenantId: TenantId, rows: readonly EntryRow[], limit: number): Omit<AuditPage, 'total'> => {
  const entries = rows.slice(0, limit).map((row) => toEntry(tenantId, row));
  return { entries, next: rows.length > limit ? entries.at(-1)?.place : undefined };
};

const isEntry = (row: CountedRow): row is { readonly total: string } & EntryRow => row.event_id !== null;

/** Newest first, with the total. */
export const auditPage = async (
  readModels: Pick<ReadModels, 'query'>,
  filter: AuditFilter,
  page: WantedEntries,
): Promise<AuditPage> => {
  const statement = new AuditStatement(filter, page);
  const text = statement.counted;
  const rows = await readModels.query<CountedRow>({ name: statement.name, text, values: statement.values });
  const total = Number(rows[0]?.total ?? 0);
  return { total, ...asPage(filter.tenantId, rows.filter(isEntry), page.limit) };
};

/** Newest first, without a total: the cost of a page does not grow with its place. */
export const auditEntriesBefore = async (
  readModels: Pick<ReadModels, 'query'>,
  filter: AuditFilter,
  page: WantedEntries,
): Promise<Omit<AuditPage, 'total'>> => {
  const statement = new AuditStatement(filter, page);
  const text = statement.entries;
  const rows = await readModels.query<EntryRow>({
    name: `${statement.name}-uncounted`,
    text,
    values: statement.values,
  });
  return asPage(filter.tenantId, rows, page.limit);
};

/** Entries of a period as they stood at a position of the log. */
export interface AuditPeriod {
  readonly tenantId: TenantId;
  /** Inclusive. */
  readonly start: Date;
  /** Exclusive. */
  readonly end: Date;
  readonly upTo: bigint;
  /** All if absent. */
  readonly actions?: readonly AuditAction[] | undefined;
}

/** Oldest first, without a total: the cost of a page does not grow with its place. */
export const auditEntriesAfter = async (
  readModels: Pick<ReadModels, 'query'>,
  period: AuditPeriod,
  after: AuditCursor | undefined,
  limit: number,
): Promise<{ readonly entries: readonly AuditLogEntry[]; readonly next: AuditCursor | undefined }> => {
  const rows = await readModels.query<EntryRow>({
    name: 'audit-entries-after',
    text: `SELECT ${COLUMNS} FROM audit_log
           WHERE tenant = $1 AND action IS NOT NULL AND occurred_at >= $2 AND occurred_at < $3 AND position <= $4
             AND ($5::text[] IS NULL OR action = ANY ($5)) AND (occurred_at, position, ordinal) > ($2, $6::bigint, $7::integer)
           ORDER BY occurred_at, position, ordinal LIMIT $8`,
    values: [
      tenantUuid(period.tenantId),
      after?.occurredAt ?? period.start,
      period.end,
      period.upTo.toString(),
      period.actions ?? null,
      after?.position ?? '-1',
      after?.ordinal ?? -1,
      limit,
    ],
  });
  const entries = rows.map((row) => toEntry(period.tenantId, row));
  return { entries, next: rows.length < limit ? undefined : entries.at(-1)?.place };
};

/** The entries that the charges with these revisions of the tenant's ledger are, in no order. */
export const chargedEntries = async (
  readModels: Pick<ReadModels, 'query'>,
  tenantId: TenantId,
  revisions: readonly string[],
): Promise<readonly AuditLogEntry[]> => {
  const rows = await readModels.query<EntryRow>({
    name: 'charged-entries',
    text: `SELECT id AS event_id, NULL AS recorded_by, '${IN_CREDITS}' AS stream, occurred_at, position, 0 AS ordinal, action, result, request_id, actor, access
           FROM credit_transactions WHERE tenant = $1 AND revision = ANY($2::bigint[]) AND action IS NOT NULL`,
    values: [tenantUuid(tenantId), revisions],
  });
  return rows.map((row) => toEntry(tenantId, row));
};

/** Charged look-ups of persons by e-mail and phone since then, newest first. */
export const recentLookUps = (
  readModels: ReadModels,
  { tenantId, since, limit }: { readonly tenantId: TenantId; readonly since: Date; readonly limit: number },
): Promise<readonly Pick<AuditLogEntry, 'eventId' | 'stream' | 'access'>[]> =>
  readModels
    .query<{ eventId: string; access: string }>({
      name: 'recent-look-ups',
      text: `SELECT id AS "eventId", access FROM credit_transactions
             WHERE tenant = $1 AND action IN ('eligibility_check', 'risk_assessment') AND occurred_at >= $2
             ORDER BY occurred_at DESC, position DESC LIMIT $3`,
      values: [tenantUuid(tenantId), since, limit],
    })
    .then((rows) =>
      rows.map(({ eventId, access }) => {
        return { eventId, stream: creditsStream(tenantId), access: JSON.parse(access) as Envelope };
      }),
    );

/** Tenants with entries from before this day (YYYY-MM-DD, UTC). */
export const tenantsWithEntriesBefore = async (readModels: ReadModels, day: string): Promise<readonly TenantId[]> => {
  const rows = await readModels.query<{ tenantId: TenantId }>({
    name: 'audit-tenants-before',
    text: `SELECT tenant_id AS "tenantId" FROM audit_days GROUP BY tenant_id HAVING min(day) < $1::date`,
    values: [day],
  });
  return rows.map(({ tenantId }) => tenantId);
};

/** A range of charges with an audit entry: `from` inclusive, `before` exclusive. */
export interface ChargedTimes {
  readonly tenantId: TenantId;
  readonly from: Date;
  readonly before: Date;
}

/** Time of the next charge after the `many` oldest ones. Undefined if there is none. */
export const timeOfChargeAfter = async (
  readModels: ReadModels,
  { tenantId, from, before }: ChargedTimes,
  many: number,
): Promise<Date | undefined> => {
  const rows = await readModels.query<{ at: Date }>({
    name: 'charge-after',
    text: `SELECT occurred_at AS at FROM credit_transactions
           WHERE tenant = $1 AND action IS NOT NULL AND occurred_at >= $2 AND occurred_at < $3
           ORDER BY occurred_at, position OFFSET $4 LIMIT 1`,
    values: [tenantUuid(tenantId), from, before, many],
  });
  return rows[0]?.at;
};
