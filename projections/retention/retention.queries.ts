import { type TenantId } from '../../src/kernel/ids.js';
import { type ReadModels } from '../../src/platform/projections/projection.js';
import { type DueKind } from './due-kinds.js';

export { type DueKind } from './due-kinds.js';

export interface DueIdentity {
  readonly tenantId: TenantId;
  readonly identityId: string;
  readonly dueAt: Date;
}

/** What was due at `before`, longest due first. */
export const dueIdentities = (
  readModels: ReadModels,
  kind: DueKind,
  before: Date,
  limit: number,
): Promise<readonly DueIdentity[]> =>
  readModels.query({
    name: 'retention-due',
    text: `SELECT tenant_id AS "tenantId", identity_id AS "identityId", due_at AS "dueAt" FROM retention_due
           WHERE kind = $1 AND due_at <= $2 ORDER BY due_at LIMIT $3`,
    values: [kind, before, limit],
  });

export interface PurgeTimes {
  /** Null before the first. */
  readonly lastPurge: Date | null;
  /** Null where nothing is to be purged. */
  readonly nextPurge: Date | null;
}

/** When data of this tenant was last erased for good, and when it next becomes due. */
export const purgeTimes = async (readModels: ReadModels, tenantId: TenantId): Promise<PurgeTimes> => {
  const rows = await readModels.query<PurgeTimes>({
    name: 'purge-times',
    text: `SELECT (SELECT last_purge_at FROM retention_purges WHERE tenant_id = $1) AS "lastPurge",
             (SELECT min(due_at) FROM retention_due WHERE tenant_id = $1 AND kind IN ('purge', 'inactivity', 'erasure'))
               AS "nextPurge"`,
    values: [tenantId],
  });
  return rows[0] ?? { lastPurge: null, nextPurge: null };
};
