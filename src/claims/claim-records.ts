import { Inject, Injectable } from '@nestjs/common';
import { EligibilityQueries, type SourceRecord } from '../../projections/eligibility/eligibility.queries.js';
import { type AccessRecord } from '../kernel/access.js';
import { type Clock } from '../kernel/clock.js';
import { newUuid, type TenantId } from '../kernel/ids.js';
import { refuse } from '../kernel/rejection.js';
import { eachIfPossible } from '../platform/crypto/open-if-possible.js';
import { ERASED, Vault } from '../platform/crypto/vault.js';
import { CLOCK } from '../platform/tokens.js';
import { RequestedClaims } from './requested-claims.js';
import { type ClaimAccess, ClaimAudit } from './claim-audit.js';
import { type ClaimField } from './domain/claims.events.js';
import { type Grant } from './domain/claims.js';

/** The approved fields of an attestor's present record, by the API's names. A field without a value is absent. */
export interface ReadRecord {
  readonly grant: Grant;
  readonly record: Readonly<Partial<Record<ClaimField, unknown>>>;
}

/** The place of a record's sealed part, beside its stream and event (the eligibility projection copies it as it is). */
const PERSONAL_FIELD = 'personal';

const statusOf = ({ status, kycExpiresAt }: SourceRecord, now: Date): string =>
  status === 'APPROVED' && kycExpiresAt !== null && kycExpiresAt <= now ? 'EXPIRED' : status;

/** Reads for an asker what attestors have approved. Each read is audited for both before it is answered. */
@Injectable()
export class ClaimRecords {
  constructor(
    private readonly requestedClaims: RequestedClaims,
    private readonly identities: EligibilityQueries,
    private readonly vault: Vault,
    private readonly audit: ClaimAudit,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Throws not_found for another's claim, and where no approval is left to use; claim_not_approved before there is one. */
  async read(tenantId: TenantId, claimId: string, access: AccessRecord): Promise<readonly ReadRecord[]> {
    const claim = await this.requestedClaims.find(tenantId, claimId);
    if (claim === undefined) throw refuse('not_found');
    if (claim.grants.length === 0) throw refuse('claim_not_approved');
    await this.identities.assertCurrent();
    const now = this.clock.now();
    const living = claim.grants.filter(({ expiresAt }) => expiresAt > now.toISOString());
    const found = await eachIfPossible(living, (grant) => this.readGrant(grant, now));
    if (found.length === 0) throw refuse('not_found');
    await this.record({ tenantId, claimId, identityHash: claim.identityHash }, found, access);
    return found;
  }

  /** Undefined if the identity was deleted or erased, also where another life has come since. */
  private async readGrant(grant: Grant, now: Date): Promise<ReadRecord | undefined> {
    const tenantId = grant.attestorTenantId as TenantId;
    const source = await this.identities.sourceRecord(tenantId, grant.identityId);
    if (source === undefined || source.personal.key !== grant.life) return undefined;
    const place = { tenantId, stream: source.stream, eventId: source.eventId, field: PERSONAL_FIELD };
    const personal = await this.vault.open(place, source.personal);
    if (personal === ERASED) return undefined;
    const all: Readonly<Partial<Record<ClaimField, unknown>>> = {
      ...(personal as Readonly<Partial<Record<ClaimField, unknown>>>),
      kyc_status: statusOf(source, now),
      tier: source.tier,
      ...(source.kycExpiresAt === null ? {} : { kyc_expires_at: source.kycExpiresAt.toISOString() }),
    };
    const record = Object.fromEntries(
      grant.fields.flatMap((field) => (all[field] === undefined ? [] : [[field, all[field]]])),
    );
    return { grant, record };
  }

  private async record(
    claim: Omit<ClaimAccess, 'action' | 'cause'>,
    read: readonly ReadRecord[],
    access: AccessRecord,
  ): Promise<void> {
    const entry: ClaimAccess = { ...claim, action: 'claim_record_read', cause: newUuid() };
    await Promise.all([
      this.audit.record(entry, access),
      ...read.map(({ grant }) =>
        this.audit.recordForOtherSide({ ...entry, tenantId: grant.attestorTenantId as TenantId }),
      ),
    ]);
  }
}
