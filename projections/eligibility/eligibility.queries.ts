import { PERSONAL_FIELD } from '../../src/identity/domain/identity.events.js';
import { type RecordError } from '../../src/identity/domain/ingestion.events.js';
import { type Envelope } from '../../src/kernel/envelope.js';
import { isUuid, type TenantId } from '../../src/kernel/ids.js';
import { type KycStatus, type Tier, TIERS } from '../../src/kernel/kyc.js';
import { BatchLoader } from '../../src/kernel/batch-loader.js';
import { type ReadModels } from '../../src/log/project/projection.js';

export const ELIGIBILITY = 'eligibility';

/** The best values of all valid attestations: the highest tier and the latest verification. */
export interface NetworkAttestation {
  readonly tier: Tier;
  readonly lastVerifiedAt: Date;
}

/** A tenant's own record. Its status may have expired since. */
export interface OwnRecord {
  readonly status: KycStatus;
  readonly expiresAt: Date | null;
  readonly personal: Envelope;
  /** Where `personal` opens. */
  readonly place: {
    readonly tenantId: string;
    readonly stream: string;
    readonly eventId: string;
    readonly field: string;
  };
}

/** An ingestion's progress, in step with the attestations. The records of a `completed` ingestion are findable. */
export interface IngestionRow {
  readonly status: 'accepted' | 'completed' | 'failed';
  readonly recordsReceived: number;
  readonly recordsProcessed: number;
  readonly errors: readonly RecordError[];
  readonly receivedAt: Date;
  readonly endedAt: Date | null;
  /** Set for a single ingestion that was processed. */
  readonly identityId: string | null;
  /** Whether a newer ingestion of the same identity was already applied. */
  readonly superseded: boolean;
}

/** An identity that attests a person at the moment. */
export interface Attestor {
  readonly tenantId: TenantId;
  readonly identityId: string;
}

/** A tenant's own record of an identity that is not deleted. `personal` is sealed at (tenant, stream, eventId, "personal"). */
export interface SourceRecord {
  readonly status: KycStatus;
  readonly tier: Tier;
  readonly kycExpiresAt: Date | null;
  readonly lastVerifiedAt: Date | null;
  readonly stream: string;
  readonly eventId: string;
  readonly personal: Envelope;
}

/** `ingestionId`: a UUID. */
export interface IngestionKey {
  readonly tenantId: TenantId;
  readonly ingestionId: string;
}

const ABSENT = Symbol('absent');

const keyOf = ({ tenantId, ingestionId }: IngestionKey): string => `${tenantId}/${ingestionId.toLowerCase()}`;

/** Spacing of statements, milliseconds. Look-ups share a statement, since a statement costs more than its rows. */
const LOOK_UP_SPACING = 4;

interface AttestationRow {
  readonly identity_hash: string;
  readonly tier: Tier;
  readonly kyc_expires_at: Date | null;
  readonly last_verified_at: Date;
}

/** Of a row of `a` with a tenant. */
export const TRUSTED = 'NOT EXISTS (SELECT 1 FROM distrusted d WHERE d.tenant_id = a.tenant_id)';

/** Of an attestation `a`, whenever it expires. */
export const COUNTS = `a.status = 'APPROVED' AND NOT a.deleted AND ${TRUSTED}`;

const rank = (tier: Tier): number => TIERS.indexOf(tier);

const bestOf = (rows: readonly AttestationRow[], now: Date): NetworkAttestation | undefined => {
  let best: NetworkAttestation | undefined;
  for (const { tier, kyc_expires_at: expires, last_verified_at: verified } of rows) {
    if (expires !== null && expires <= now) continue;
    best = {
      tier: best === undefined || rank(tier) > rank(best.tier) ? tier : best.tier,
      lastVerifiedAt: best === undefined || verified > best.lastVerifiedAt ? verified : best.lastVerifiedAt,
    };
  }
  return best;
};

