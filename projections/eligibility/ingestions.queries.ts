import { type TenantId } from '../../src/kernel/ids.js';
import { type ReadModels } from '../../src/log/project/projection.js';
import { type IngestionRow } from './eligibility.queries.js';

export interface ListedIngestion extends Omit<IngestionRow, 'errors'> {
  readonly ingestionId: string;
  readonly kind: 'single' | 'batch';
  readonly errors: number;
}

/** Where a page ended. */
export interface IngestionCursor {
  readonly receivedAt: Date;
  readonly ingestionId: string;
}

interface WantedIngestions {
  readonly status: string | undefined;
  readonly after: IngestionCursor | undefined;
  readonly limit: number;
}

/** The tenant's ingestions, newest first. */
export const ingestionPage = (
  readModels: Pick<ReadModels, 'query'>,
  tenantId: TenantId,
  { status, after, limit }: WantedIngestions,
): Promise<readonly ListedIngestion[]> =>
  readModels.query<ListedIngestion>({
    name: 'ingestion-page',
    text: `SELECT ingestion_id AS "ingestionId", kind, status, records_received AS "recordsReceived",
             records_processed AS "recordsProcessed", jsonb_array_length(errors) AS errors, received_at AS "receivedAt",
             ended_at AS "endedAt", identity_id AS "identityId", superseded
           FROM ingestions
           WHERE tenant_id = $1 AND ($2::text IS NULL OR status = $2)
             AND (received_at, ingestion_id) < (coalesce($3::timestamptz, 'infinity'), coalesce($4::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff'))
           ORDER BY received_at DESC, ingestion_id DESC LIMIT $5`,
    values: [tenantId, status ?? null, after?.receivedAt ?? null, after?.ingestionId ?? null, limit],
  });
