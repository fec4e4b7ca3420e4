import { Injectable } from '@nestjs/common';
import { type TenantId } from '../kernel/ids.js';
import { Database } from '../platform/postgres/database.js';
import { mergedStatement, type MergedWrite } from '../platform/postgres/merged-statement.js';
import { type PendingReversal, PendingReversals } from './credits.port.js';

export const PENDING_REVERSALS_SCHEMA = `
  CREATE TABLE IF NOT EXISTS pending_reversals (
    tenant_id      text NOT NULL,
    charge_id      uuid NOT NULL,
    after_revision bigint NOT NULL,
    keyed_row      text,
    noted_at       timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, charge_id)
  )`;

interface Row {
  readonly tenantId: TenantId;
  readonly chargeId: string;
  readonly afterRevision: string;
  readonly keyedRow: string | null;
}

/** Reversals come by the thousand after the event store did not answer for a while. */
@Injectable()
export class PostgresPendingReversals extends PendingReversals {
  private readonly noting: MergedWrite<PendingReversal>;
  private readonly removing: MergedWrite<PendingReversal>;

  constructor(private readonly database: Database) {
    super();
    this.noting = mergedStatement(
      database,
      `INSERT INTO pending_reversals (tenant_id, charge_id, after_revision, keyed_row)
       SELECT * FROM unnest($1::text[], $2::uuid[], $3::bigint[], $4::text[]) ON CONFLICT DO NOTHING`,
      (rows) => [
        rows.map(({ tenantId }) => tenantId),
        rows.map(({ chargeId }) => chargeId),
        rows.map(({ afterRevision }) => afterRevision.toString()),
        rows.map(({ keyedRow }) => keyedRow),
      ],
    );
    this.removing = mergedStatement(
      database,
      `DELETE FROM pending_reversals USING unnest($1::text[], $2::uuid[]) AS done (tenant_id, charge_id)
       WHERE pending_reversals.tenant_id = done.tenant_id AND pending_reversals.charge_id = done.charge_id`,
      (rows) => [rows.map(({ tenantId }) => tenantId), rows.map(({ chargeId }) => chargeId)],
    );
  }

  note(reversal: PendingReversal): Promise<void> {
    return this.noting(reversal.chargeId, reversal);
  }

  remove(reversal: PendingReversal): Promise<void> {
    return this.removing(reversal.chargeId, reversal);
  }

  async notedBefore(ageMs: number, limit: number): Promise<readonly PendingReversal[]> {
    const rows = await this.database.query<Row>(
      `SELECT tenant_id AS "tenantId", charge_id AS "chargeId", after_revision AS "afterRevision", keyed_row AS "keyedRow"
       FROM pending_reversals WHERE noted_at <= now() - make_interval(secs => $1::float8 / 1000) ORDER BY noted_at LIMIT $2`,
      [ageMs, limit],
    );
    return rows.map((row) => ({ ...row, afterRevision: BigInt(row.afterRevision) }));
  }
}