/** An identity of any tenant, with its sealed record. */
export interface IdentityRow extends Omit<OwnRecord, 'status' | 'expiresAt'> {
  readonly tenantId: TenantId;
  readonly identityId: string;
  readonly identityHash: string;
}

/** A page of all identities that are not deleted, by tenant and id, behind this one. */
export const identitiesAfter = async (
  readModels: ReadModels,
  { tenantId, identityId }: Pick<IdentityRow, 'tenantId' | 'identityId'>,
  limit: number,
): Promise<readonly IdentityRow[]> => {
  const rows = await readModels.query<Omit<IdentityRow, 'place'> & { stream: string; eventId: string }>({
    name: 'identities-after',
    text: `SELECT tenant_id AS "tenantId", identity_id AS "identityId", identity_hash AS "identityHash", personal, stream,
             event_id AS "eventId"
           FROM identities WHERE (tenant_id, identity_id) > ($1, $2) AND deleted_at IS NULL
           ORDER BY tenant_id, identity_id LIMIT $3`,
    values: [tenantId, identityId, limit],
  });
  return rows.map(({ stream, eventId, ...row }) => ({
    ...row,
    place: { tenantId: row.tenantId, stream, eventId, field: PERSONAL_FIELD },
  }));
};

/** All reads of the index. Everything throws Unavailable if Postgres does not respond. */
export class EligibilityQueries {
  private readonly attestations = new BatchLoader<string, readonly AttestationRow[]>((hashes) => this.load(hashes), {
    spacingMs: LOOK_UP_SPACING,
  });

  private readonly statuses = new BatchLoader<IngestionKey, IngestionRow | typeof ABSENT>((keys) =>
    this.loadStatuses(keys),
  );

  constructor(private readonly readModels: ReadModels) {}

  /**
   * Throws Unavailable if the index is too far behind. `find` might then return records deleted long ago, or miss
   * records ingested long ago.
   */
  assertCurrent(): Promise<void> {
    return this.readModels.assertCurrent(ELIGIBILITY);
  }

  /** Considers identities of all tenants that are trusted: those that are APPROVED, not deleted and not past kyc_expires_at at `now`. */
  async find(identityHash: string, now: Date): Promise<NetworkAttestation | undefined> {
    return bestOf(await this.attestations.get(identityHash, identityHash), now);
  }

  /** Every identity that `find` considers, of all tenants. */
  attestors(identityHash: string, now: Date): Promise<readonly Attestor[]> {
    return this.readModels.query({
      name: 'attestors',
      text: `SELECT tenant_id AS "tenantId", identity_id AS "identityId" FROM attestations a
             WHERE identity_hash = $1 AND ${COUNTS} AND (kyc_expires_at IS NULL OR kyc_expires_at > $2)
             ORDER BY tenant_id`,
      values: [identityHash, now],
    });
  }

  /** Undefined if the identity is deleted, or its tenant is distrusted. */
  async sourceRecord(tenantId: TenantId, identityId: string): Promise<SourceRecord | undefined> {
    const rows = await this.readModels.query<SourceRecord>({
      name: 'source-record',
      text: `SELECT status, tier, kyc_expires_at AS "kycExpiresAt", last_verified_at AS "lastVerifiedAt", stream,
               event_id AS "eventId", personal
             FROM identities a WHERE tenant_id = $1 AND identity_id = $2 AND deleted_at IS NULL AND ${TRUSTED}`,
      values: [tenantId, identityId],
    });
    return rows[0];
  }

  /** Tenants that attest the person at `now`, as `find` considers them. */
  async attesting(identityHash: string, now: Date): Promise<number> {
    const rows = await this.attestations.get(identityHash, identityHash);
    return rows.filter(({ kyc_expires_at: expires }) => expires === null || expires > now).length;
  }

