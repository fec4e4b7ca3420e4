import { BatchLoader } from '../../src/kernel/batch-loader.js';
import { type Envelope } from '../../src/kernel/envelope.js';
import { COUNTS } from './eligibility.queries.js';
import { type TenantId } from '../../src/kernel/ids.js';
import { type Tier } from '../../src/kernel/kyc.js';
import { type ReadModels } from '../../src/log/project/projection.js';

/** Spacing of statements, milliseconds. Issuances share a statement, since a statement costs more than its rows. */
const LOOK_UP_SPACING = 4;

/** An attestation of a person that holds now, with the sealed part of the record behind it and its place. */
export interface StandingAttestation {
  readonly tenantId: TenantId;
  readonly tier: Tier;
  readonly kycExpiresAt: Date | null;
  readonly lastVerifiedAt: Date | null;
  readonly stream: string;
  readonly eventId: string;
  readonly personal: Envelope;
}

interface Row extends StandingAttestation {
  readonly identityHash: string;
}

/** Reads attestations with the records behind them. Everything throws Unavailable if Postgres does not respond. */
export class AttestingRecords {
  private readonly found = new BatchLoader<string, readonly StandingAttestation[]>((hashes) => this.load(hashes), {
    spacingMs: LOOK_UP_SPACING,
  });

  constructor(private readonly readModels: ReadModels) {}

  /** Every trusted tenant's attestation of this person that is APPROVED, not deleted and not past kyc_expires_at at `now`. */
  async standing(identityHash: string, now: Date): Promise<readonly StandingAttestation[]> {
    const found = await this.found.get(identityHash, identityHash);
    return found.filter(({ kycExpiresAt }) => kycExpiresAt === null || kycExpiresAt > now);
  }

  private async load(
    hashes: ReadonlyMap<string, string>,
  ): Promise<ReadonlyMap<string, readonly StandingAttestation[]>> {
    const rows = await this.readModels.query<Row>({
      name: 'standing-attestations',
      text: `SELECT a.identity_hash AS "identityHash", a.tenant_id AS "tenantId", a.tier,
               a.kyc_expires_at AS "kycExpiresAt", a.last_verified_at AS "lastVerifiedAt", i.stream, i.event_id AS "eventId", i.personal
             FROM attestations a JOIN identities i USING (tenant_id, identity_id)
             WHERE a.identity_hash = ANY($1::text[]) AND ${COUNTS}`,
      values: [[...hashes.keys()]],
    });
    const byHash = new Map<string, StandingAttestation[]>([...hashes.keys()].map((hash) => [hash, []]));
    for (const { identityHash, ...attestation } of rows) byHash.get(identityHash)?.push(attestation);
    return byHash;
  }
}
