import { type Envelope } from '../../src/kernel/envelope.js';
import { type TenantId } from '../../src/kernel/ids.js';
import { type Tier } from '../../src/kernel/kyc.js';
import { type ReadModels } from '../../src/platform/projections/projection.js';

/** An attestation of a person that holds now. */
export interface StandingAttestation {
  readonly tenantId: TenantId;
  readonly tier: Tier;
  readonly kycExpiresAt: Date | null;
}

/** The sealed part of the record behind an attestation, with its place. */
export interface SealedPersonalData {
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
    text: `SELECT tenant_id AS "tenantId", tier, kyc_expires_at AS "kycExpiresAt" FROM attestations
           WHERE identity_hash = $1 AND status = 'APPROVED' AND NOT deleted AND (kyc_expires_at IS NULL OR kyc_expires_at > $2)`,
    values: [identityHash, now],
  });

export const sealedPersonalData = async (
  readModels: ReadModels,
  tenantId: TenantId,
  identityId: string,
): Promise<SealedPersonalData | undefined> => {
  const rows = await readModels.query<SealedPersonalData>({
    name: 'sealed-personal-data',
    text: 'SELECT stream, event_id AS "eventId", personal FROM identities WHERE tenant_id = $1 AND identity_id = $2',
    values: [tenantId, identityId],
  });
  return rows[0];
};