  /** Undefined if the tenant has no such identity, or has deleted it. */
  async own(tenantId: TenantId, identityId: string): Promise<OwnRecord | undefined> {
    const rows = await this.readModels.query<Omit<OwnRecord, 'place'> & { stream: string; eventId: string }>({
      name: 'own-record',
      text: `SELECT status, kyc_expires_at AS "expiresAt", personal, stream, event_id AS "eventId"
             FROM identities WHERE tenant_id = $1 AND identity_id = $2 AND deleted_at IS NULL`,
      values: [tenantId, identityId],
    });
    const [row] = rows;
    if (row === undefined) return undefined;
    const { stream, eventId, ...record } = row;
    return { ...record, place: { tenantId, stream, eventId, field: PERSONAL_FIELD } };
  }

  async status(tenantId: TenantId, ingestionId: string): Promise<IngestionRow | undefined> {
    if (!isUuid(ingestionId)) return undefined;
    const key = { tenantId, ingestionId };
    const row = await this.statuses.get(keyOf(key), key);
    return row === ABSENT ? undefined : row;
  }

  /** Accepted ingestions whose next try was due at `before`, longest due first. */
  due(before: Date, limit: number): Promise<readonly IngestionKey[]> {
    return this.readModels.query({
      name: 'ingestions-due',
      text: `SELECT tenant_id AS "tenantId", ingestion_id AS "ingestionId" FROM ingestions
             WHERE next_attempt_at <= $1 ORDER BY next_attempt_at LIMIT $2`,
      values: [before, limit],
    });
  }

  /** Seconds for which the longest due of them has been due; 0 if none is. */
  async longestDue(now: Date): Promise<number> {
    const [row] = await this.readModels.query<{ since: Date | null }>({
      name: 'ingestions-longest-due',
      text: 'SELECT min(next_attempt_at) AS since FROM ingestions WHERE next_attempt_at <= $1',
      values: [now],
    });
    const since = row?.since ?? now;
    return (now.getTime() - since.getTime()) / 1_000;
  }

  /** Waits until the rows include everything up to this position. Returns whether they do. */
  reaches(position: bigint, budgetMs: number): Promise<boolean> {
    return this.readModels.waitFor(ELIGIBILITY, position, budgetMs);
  }

  private async loadStatuses(
    keys: ReadonlyMap<string, IngestionKey>,
  ): Promise<ReadonlyMap<string, IngestionRow | typeof ABSENT>> {
    const wanted = [...keys.values()];
    const rows = await this.readModels.query<IngestionRow & IngestionKey>({
      name: 'ingestion-statuses',
      text: `SELECT tenant_id AS "tenantId", ingestion_id AS "ingestionId", status, records_received AS "recordsReceived",
               records_processed AS "recordsProcessed", errors, received_at AS "receivedAt", ended_at AS "endedAt",
               identity_id AS "identityId", superseded
             FROM ingestions
             WHERE (tenant_id, ingestion_id) IN (SELECT * FROM unnest($1::text[], $2::uuid[]))`,
      values: [wanted.map(({ tenantId }) => tenantId), wanted.map(({ ingestionId }) => ingestionId)],
    });
    const found = new Map(rows.map((row) => [keyOf(row), row] as const));
    return new Map([...keys.keys()].map((key) => [key, found.get(key) ?? ABSENT] as const));
  }

  private async load(hashes: ReadonlyMap<string, string>): Promise<ReadonlyMap<string, readonly AttestationRow[]>> {
    const found = new Map<string, AttestationRow[]>();
    for (const hash of hashes.keys()) found.set(hash, []);
    const rows = await this.readModels.query<AttestationRow>({
      name: 'attestations',
      text: `SELECT identity_hash, tier, kyc_expires_at, last_verified_at FROM attestations a
             WHERE identity_hash = ANY($1::text[]) AND ${COUNTS}`,
      values: [[...hashes.keys()]],
    });
    for (const row of rows) found.get(row.identity_hash)?.push(row);
    return found;
  }
}
