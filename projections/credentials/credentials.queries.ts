import { type StatusPurpose } from './credential-changes.js';
import { BatchLoader } from '../../src/kernel/batch-loader.js';
import { type TenantId } from '../../src/kernel/ids.js';
import { type Tier } from '../../src/kernel/kyc.js';
import { type ReadModels } from '../../src/log/project/projection.js';

export { type StatusPurpose };

export const CREDENTIALS = 'credentials';

export const STATUS_PURPOSES: readonly StatusPurpose[] = ['revocation', 'suspension'];

export const CREDENTIAL_STATUSES = ['issued', 'suspended', 'revoked'] as const;

export type RegisteredStatus = (typeof CREDENTIAL_STATUSES)[number];

export interface RegisteredCredential {
  readonly credentialId: string;
  readonly status: RegisteredStatus;
  /** Keyed hash of e-mail and phone together. */
  readonly identityHash: string;
}

export interface CredentialRow extends Omit<RegisteredCredential, 'identityHash'> {
  readonly identityId: string;
  readonly tier: Tier;
  readonly issuedAt: Date;
  readonly expiresAt: Date;
  readonly changedAt: Date | null;
  readonly list: number;
  readonly index: number;
}

export interface CredentialFilter {
  readonly tenantId: TenantId;
  readonly status?: RegisteredStatus | undefined;
  readonly identityId?: string | undefined;
}

export interface StatusListVersion {
  readonly version: string;
  readonly changedAt: Date;
}

/** Spacing of statements, milliseconds. Look-ups share a statement, since a statement costs more than its rows. */
const LOOK_UP_SPACING = 4;

const SUSPENDED = '(suspended_by_issuer OR suspended_by_identity OR suspended_by_distrust)';

const STATUS = `CASE WHEN revoked THEN 'revoked' WHEN ${SUSPENDED} THEN 'suspended'
  ELSE 'issued' END`;

const FILTERED = `SELECT * FROM credentials WHERE tenant_id = $1 AND ($2::text IS NULL OR ${STATUS} = $2)
  AND ($3::text IS NULL OR identity_id = $3)`;

const BITS: Readonly<Record<StatusPurpose, string>> = {
  revocation: 'revoked',
  suspension: SUSPENDED,
};

const ABSENT = Symbol('absent');

/** A credential's id, and its place in the order of issuance. */
export interface CredentialId {
  readonly credentialId: string;
  readonly position: string;
}

/** An account's credentials in the order of their issuance, after this one. */
export const credentialsAfter = (
  readModels: Pick<ReadModels, 'query'>,
  { tenantId, identityId }: Pick<CredentialFilter, 'tenantId' | 'identityId'>,
  after: CredentialId | undefined,
  limit: number,
): Promise<readonly CredentialId[]> =>
  readModels.query<CredentialId>({
    name: 'credentials-after',
    text: `SELECT credential_id AS "credentialId", position::text AS position FROM credentials
           WHERE tenant_id = $1 AND ($2::text IS NULL OR identity_id = $2) AND position > $3 ORDER BY position LIMIT $4`,
    values: [tenantId, identityId ?? null, after?.position ?? '-1', limit],
  });

/** Credentials that were revoked, or expired, before `before`, and whose status no one needs at `now`; offers that ended before it. */
export const credentialsEndedBefore = (
  readModels: ReadModels,
  { before, now }: { readonly before: Date; readonly now: Date },
  after: CredentialId | undefined,
  limit: number,
): Promise<readonly (CredentialId & { readonly tenantId: TenantId })[]> =>
  readModels.query({
    name: 'credentials-ended',
    text: `SELECT tenant_id AS "tenantId", credential_id AS "credentialId", position::text AS position FROM (
             SELECT tenant_id, credential_id, position FROM credentials
             WHERE expires_at < $1 OR revoked AND changed_at < $1 AND expires_at < $2
             UNION ALL SELECT tenant_id, credential_id, position FROM credential_offers WHERE status = 'ended' AND ended_at < $1
           ) AS ended WHERE position > $3 ORDER BY position LIMIT $4`,
    values: [before, now, after?.position ?? '-1', limit],
  });

/** All reads of the registry. Everything throws Unavailable if Postgres does not respond. */
export class CredentialQueries {
  private readonly registry = new BatchLoader<string, RegisteredCredential | typeof ABSENT>((ids) => this.load(ids), {
    spacingMs: LOOK_UP_SPACING,
  });

  constructor(private readonly readModels: ReadModels) {}

  /** Throws Unavailable if the registry is too far behind to know what is revoked. */
  assertCurrent(): Promise<void> {
    return this.readModels.assertCurrent(CREDENTIALS);
  }

  /** The credential with this id, of any tenant. */
  async find(credentialId: string): Promise<RegisteredCredential | undefined> {
    const found = await this.registry.get(credentialId, credentialId);
    return found === ABSENT ? undefined : found;
  }

  /** The credential of the copy at this place. */
  async atPlace({ list, index }: Pick<CredentialRow, 'list' | 'index'>): Promise<RegisteredCredential | undefined> {
    const [row] = await this.readModels.query<{ credentialId: string }>({
      name: 'credential-at-place',
      text: 'SELECT credential_id AS "credentialId" FROM credential_copies WHERE list = $1 AND index = $2',
      values: [list, index],
    });
    return row && this.find(row.credentialId);
  }

