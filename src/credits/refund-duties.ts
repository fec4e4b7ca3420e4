import { Injectable } from '@nestjs/common';
import { type TenantId } from '../kernel/ids.js';
import { Database } from '../platform/postgres/database.js';
import { RefundDuties } from './credits.port.js';

export const REFUND_DUTIES_SCHEMA = `
  CREATE TABLE IF NOT EXISTS refund_duties (
    tenant_id    text NOT NULL,
    deduction_id uuid NOT NULL,
    noted_at     timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, deduction_id)
  )`;

@Injectable()
export class PostgresRefundDuties extends RefundDuties {
  constructor(private readonly database: Database) {
    super();
  }

  async note(tenantId: TenantId, deductionId: string): Promise<void> {
    await this.database.query(
      'INSERT INTO refund_duties (tenant_id, deduction_id) VALUES ($1, $2) ON CONFLICT DO NOTHING',
      [tenantId, deductionId],
    );
  }

  async noted(tenantId: TenantId, deductionIds: readonly string[]): Promise<Set<string>> {
    const rows = await this.database.query<{ deduction_id: string }>(
      'SELECT deduction_id FROM refund_duties WHERE tenant_id = $1 AND deduction_id = ANY($2::uuid[])',
      [tenantId, deductionIds],
    );
    return new Set(rows.map((row) => row.deduction_id));
  }

  async discharge(tenantId: TenantId, deductionIds: readonly string[]): Promise<void> {
    await this.database.query('DELETE FROM refund_duties WHERE tenant_id = $1 AND deduction_id = ANY($2::uuid[])', [
      tenantId,
      deductionIds,
    ]);
  }
}
