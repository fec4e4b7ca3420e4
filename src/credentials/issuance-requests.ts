import { Inject, Injectable } from '@nestjs/common';
import { EligibilityQueries } from '../../projections/eligibility/eligibility.queries.js';
import { type Clock } from '../kernel/clock.js';
import { type TenantId } from '../kernel/ids.js';
import { KeyedHashes } from '../platform/crypto/vault.js';
import { CLOCK } from '../platform/tokens.js';
import { type CredentialSubject } from './attestations.js';
import { type IssueBody } from './http/credentials.dto.js';
import { RefusedIssuances } from './refused-issuances.js';
import { tooManyRefusals } from './too-many-refusals.js';

interface Prepared {
  readonly person: CredentialSubject;
  readonly notedRefusals: number;
}

/** What is looked at before an issuance is charged, so that no charge and refund follow. */
@Injectable()
export class IssuanceRequests {
  constructor(
    private readonly index: EligibilityQueries,
    private readonly refused: RefusedIssuances,
    private readonly hashes: KeyedHashes,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Answers 429 after too many refusals about the person. Throws Unavailable. */
  async prepare(tenantId: TenantId, body: IssueBody): Promise<Prepared> {
    const { email, phone_number: phone, full_name: fullName, dob: dateOfBirth, tier = 'Tier1' } = body;
    const identityHash = this.hashes.identityHash(email, phone);
    const notedRefusals = this.refused.noted;
    const [wait] = await Promise.all([this.refused.waitUntil({ tenantId, identityHash }), this.index.assertCurrent()]);
    if (wait !== undefined) throw tooManyRefusals(wait, this.clock.now());
    return { person: { email, phone, fullName, dateOfBirth, tier, identityHash }, notedRefusals };
  }
}
