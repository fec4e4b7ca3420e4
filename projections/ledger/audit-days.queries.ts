import { type AuditAction, type AuditResult } from '../../src/kernel/contract.js';
import { type TenantId } from '../../src/kernel/ids.js';
import { type ReadModels } from '../../src/log/project/projection.js';

/** Entries of a UTC day with the same action and result. */
export interface AuditDay {
  /** YYYY-MM-DD. */
  readonly day: string;
  readonly action: AuditAction;
  readonly result: AuditResult;
  readonly entries: number;
}

/** Days in order, both inclusive. It reads counts, whatever the number of entries. */
export const auditDays = async (
  readModels: ReadModels,
  tenantId: TenantId,
  { first, last }: { readonly first: string; readonly last: string },
): Promise<readonly AuditDay[]> => {
  const rows = await readModels.query<Omit<AuditDay, 'entries'> & { readonly entries: string }>({
    name: 'audit-days',
    text: `SELECT day::text, action, result, sum(entries) AS entries FROM audit_days
           WHERE tenant_id = $1 AND day BETWEEN $2::date AND $3::date AND entries > 0
           GROUP BY day, action, result ORDER BY day, action, result`,
    values: [tenantId, first, last],
  });
  return rows.map((row) => ({ ...row, entries: Number(row.entries) }));
};
