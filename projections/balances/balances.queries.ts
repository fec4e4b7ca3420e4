import { type TenantId } from '../../src/kernel/ids.js';
import { type ReadModels } from '../../src/platform/projections/projection.js';

/** A deduction that nothing has settled or refunded yet, as far as the projection has read: a hint, the stream decides. */
export interface OpenDeductionRow {
  readonly tenantId: TenantId;
  readonly deductionId: string;
  /** By the store's clock. */
  readonly deductedAt: Date;
}

/** Oldest first. */
export const openDeductions = async (readModels: ReadModels, limit: number): Promise<OpenDeductionRow[]> => {
  const rows = await readModels.query<{ tenant_id: TenantId; deduction_id: string; deducted_at: Date }>({
    name: 'open-deductions',
    text: 'SELECT tenant_id, deduction_id, deducted_at FROM open_deductions ORDER BY deducted_at LIMIT $1',
    values: [limit],
  });
  return rows.map((row) => ({ tenantId: row.tenant_id, deductionId: row.deduction_id, deductedAt: row.deducted_at }));
};
