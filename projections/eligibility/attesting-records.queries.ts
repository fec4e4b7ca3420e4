import { type Envelope } from '../../src/kernel/envelope.js';
import { type TenantId } from '../../src/kernel/ids.js';
import { type Tier } from '../../src/kernel/kyc.js';
import { type ReadModels } from '../../src/platform/projections/projection.js';

/** An attestation of a person that holds now, with the sealed part of the record behind it and its place. */
export interface StandingAttestation {
  readonly tenantId: TenantId;
  readonly tier: Tier;
  readonly kycExpiresAt: Date | null;
  readonly stream: string;
  readonly eventId: string;
  readonly personal: Envelope;
}

/** Every tenant's attestation of this person that is APPROVED, not deleted and not past kyc_expires_at at `now`. */
export const standingAttestations = (
  readModels: ReadModels,
  identityHash: string,
  now: Date,
): Promise<readonly StandingAttestation[]> =>
  readModels.query({
    name: 'standing-attestations',
    text: `SELECT a.tenant_id AS "tenantId", a.tier, a.kyc_expires_at AS "kycExpiresAt", i.stream, i.event_id AS "eventId",
             i.personal
           FROM attestations a JOIN identities i USING (tenant_id, identity_id)
           WHERE a.identity_hash = $1 AND a.status = 'APPROVED' AND NOT a.deleted
             AND (a.kyc_expires_at IS NULL OR a.kyc_expires_at > $2)`,
    values: [identityHash, now],
  });
