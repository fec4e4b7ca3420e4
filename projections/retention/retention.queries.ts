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

/**
 * When data of this tenant was last purged for good, and when it next becomes due. Audit entries go a day at a time once
 * the day is `yearsKept` old, billing records up to the newest month's beginning that is.
 */
export const purgeTimes = async (
  readModels: ReadModels,
  tenantId: TenantId,
  yearsKept: number,
): Promise<PurgeTimes> => {
  const rows = await readModels.query<PurgeTimes>({
    name: 'purge-times',
    text: `SELECT (SELECT last_purge_at FROM retention_purges WHERE tenant_id = $1) AS "lastPurge",
             (SELECT min(due_at) FROM (
               SELECT min(due_at) AS due_at FROM retention_due
               WHERE tenant_id = $1 AND kind IN ('purge', 'inactivity', 'erasure')
               UNION ALL
               SELECT (min(day) + make_interval(years => $2::int, days => 1)) AT TIME ZONE 'UTC' FROM audit_days WHERE tenant_id = $1
               UNION ALL
               SELECT (date_trunc('day', min(carried_at) AT TIME ZONE 'UTC') + make_interval(years => $2::int, days => 1)) AT TIME ZONE 'UTC'
               FROM carried_forward c WHERE tenant_id = $1
                 AND EXISTS (SELECT 1 FROM credit_transactions t WHERE t.tenant_id = $1 AND t.revision < c.revision)
             ) AS soonest) AS "nextPurge"`,
    values: [tenantId, yearsKept],
  });
  return rows[0] ?? { lastPurge: null, nextPurge: null };
};

export interface PurgedStream {
  readonly stream: string;
  readonly firstKept: bigint;
}

/** Every stream that is to be truncated, by name, from after this one. */
export const purgedStreams = async (
  readModels: ReadModels,
  after: string,
  limit: number,
): Promise<readonly PurgedStream[]> => {
  const rows = await readModels.query<{ stream: string; firstKept: string }>({
    name: 'purged-streams',
    text: `SELECT stream, first_kept AS "firstKept" FROM purged_streams WHERE stream > $1 ORDER BY stream LIMIT $2`,
    values: [after, limit],
  });
  return rows.map(({ stream, firstKept }) => ({ stream, firstKept: BigInt(firstKept) }));
};
