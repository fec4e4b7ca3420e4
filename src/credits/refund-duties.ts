import { Injectable } from '@nestjs/common';
import { type TenantId } from '../kernel/ids.js';
import { Database } from '../platform/postgres/database.js';
import { mergedStatement, type MergedWrite } from '../platform/postgres/merged-statement.js';
import { type RefundDuty, RefundDuties } from './credits.port.js';

export const REFUND_DUTIES_SCHEMA = `
  CREATE TABLE IF NOT EXISTS refund_duties (
    tenant_id    text NOT NULL,
    deduction_id uuid NOT NULL,
    noted_at     timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, deduction_id)
  )`;

const columns = (duties: readonly RefundDuty[]): readonly [TenantId[], string[]] => [
  duties.map(({ tenantId }) => tenantId),
  duties.map(({ deductionId }) => deductionId),
];

/** Duties come by the thousand when the event store is away: while one statement is under way the others share the next. */
@Injectable()
export class PostgresRefundDuties extends RefundDuties {
  private readonly noting: MergedWrite<RefundDuty>;
  private readonly discharging: MergedWrite<RefundDuty>;

  constructor(private readonly database: Database) {
    super();
    this.noting = mergedStatement(
      database,
      'INSERT INTO refund_duties (tenant_id, deduction_id) SELECT * FROM unnest($1::text[], $2::uuid[]) ON CONFLICT DO NOTHING',
      columns,
    );
    this.discharging = mergedStatement(
      database,
      `DELETE FROM refund_duties USING unnest($1::text[], $2::uuid[]) AS done (tenant_id, deduction_id)
       WHERE refund_duties.tenant_id = done.tenant_id AND refund_duties.deduction_id = done.deduction_id`,
      columns,
    );
  }

  note(duty: RefundDuty): Promise<void> {
    return this.noting(duty.deductionId, duty);
  }

  discharge(duty: RefundDuty): Promise<void> {
    return this.discharging(duty.deductionId, duty);
  }

  async noted(tenantId: TenantId, deductionIds: readonly string[]): Promise<Set<string>> {
    const rows = await this.database.query<{ deduction_id: string }>(
      'SELECT deduction_id FROM refund_duties WHERE tenant_id = $1 AND deduction_id = ANY($2::uuid[])',
      [tenantId, deductionIds],
    );
    return new Set(rows.map((row) => row.deduction_id));
  }

  notedBefore(ageMs: number, limit: number): Promise<readonly RefundDuty[]> {
    return this.database.query(
      `SELECT tenant_id AS "tenantId", deduction_id AS "deductionId" FROM refund_duties
       WHERE noted_at < now() - make_interval(secs => $1::float8 / 1000) ORDER BY noted_at LIMIT $2`,
      [ageMs, limit],
    );
  }
}
