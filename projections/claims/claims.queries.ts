import { type ClaimField, type ClaimPurpose } from '../../src/claims/domain/claims.events.js';
import { type TenantId } from '../../src/kernel/ids.js';
import { type ReadModels } from '../../src/log/project/projection.js';

export const CLAIMS = 'claims';

export type ClaimRole = 'asker' | 'holder';

/** An approval as the asker sees it. */
export interface ApprovalRow {
  readonly attestedBy: string;
  readonly fields: readonly ClaimField[];
  /** ISO 8601, as Postgres writes it. */
  readonly approvedAt: string;
  readonly expiresAt: string;
}

export interface ClaimRow {
  readonly claimId: string;
  readonly role: ClaimRole;
  readonly purpose: ClaimPurpose;
  readonly status: 'requested' | 'approved' | 'rejected';
  readonly requestedAt: Date;
  readonly expiresAt: Date;
  readonly decidedAt: Date | null;
  /** The next four are null for the asker. */
  readonly requestedBy: string | null;
  readonly identityId: string | null;
  readonly fields: readonly ClaimField[] | null;
  readonly grantExpiresAt: Date | null;
  /** Empty for a holder. */
  readonly approvals: readonly ApprovalRow[];
}

export interface WantedClaims {
  readonly role: ClaimRole;
  /** As holder: claims on one of its identities. */
  readonly identityId: string | undefined;
  readonly limit: number;
  readonly offset: number;
}

export interface ClaimPage {
  /** Newest first. */
  readonly claims: readonly ClaimRow[];
  readonly total: number;
}

export interface UndecidedClaim {
  readonly tenantId: TenantId;
  readonly claimId: string;
  readonly expiresAt: Date;
}

const COLUMNS = `claim_id AS "claimId", role, purpose, status, requested_at AS "requestedAt", expires_at AS "expiresAt",
  decided_at AS "decidedAt", requested_by AS "requestedBy", identity_id AS "identityId", fields,
  grant_expires_at AS "grantExpiresAt", coalesce((
    SELECT json_agg(json_build_object('attestedBy', attested_by, 'fields', fields, 'approvedAt', approved_at,
      'expiresAt', a.expires_at) ORDER BY approved_at, attestor_tenant_id)
    FROM claim_approvals a WHERE a.tenant_id = c.tenant_id AND a.claim_id = c.claim_id), '[]') AS approvals`;

/** Sorts before every other id. */
const NO_UUID = '00000000-0000-0000-0000-000000000000';

/** All reads of claims. Everything throws Unavailable if Postgres does not respond. */
export class ClaimQueries {
  constructor(private readonly readModels: ReadModels) {}

  /** Undefined if the tenant has no part in such a claim. */
  async find(tenantId: TenantId, claimId: string): Promise<ClaimRow | undefined> {
    const rows = await this.readModels.query<ClaimRow>({
      name: 'claim',
      text: `SELECT ${COLUMNS} FROM claims c WHERE tenant_id = $1 AND claim_id = $2`,
      values: [tenantId, claimId],
    });
    return rows[0];
  }

  /** Newest first, with the total, from one snapshot. */
  async page(tenantId: TenantId, { role, identityId, limit, offset }: WantedClaims): Promise<ClaimPage> {
    const isAll = identityId === undefined;
    const asked = `tenant_id = $1 AND role = $2${isAll ? '' : ' AND identity_id = $5'}`;
    const rows = await this.readModels.query<{ total: string } & (ClaimRow | { claimId: null })>({
      name: isAll ? 'claims-page' : 'claims-page-of-identity',
      text: `SELECT counted.total, page.* FROM (SELECT count(*) AS total FROM claims WHERE ${asked}) AS counted
             LEFT JOIN (SELECT ${COLUMNS} FROM claims c WHERE ${asked}
               ORDER BY requested_at DESC, claim_id LIMIT $3 OFFSET $4) AS page ON true
             ORDER BY page."requestedAt" DESC, page."claimId"`,
      values: [tenantId, role, limit, offset, ...(isAll ? [] : [identityId])],
    });
    return { claims: rows.filter((row) => row.claimId !== null), total: Number(rows[0]?.total ?? 0) };
  }

