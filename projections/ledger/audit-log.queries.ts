import { auditStream } from '../../src/audit/domain/audit.events.js';
import { creditsStream } from '../../src/credits/domain/credits.events.js';
import { type AuditAction, type AuditResult } from '../../src/kernel/access.js';
import { type Envelope } from '../../src/kernel/envelope.js';
import { type TenantId, tenantUuid } from '../../src/kernel/ids.js';
import { type ReadModels } from '../../src/platform/projections/projection.js';

/** The projection that holds the audit log. */
export const AUDIT_LOG = 'ledger';

export interface AuditLogEntry {
  readonly eventId: string;
  /** The entry's stream in the log. */
  readonly stream: string;
  readonly occurredAt: Date;
  readonly action: AuditAction;
  readonly result: AuditResult;
  readonly requestId: string;
  /** Opens at the place (tenant, stream, eventId, field `access`). */
  readonly access: Envelope;
}

export interface AuditFilter {
  readonly tenantId: TenantId;
  /** Inclusive. */
  readonly start: Date;
  /** Exclusive. */
  readonly end: Date;
  readonly action?: AuditAction | undefined;
}

interface Row {
  readonly total: string;
  /** Null if the page is empty. */
  readonly event_id: string | null;
  readonly charged: boolean;
  readonly occurred_at: Date;
  readonly action: AuditAction;
  readonly result: AuditResult;
  readonly request_id: string;
  /** The envelope as JSON. */
  readonly access: string;
}

export interface AuditPage {
  /** Number of all matching entries, from the same snapshot as the entries. */
  readonly total: number;
  readonly entries: readonly AuditLogEntry[];
}

const toEntries = (tenantId: TenantId, row: Row): AuditLogEntry[] =>
  row.event_id === null
    ? []
    : [
        {
          eventId: row.event_id,
          stream: row.charged ? creditsStream(tenantId) : auditStream(tenantId),
          occurredAt: row.occurred_at,
          action: row.action,
          result: row.result,
          requestId: row.request_id,
          access: JSON.parse(row.access) as Envelope,
        },
      ];

/** A query with an action is a separate statement. Only then does Postgres use the index of actions. */
const onAction = (action: AuditAction | undefined): string => (action === undefined ? '' : 'AND action = $7');

/** Counts whole days from their sums, so that a long range costs no more than a short one. The edges are counted by row. */
const totalOf = (wanted: string): string => `
  SELECT (
    SELECT coalesce(sum(entries), 0) FROM audit_days, bounds
    WHERE tenant_id = $6 ${wanted} AND day >= (ceiling_day AT TIME ZONE 'UTC')::date AND day < (floor_day AT TIME ZONE 'UTC')::date
  ) + (
    SELECT count(*) FROM audit_log, bounds
    WHERE tenant = $1 AND action IS NOT NULL ${wanted} AND occurred_at >= $2 AND occurred_at < least(ceiling_day, $3::timestamptz)
  ) + (
    SELECT count(*) FROM audit_log, bounds
    WHERE tenant = $1 AND action IS NOT NULL ${wanted} AND occurred_at >= floor_day AND occurred_at < $3::timestamptz
  ) AS total`;

/**
 * Newest first, with the total, in one statement and so from one snapshot. The index alone skips the rows before
 * `offset`.
 */
export const auditPage = async (
  readModels: ReadModels,
  { tenantId, start, end, action }: AuditFilter,
  page: { readonly limit: number; readonly offset: number },
): Promise<AuditPage> => {
  const wanted = onAction(action);
  const rows = await readModels.query<Row>({
    name: action === undefined ? 'audit-page' : 'audit-page-of-action',
    text: `WITH bounds AS (
             SELECT ceiling_day, greatest(ceiling_day, date_trunc('day', $3::timestamptz, 'UTC')) AS floor_day FROM (
               SELECT date_trunc('day', $2::timestamptz + interval '1 day' - interval '1 microsecond', 'UTC') AS ceiling_day
             ) AS start_day
           ), counted AS (${totalOf(wanted)}
           ), page AS MATERIALIZED (
             SELECT occurred_at, position, ordinal FROM audit_log
             WHERE tenant = $1 AND action IS NOT NULL ${wanted} AND occurred_at >= $2 AND occurred_at < $3
             ORDER BY occurred_at DESC, position DESC, ordinal DESC LIMIT $4 OFFSET $5
           ), shown AS (
             SELECT entry.* FROM page CROSS JOIN LATERAL (
               SELECT event_id, charged, occurred_at, position, ordinal, action, result, request_id, access FROM audit_log
               WHERE tenant = $1 AND action IS NOT NULL AND occurred_at = page.occurred_at AND position = page.position
                 AND ordinal = page.ordinal LIMIT 1
             ) AS entry
           )
           SELECT total, event_id, charged, occurred_at, action, result, request_id, access
           FROM counted LEFT JOIN shown ON true ORDER BY occurred_at DESC, position DESC, ordinal DESC`,
    values: [
      tenantUuid(tenantId),
      start,
      end,
      page.limit,
      page.offset,
      tenantId,
      ...(action === undefined ? [] : [action]),
    ],
  });
  return { total: Number(rows[0]?.total ?? 0), entries: rows.flatMap((row) => toEntries(tenantId, row)) };
};

/** A place in the log of entries, oldest first. */
export interface AuditCursor {
  readonly occurredAt: Date;
  readonly position: string;
  readonly ordinal: number;
}

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
  const rows = await readModels.query<Omit<Row, 'total'> & { readonly position: string; readonly ordinal: number }>({
    name: 'audit-entries-after',
    text: `SELECT event_id, charged, occurred_at, position, ordinal, action, result, request_id, access FROM audit_log
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
  const last = rows.length < limit ? undefined : rows.at(-1);
  return {
    entries: rows.flatMap((row) => toEntries(period.tenantId, { ...row, total: '' })),
    next: last && { occurredAt: last.occurred_at, position: last.position, ordinal: last.ordinal },
  };
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
