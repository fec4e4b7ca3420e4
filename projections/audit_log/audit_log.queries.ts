import { type AuditAction, type AuditResult } from '../../src/kernel/access.js';
import { type Envelope } from '../../src/kernel/envelope.js';
import { type TenantId } from '../../src/kernel/ids.js';
import { type ReadModels } from '../../src/platform/projections/projection.js';

export const AUDIT_LOG = 'audit_log';

export interface AuditLogEntry {
  readonly eventId: string;
  readonly occurredAt: Date;
  readonly action: AuditAction;
  readonly result: AuditResult;
  readonly requestId: string;
  /** Opens at the place (tenant, stream `audit-<tenant>`, eventId, field `access`). */
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
  readonly event_id: string;
  readonly occurred_at: Date;
  readonly action: AuditAction;
  readonly result: AuditResult;
  readonly request_id: string;
  readonly access: Envelope;
}

const toEntry = (row: Row): AuditLogEntry => ({
  eventId: row.event_id,
  occurredAt: row.occurred_at,
  action: row.action,
  result: row.result,
  requestId: row.request_id,
  access: row.access,
});

/** With an action a statement of its own, since only then Postgres plans with the index of actions. */
const onAction = (action: AuditAction | undefined, parameter: string): string =>
  action === undefined ? '' : `AND action = ${parameter}`;

const nameOf = (query: string, action: AuditAction | undefined): string =>
  action === undefined ? query : `${query}-of-action`;

/** Newest first. What `offset` passes over is passed over in the index alone. */
export const auditEntries = async (
  readModels: ReadModels,
  { tenantId, start, end, action }: AuditFilter,
  page: { readonly limit: number; readonly offset: number },
): Promise<readonly AuditLogEntry[]> => {
  const rows = await readModels.query<Row>({
    name: nameOf('audit-entries', action),
    text: `WITH page AS MATERIALIZED (
             SELECT occurred_at, position FROM audit_entries
             WHERE tenant_id = $1 AND occurred_at >= $2 AND occurred_at < $3 ${onAction(action, '$6')}
             ORDER BY occurred_at DESC, position DESC LIMIT $4 OFFSET $5
           )
           SELECT entry.* FROM page CROSS JOIN LATERAL (
             SELECT event_id, occurred_at, position, action, result, request_id, access FROM audit_entries
             WHERE tenant_id = $1 AND occurred_at = page.occurred_at AND position = page.position LIMIT 1
           ) AS entry ORDER BY occurred_at DESC, position DESC`,
    values: [tenantId, start, end, page.limit, page.offset, ...(action === undefined ? [] : [action])],
  });
  return rows.map(toEntry);
};

/** Whole days come from their counts, so that a long range costs no more than a short one. */
export const auditTotal = async (
  readModels: ReadModels,
  { tenantId, start, end, action }: AuditFilter,
): Promise<number> => {
  const wanted = `tenant_id = $1 ${onAction(action, '$4')}`;
  const rows = await readModels.query<{ total: string }>({
    name: nameOf('audit-total', action),
    text: `WITH bounds AS (
             SELECT ceiling_day, greatest(ceiling_day, date_trunc('day', $3::timestamptz, 'UTC')) AS floor_day FROM (
               SELECT date_trunc('day', $2::timestamptz + interval '1 day' - interval '1 microsecond', 'UTC') AS ceiling_day
             ) AS start_day
           )
           SELECT (
             SELECT coalesce(sum(entries), 0) FROM audit_days, bounds
             WHERE ${wanted}
               AND day >= (ceiling_day AT TIME ZONE 'UTC')::date AND day < (floor_day AT TIME ZONE 'UTC')::date
           ) + (
             SELECT count(*) FROM audit_entries, bounds
             WHERE ${wanted} AND occurred_at >= $2 AND occurred_at < least(ceiling_day, $3::timestamptz)
           ) + (
             SELECT count(*) FROM audit_entries, bounds
             WHERE ${wanted} AND occurred_at >= floor_day AND occurred_at < $3::timestamptz
           ) AS total`,
    values: [tenantId, start, end, ...(action === undefined ? [] : [action])],
  });
  return Number(rows[0]?.total ?? 0);
};

/** Tenants with entries of days before this one (YYYY-MM-DD, UTC). */
export const tenantsWithEntriesBefore = async (readModels: ReadModels, day: string): Promise<readonly TenantId[]> => {
  const rows = await readModels.query<{ tenantId: TenantId }>({
    name: 'audit-tenants-before',
    text: `SELECT tenant_id AS "tenantId" FROM audit_days GROUP BY tenant_id HAVING min(day) < $1::date`,
    values: [day],
  });
  return rows.map(({ tenantId }) => tenantId);
};