  /** Askers' claims that no one decided before `before`, longest due first, after this one. */
  undecided(before: Date, after: UndecidedClaim | undefined, limit: number): Promise<readonly UndecidedClaim[]> {
    return this.readModels.query({
      name: 'claims-undecided',
      text: `SELECT tenant_id AS "tenantId", claim_id AS "claimId", expires_at AS "expiresAt" FROM claims
             WHERE role = 'asker' AND status = 'requested' AND expires_at <= $1 AND (expires_at, tenant_id, claim_id) > ($2, $3, $4::uuid)
             ORDER BY expires_at, tenant_id, claim_id LIMIT $5`,
      values: [before, after?.expiresAt ?? '-infinity', after?.tenantId ?? '', after?.claimId ?? NO_UUID, limit],
    });
  }

  /** Ids of the undecided claims on one of the tenant's identities. */
  async onIdentity(tenantId: TenantId, identityId: string, now: Date): Promise<readonly string[]> {
    const rows = await this.readModels.query<{ claim_id: string }>({
      name: 'claims-on-identity',
      text: `SELECT claim_id FROM claims WHERE tenant_id = $1 AND identity_id = $2 AND status = 'requested' AND expires_at > $3
             ORDER BY claim_id`,
      values: [tenantId, identityId, now],
    });
    return rows.map(({ claim_id }) => claim_id);
  }

  /** Waits until the rows include everything up to this position. Returns whether they do. */
  reaches(position: bigint, budgetMs: number): Promise<boolean> {
    return this.readModels.waitFor(CLAIMS, position, budgetMs);
  }
}

/** The tenant's claims in the order of their ids, after this one; '' is before all. Of one person where it is given. */
export const claimsAfter = (
  readModels: Pick<ReadModels, 'query'>,
  tenantId: TenantId,
  person: { readonly identityId: string; readonly claimIds: readonly string[] } | undefined,
  after: string,
  limit: number,
): Promise<readonly ClaimRow[]> =>
  readModels.query({
    name: 'claims-after',
    text: `SELECT ${COLUMNS} FROM claims c WHERE tenant_id = $1 AND claim_id > $2::uuid
             AND ($3::text IS NULL OR identity_id = $3 OR claim_id = ANY($4::uuid[])) ORDER BY claim_id LIMIT $5`,
    values: [tenantId, after === '' ? NO_UUID : after, person?.identityId ?? null, person?.claimIds ?? [], limit],
  });

export interface AgedHeldClaim {
  readonly tenantId: TenantId;
  readonly claimId: string;
  readonly requestedAt: Date;
}

/** Holders' claims that were requested before this time, oldest first, after this one. */
export const agedHeldClaims = (
  readModels: ReadModels,
  before: Date,
  after: AgedHeldClaim | undefined,
  limit: number,
): Promise<readonly AgedHeldClaim[]> =>
  readModels.query({
    name: 'aged-held-claims',
    text: `SELECT tenant_id AS "tenantId", claim_id AS "claimId", requested_at AS "requestedAt" FROM claims
           WHERE role = 'holder' AND requested_at < $1 AND (requested_at, tenant_id, claim_id) > ($2, $3, $4::uuid)
           ORDER BY requested_at, tenant_id, claim_id LIMIT $5`,
    values: [before, after?.requestedAt ?? '-infinity', after?.tenantId ?? '', after?.claimId ?? NO_UUID, limit],
  });

export interface AgedPosting {
  readonly claimId: string;
  readonly postedAt: Date;
}

/** Postings of claims from before this time, oldest first, after this one. */
export const agedPostings = (
  readModels: ReadModels,
  before: Date,
  after: AgedPosting | undefined,
  limit: number,
): Promise<readonly AgedPosting[]> =>
  readModels.query({
    name: 'aged-postings',
    text: `SELECT claim_id AS "claimId", posted_at AS "postedAt" FROM claim_postings
           WHERE posted_at < $1 AND (posted_at, claim_id) > ($2, $3::uuid) ORDER BY posted_at, claim_id LIMIT $4`,
    values: [before, after?.postedAt ?? '-infinity', after?.claimId ?? NO_UUID, limit],
  });

/** Tenants that requested a claim before this time, after this one. */
export const askersBefore = async (
  readModels: ReadModels,
  before: Date,
  after: string,
  limit: number,
): Promise<readonly TenantId[]> => {
  const rows = await readModels.query<{ tenant_id: TenantId }>({
    name: 'askers-before',
    text: `SELECT DISTINCT tenant_id FROM claims WHERE role = 'asker' AND requested_at < $1 AND tenant_id > $2
           ORDER BY tenant_id LIMIT $3`,
    values: [before, after, limit],
  });
  return rows.map(({ tenant_id }) => tenant_id);
};
