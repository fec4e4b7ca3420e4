import { type Envelope } from '../../src/kernel/envelope.js';
import { type TenantId } from '../../src/kernel/ids.js';
import { type KycStatus, type Tier } from '../../src/kernel/kyc.js';
import { type ReadModels } from '../../src/log/project/projection.js';

/** An identity of a tenant as it was last ingested. */
export interface IdentityRow {
  readonly identityId: string;
  readonly identityHash: string;
  readonly ingestionId: string;
  readonly status: KycStatus;
  readonly tier: Tier;
  readonly kycExpiresAt: Date | null;
  readonly lastVerifiedAt: Date | null;
  readonly receivedAt: Date;
  readonly deletedAt: Date | null;
  readonly purgeAt: Date | null;
  /** With `eventId` the place at which `personal` is sealed, field `personal`. */
  readonly stream: string;
  readonly eventId: string;
  readonly personal: Envelope;
}

type Queries = Pick<ReadModels, 'query'>;

const OPEN_COLUMNS = `identity_id AS "identityId", identity_hash AS "identityHash", ingestion_id AS "ingestionId", status, tier,
  kyc_expires_at AS "kycExpiresAt", last_verified_at AS "lastVerifiedAt", received_at AS "receivedAt",
  deleted_at AS "deletedAt", purge_at AS "purgeAt", stream, event_id AS "eventId"`;
const COLUMNS = `${OPEN_COLUMNS}, personal`;

export const identityWithId = async (
  readModels: Queries,
  tenantId: TenantId,
  identityId: string,
): Promise<IdentityRow | undefined> => {
  const rows = await readModels.query<IdentityRow>({
    name: 'identity-with-id',
    text: `SELECT ${COLUMNS} FROM identities WHERE tenant_id = $1 AND identity_id = $2`,
    values: [tenantId, identityId],
  });
  return rows[0];
};

/** A tenant's identities in order of their ids, after this one. Empty: from the first. */
export const identitiesAfter = (
  readModels: Queries,
  tenantId: TenantId,
  after: string,
  limit: number,
): Promise<readonly IdentityRow[]> =>
  readModels.query<IdentityRow>({
    name: 'identities-after',
    text: `SELECT ${COLUMNS} FROM identities WHERE tenant_id = $1 AND identity_id > $2 ORDER BY identity_id LIMIT $3`,
    values: [tenantId, after, limit],
  });

/** As identitiesAfter, of one state of life where it is given. */
export const identitiesOfLife = (
  readModels: Queries,
  tenantId: TenantId,
  {
    deleted,
    only,
    after,
    limit,
  }: {
    readonly deleted: boolean | undefined;
    readonly only: string | undefined;
    readonly after: string;
    readonly limit: number;
  },
): Promise<readonly Omit<IdentityRow, 'personal'>[]> =>
  readModels.query<Omit<IdentityRow, 'personal'>>({
    name: 'identities-of-life',
    text: `SELECT ${OPEN_COLUMNS} FROM identities
           WHERE tenant_id = $1 AND identity_id > $2 AND ($3::boolean IS NULL OR (deleted_at IS NOT NULL) = $3)
             AND ($5::text IS NULL OR identity_id = $5)
           ORDER BY identity_id LIMIT $4`,
    values: [tenantId, after, deleted ?? null, limit, only ?? null],
  });