  /** Newest first, with the total, from one snapshot. */
  async page(
    { tenantId, status, identityId }: CredentialFilter,
    limit: number,
    offset: number,
  ): Promise<{ readonly rows: readonly CredentialRow[]; readonly total: number }> {
    const [row] = await this.readModels.query<{ rows: PageRow[]; total: string }>({
      name: 'credentials-page',
      text: `WITH filtered AS (${FILTERED}) SELECT (SELECT count(*) FROM filtered) AS total,
               (SELECT coalesce(json_agg(p), '[]') FROM (
                 SELECT credential_id AS "credentialId", ${STATUS} AS status, identity_id AS "identityId", tier,
                   issued_at AS "issuedAt", expires_at AS "expiresAt", changed_at AS "changedAt", list, index
                 FROM filtered ORDER BY position DESC LIMIT $4 OFFSET $5) AS p) AS rows`,
      values: [tenantId, status ?? null, identityId ?? null, limit, offset],
    });
    return { rows: (row?.rows ?? []).map(withDates), total: Number(row?.total ?? 0) };
  }

  /** Ids of the credentials of one identity that are not revoked, issued before this position of the log. */
  async ofIdentity(tenantId: TenantId, identityId: string, before: bigint): Promise<readonly string[]> {
    const rows = await this.readModels.query<IdRow>({
      name: 'credentials-of-identity',
      text: `SELECT credential_id FROM credentials WHERE tenant_id = $1 AND identity_id = $2 AND NOT revoked
               AND position < $3 ORDER BY position`,
      values: [tenantId, identityId, before.toString()],
    });
    return rows.map(({ credential_id }) => credential_id);
  }

  /** Ids of the credentials of one identity that are not revoked and whose token is under one of these data keys. */
  async underKeys(tenantId: TenantId, identityId: string, dataKeyIds: readonly string[]): Promise<readonly string[]> {
    const rows = await this.readModels.query<IdRow>({
      name: 'credentials-under-keys',
      text: `SELECT credential_id FROM credentials WHERE tenant_id = $1 AND identity_id = $2 AND NOT revoked
               AND data_key_id = ANY($3::uuid[]) ORDER BY position`,
      values: [tenantId, identityId, dataKeyIds],
    });
    return rows.map(({ credential_id }) => credential_id);
  }

  /**
   * A page of credentials of persons that this tenant attests, in the order of their issuance, behind a position of the log. Those
   * that are revoked or have expired by `now` are left out.
   */
  attestedBy(tenantId: TenantId, now: Date, after: bigint, limit: number): Promise<readonly AttestedCredential[]> {
    return this.readModels.query({
      name: 'credentials-attested-by',
      text: `SELECT c.credential_id AS "credentialId", c.tenant_id AS "tenantId", c.position::text AS position FROM credentials c
             JOIN attestations a USING (identity_hash)
             WHERE a.tenant_id = $1 AND NOT c.revoked AND c.expires_at > $2 AND c.position > $3
             ORDER BY c.position LIMIT $4`,
      values: [tenantId, now, after.toString(), limit],
    });
  }

  /** Undefined if there is no such list. */
  async listVersion(purpose: StatusPurpose, list: number): Promise<StatusListVersion | undefined> {
    const rows = await this.readModels.query<StatusListVersion>({
      name: 'status-list-version',
      text: `SELECT version::text AS version, changed_at AS "changedAt" FROM status_lists WHERE purpose = $1 AND list = $2`,
      values: [purpose, list],
    });
    return rows[0];
  }

  /** The indexes of a list whose bits are set, with the version that they belong to. */
  async bits(
    purpose: StatusPurpose,
    list: number,
  ): Promise<(StatusListVersion & { readonly indexes: readonly number[] }) | undefined> {
    const rows = await this.readModels.query<StatusListVersion & { readonly indexes: number[] }>({
      name: `status-bits-${purpose}`,
      text: `SELECT version::text AS version, changed_at AS "changedAt",
               ARRAY(SELECT index FROM credentials WHERE list = $2 AND ${BITS[purpose]} UNION
                     SELECT p.index FROM credential_copies p JOIN credentials USING (credential_id)
                     WHERE p.list = $2 AND ${BITS[purpose]}) AS indexes
             FROM status_lists WHERE purpose = $1 AND list = $2`,
      values: [purpose, list],
    });
    return rows[0];
  }

  /** Waits until the rows include everything up to this position. Returns whether they do. */
  reaches(position: bigint, budgetMs: number): Promise<boolean> {
    return this.readModels.waitFor(CREDENTIALS, position, budgetMs);
  }

  private async load(
    ids: ReadonlyMap<string, string>,
  ): Promise<ReadonlyMap<string, RegisteredCredential | typeof ABSENT>> {
    const rows = await this.readModels.query<RegisteredCredential>({
      name: 'credentials-registered',
      text: `SELECT credential_id AS "credentialId", ${STATUS} AS status, identity_hash AS "identityHash" FROM credentials
             WHERE credential_id = ANY($1::uuid[])`,
      values: [[...ids.keys()]],
    });
    const found = new Map(rows.map((row) => [row.credentialId, row] as const));
    return new Map([...ids.keys()].map((id) => [id, found.get(id) ?? ABSENT] as const));
  }
}

export interface AttestedCredential {
  readonly credentialId: string;
  readonly tenantId: TenantId;
  /** In the log, as a decimal. */
  readonly position: string;
}

interface IdRow {
  readonly credential_id: string;
}

type PageRow = Omit<CredentialRow, 'issuedAt' | 'expiresAt' | 'changedAt'> & {
  readonly issuedAt: string;
  readonly expiresAt: string;
  readonly changedAt: string | null;
};

const withDates = (row: PageRow): CredentialRow => ({
  ...row,
  issuedAt: new Date(row.issuedAt),
  expiresAt: new Date(row.expiresAt),
  changedAt: row.changedAt === null ? null : new Date(row.changedAt),
});
