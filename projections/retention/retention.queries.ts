import { identityStream } from '../../src/identity/domain/identity.events.js';
import { type TenantId } from '../../src/kernel/ids.js';
import { type ReadModels } from '../../src/log/project/projection.js';
import { type DueKind } from './due-kinds.js';

/** The projection. */
export const RETENTION = 'retention';

export { type DueKind, NOTICE_OF } from './due-kinds.js';

/** Sorts before every other id. */
const NO_UUID = '00000000-0000-0000-0000-000000000000';

export interface DueIdentity {
  readonly tenantId: TenantId;
  readonly identityId: string;
  readonly identityHash: string;
  readonly dueAt: Date;
}

/** Items due at `before`, longest due first, after this one. */
export const dueIdentities = (
  readModels: ReadModels,
  { kind, before }: { readonly kind: DueKind; readonly before: Date },
  after: DueIdentity | undefined,
  limit: number,
): Promise<readonly DueIdentity[]> =>
  readModels.query({
    name: 'retention-due',
    text: `SELECT tenant_id AS "tenantId", identity_id AS "identityId", identity_hash AS "identityHash", due_at AS "dueAt"
           FROM retention_due WHERE kind = $1 AND due_at <= $2 AND (due_at, stream) > ($3, $4)
           ORDER BY due_at, stream LIMIT $5`,
    values: [
      kind,
      before,
      after?.dueAt ?? '-infinity',
      after === undefined ? '' : identityStream(after.tenantId, after.identityId),
      limit,
    ],
  });

export interface Remains {
  readonly tenantId: TenantId;
  readonly identityId: string;
  /** It is deleted, or its erasure is decided. */
  readonly isUnderWay: boolean;
}

/** What accounts keep of this person, ingestions that made no identity included. */
export const remainsOfPerson = (readModels: ReadModels, identityHash: string): Promise<readonly Remains[]> =>
  readModels.query({
    name: 'remains-of-person',
    text: `SELECT tenant_id AS "tenantId", identity_id AS "identityId", bool_or(kind <> 'inactivity') AS "isUnderWay"
           FROM retention_due WHERE identity_hash = $1 AND kind IN ('inactivity', 'purge', 'erasure')
           GROUP BY tenant_id, identity_id ORDER BY tenant_id`,
    values: [identityHash],
  });

/** Identities whose erasure was due before this time and is not done. */
export const overdueErasures = async (readModels: ReadModels, before: Date): Promise<number> => {
  const [row] = await readModels.query<{ count: string }>({
    name: 'overdue-erasures',
    text: `SELECT count(*) AS count FROM retention_due WHERE kind IN ('purge', 'inactivity', 'erasure') AND due_at <= $1`,
    values: [before],
  });
  return Number(row?.count ?? 0);
};

/** When data of this tenant was last purged. Null before the first purge. */
export const lastPurge = async (readModels: ReadModels, tenantId: TenantId): Promise<Date | null> => {
  const [row] = await readModels.query<{ at: Date }>({
    name: 'last-purge',
    text: 'SELECT last_purge_at AS at FROM retention_purges WHERE tenant_id = $1',
    values: [tenantId],
  });
  return row?.at ?? null;
};

export interface AgedIngestion {
  readonly tenantId: TenantId;
  readonly ingestionId: string;
  readonly receivedAt: Date;
}

/**
 * Ingestions that ended or were never accepted, without any event since `before`, oldest first. A tenant's ingestions
 * wait while one of its people is overdue for erasure at `now`. Only the ingestions show such a case.
 */
export const agedIngestions = async (
  readModels: ReadModels,
  { before, now }: { readonly before: Date; readonly now: Date },
  after: AgedIngestion | undefined,
  limit: number,
): Promise<readonly AgedIngestion[]> =>
  readModels.query({
    name: 'aged-ingestions',
    text: `SELECT tenant_id AS "tenantId", ingestion_id AS "ingestionId", received_at AS "receivedAt" FROM (
             SELECT tenant_id, ingestion_id, received_at FROM ingestions
             WHERE received_at < $1 AND ended_at < $1 AND next_attempt_at IS NULL
             UNION ALL
             SELECT tenant_id, substring(stream FROM position('_' IN stream) + 1)::uuid, received_at FROM unaccepted_parts
             WHERE received_at < $1
           ) AS aged
           WHERE (received_at, ingestion_id) > ($3, $4::uuid) AND NOT EXISTS (
             SELECT 1 FROM retention_due d WHERE d.tenant_id = aged.tenant_id AND d.due_at <= $2 AND d.kind = 'inactivity')
           ORDER BY received_at, ingestion_id LIMIT $5`,
    values: [before, now, after?.receivedAt ?? '-infinity', after?.ingestionId ?? NO_UUID, limit],
  });

export interface PurgedStream {
  readonly stream: string;
  readonly firstKept: bigint;
}

/** Every stream to truncate, by name, after this one. */
export const purgedStreams = async (
  readModels: ReadModels,
  after: string,
  limit: number,
): Promise<readonly PurgedStream[]> => {
  const rows = await readModels.query<{ stream: string; firstKept: string }>({
    name: 'purged-streams',
    text: `SELECT stream, first_kept AS "firstKept" FROM purged_streams WHERE stream > $1 AND first_kept > 0
           ORDER BY stream LIMIT $2`,
    values: [after, limit],
  });
  return rows.map(({ stream, firstKept }) => ({ stream, firstKept: BigInt(firstKept) }));
};
