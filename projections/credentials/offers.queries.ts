import { type OfferStatus } from '../../src/credentials/domain/offer.events.js';
import { type TenantId } from '../../src/kernel/ids.js';
import { type Tier } from '../../src/kernel/kyc.js';
import { type ReadModels } from '../../src/log/project/projection.js';
import { type OfferEnding } from './offer-changes.js';

export { type OfferEnding };

export interface OfferSummary {
  readonly credentialId: string;
  readonly identityId: string;
  readonly tier: Tier;
  readonly status: OfferStatus;
  readonly endedBecause: OfferEnding | null;
  readonly offeredAt: Date;
  readonly until: Date;
}

export interface OfferFilter {
  readonly tenantId: TenantId;
  readonly status?: OfferStatus | undefined;
}

type Reads = Pick<ReadModels, 'query'>;

interface PageRow extends Omit<OfferSummary, 'offeredAt' | 'until'> {
  readonly offeredAt: string;
  readonly until: string;
}

/** Newest first, with the total, from one snapshot. Throws Unavailable. */
export const pageOfOffers = async (
  reads: Reads,
  { tenantId, status }: OfferFilter,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<{ readonly rows: readonly OfferSummary[]; readonly total: number }> => {
  const [found] = await reads.query<{ rows: PageRow[]; total: string }>({
    name: 'offers-page',
    text: `WITH filtered AS (
             SELECT * FROM credential_offers WHERE tenant_id = $1 AND ($2::text IS NULL OR status = $2))
           SELECT (SELECT count(*) FROM filtered) AS total, (SELECT coalesce(json_agg(p), '[]') FROM (
             SELECT credential_id AS "credentialId", identity_id AS "identityId", tier, status, until,
               ended_because AS "endedBecause", offered_at AS "offeredAt"
             FROM filtered ORDER BY position DESC LIMIT $3 OFFSET $4) AS p) AS rows`,
    values: [tenantId, status ?? null, limit, offset],
  });
  const rows = (found?.rows ?? []).map((row) => ({
    ...row,
    offeredAt: new Date(row.offeredAt),
    until: new Date(row.until),
  }));
  return { rows, total: Number(found?.total ?? 0) };
};

export interface OfferRow extends OfferSummary {
  /** Of its first event. */
  readonly position: string;
}

/** One page of the tenant's offers, or of those of one identity, in the order of the log. Throws Unavailable. */
export const offersAfter = (
  reads: Reads,
  { tenantId, identityId }: { readonly tenantId: TenantId; readonly identityId?: string | undefined },
  last: OfferRow | undefined,
  limit: number,
): Promise<readonly OfferRow[]> =>
  reads.query<OfferRow>({
    name: 'offers-after',
    text: `SELECT credential_id AS "credentialId", identity_id AS "identityId", tier, status, until,
             ended_because AS "endedBecause", offered_at AS "offeredAt", position::text AS position
           FROM credential_offers
           WHERE tenant_id = $1 AND ($2::text IS NULL OR identity_id = $2) AND position > $3 ORDER BY position LIMIT $4`,
    values: [tenantId, identityId ?? null, last?.position ?? '-1', limit],
  });

export interface WaitingOffer {
  readonly tenantId: TenantId;
  readonly credentialId: string;
  readonly until: Date;
}

/** Offers that wait for a wallet past their time, the oldest first. Throws Unavailable. */
export const offersPastTheirTime = (
  reads: Reads,
  now: Date,
  last: WaitingOffer | undefined,
  limit: number,
): Promise<readonly WaitingOffer[]> =>
  reads.query<WaitingOffer>({
    name: 'offers-past-their-time',
    text: `SELECT tenant_id AS "tenantId", credential_id AS "credentialId", until FROM credential_offers
           WHERE status IN ('offered', 'accepted') AND until <= $1
             AND ($2::timestamptz IS NULL OR (until, credential_id) > ($2, $3::uuid))
           ORDER BY until, credential_id LIMIT $4`,
    values: [now, last?.until ?? null, last?.credentialId ?? null, limit],
  });

/** Offers of one identity that wait for a wallet, and whose person is sealed under one of these data keys. Throws Unavailable. */
export const offersUnderKeys = async (
  reads: Reads,
  tenantId: TenantId,
  identityId: string,
  dataKeyIds: readonly string[],
): Promise<readonly string[]> => {
  const rows = await reads.query<{ credentialId: string }>({
    name: 'offers-under-keys',
    text: `SELECT credential_id AS "credentialId" FROM credential_offers WHERE tenant_id = $1 AND identity_id = $2
             AND status IN ('offered', 'accepted') AND data_key_id = ANY($3::uuid[]) ORDER BY position`,
    values: [tenantId, identityId, dataKeyIds],
  });
  return rows.map(({ credentialId }) => credentialId);
};
