import { type TenantId, tenantUuid } from '../../src/kernel/ids.js';
import { type ReadModels } from '../../src/log/project/projection.js';

/** The kinds of records that a purge counts. The last two are purged by the hour, the others once a day. */
export const RECORD_KINDS = [
  'audit_logs',
  'billing_records',
  'ingestions',
  'claims',
  'credentials',
  'reports',
  'identity_data',
  'deleted_identities',
  'report_files',
] as const;

export type RecordKind = (typeof RECORD_KINDS)[number];

/** A purge at a time, and what it keeps by kind of record. */
export interface PurgeLimits {
  readonly at: Date;
  /** Records of seven years are kept since then. */
  readonly records: Date;
  readonly years: number;
  /** Balances carried before this time have nothing below them that must be kept. */
  readonly carried: Date;
  readonly ingestions: Date;
  readonly ingestionYears: number;
  readonly endedCredentials: Date;
  readonly credentialYears: number;
}

export interface DueRecords {
  /** Number of records that the purge takes. */
  readonly due: number;
  /** When the oldest record that is kept reaches its limit. Null if there is none. */
  readonly nextDue: Date | null;
}

/** A balance is carried forward in the month after its transactions. */
const NEXT_MONTH = `(date_trunc('month', occurred_at AT TIME ZONE 'UTC') + interval '1 month') AT TIME ZONE 'UTC'`;

/** `$1` is the account, `$2` the time up to which records are due. Each answers `due` and `nextDue`. */
const statements = (
  tenantId: TenantId,
  limits: PurgeLimits,
): Readonly<Record<RecordKind, readonly [text: string, values: readonly unknown[]]>> => {
  const { at, records, years, carried, ingestions, ingestionYears, endedCredentials, credentialYears } = limits;
  const dayAfter = (time: string): string =>
    `(date_trunc('day', ${time} AT TIME ZONE 'UTC') + make_interval(years => $3::int, days => 1)) AT TIME ZONE 'UTC'`;
  const identities = (kinds: string): string =>
    `SELECT count(*) FILTER (WHERE due_at <= $2) AS due, min(due_at) AS "nextDue" FROM retention_due
     WHERE tenant_id = $1 AND kind IN (${kinds})`;
  const aged = (table: string, time: string, due: string): string =>
    `SELECT count(*) FILTER (WHERE ${due}) AS due, ${dayAfter(`min(${time})`)} AS "nextDue" FROM ${table} WHERE tenant_id = $1`;
  return {
    audit_logs: [
      `SELECT coalesce(sum(entries) FILTER (WHERE day < ($2::timestamptz AT TIME ZONE 'UTC')::date), 0) AS due,
         (min(day) + make_interval(years => $3::int, days => 1)) AT TIME ZONE 'UTC' AS "nextDue"
       FROM audit_days WHERE tenant_id = $1`,
      [tenantId, records, years],
    ],
    billing_records: [
      `WITH kept AS (
         SELECT max(revision) AS revision FROM carried_forward c WHERE tenant_id = $1 AND carried_at < $2 AND NOT EXISTS (
           SELECT 1 FROM open_deductions o WHERE o.tenant_id = $1 AND o.deduction_id = ANY (c.open_deductions))
       ), oldest AS (
         SELECT revision, ${NEXT_MONTH} AS carried_at FROM credit_transactions WHERE tenant = $4 ORDER BY revision LIMIT 1
       )
       SELECT (SELECT count(*) FROM credit_transactions WHERE tenant = $4 AND revision < (SELECT revision FROM kept)) AS due,
         (SELECT ${dayAfter('coalesce(min(c.carried_at), min(oldest.carried_at))')}
          FROM oldest LEFT JOIN carried_forward c ON c.tenant_id = $1 AND c.revision > oldest.revision) AS "nextDue"`,
      [tenantId, carried, years, tenantUuid(tenantId)],
    ],
    ingestions: [
      `SELECT count(*) FILTER (WHERE received_at < $2 AND ended_at < $2 AND NOT EXISTS (
           SELECT 1 FROM retention_due WHERE tenant_id = $1 AND kind = 'inactivity' AND due_at <= $4)) AS due,
         ${dayAfter('min(received_at)')} AS "nextDue"
       FROM (
         SELECT received_at, CASE WHEN next_attempt_at IS NULL THEN ended_at END AS ended_at FROM ingestions WHERE tenant_id = $1
         UNION ALL
         SELECT received_at, received_at FROM unaccepted_parts WHERE tenant_id = $1
       ) AS received`,
      [tenantId, ingestions, ingestionYears, at],
    ],
    claims: [aged('claims', 'requested_at', 'requested_at < $2'), [tenantId, records, years]],
    credentials: [
      `SELECT count(*) FILTER (WHERE expires_at < $2 OR revoked AND changed_at < $2 AND expires_at < $4) AS due,
         ${dayAfter('min(CASE WHEN revoked THEN greatest(changed_at, expires_at - make_interval(years => $3::int)) ELSE expires_at END)')}
           AS "nextDue"
       FROM credentials WHERE tenant_id = $1`,
      [tenantId, endedCredentials, credentialYears, at],
    ],
    reports: [aged('documents', 'requested_at', 'requested_at < $2'), [tenantId, records, years]],
    identity_data: [identities(`'inactivity'`), [tenantId, at]],
    deleted_identities: [identities(`'purge', 'erasure'`), [tenantId, at]],
    report_files: [
      `SELECT count(*) FILTER (WHERE expires_at <= $2) AS due, min(expires_at) AS "nextDue" FROM documents
       WHERE tenant_id = $1 AND status = 'completed'`,
      [tenantId, at],
    ],
  };
};

/**
 * What a purge at this time takes of an account, by kind of record. Counts alone: no one is named. One statement after the
 * other, since each may read all rows of an account: at once they would take every connection from other accounts.
 */
export const purgePreview = async (
  readModels: ReadModels,
  tenantId: TenantId,
  limits: PurgeLimits,
): Promise<ReadonlyMap<RecordKind, DueRecords>> => {
  const statementsByKind = statements(tenantId, limits);
  const records = new Map<RecordKind, DueRecords>();
  for (const kind of RECORD_KINDS) {
    const [text, values] = statementsByKind[kind];
    const [row] = await readModels.query<{ due: string; nextDue: Date | null }>({
      name: `purge-preview-${kind}`,
      text,
      values: [...values],
    });
    records.set(kind, { due: Number(row?.due ?? 0), nextDue: row?.nextDue ?? null });
  }
  return records;
};
