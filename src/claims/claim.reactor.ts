import { Inject, Injectable } from '@nestjs/common';
import { EligibilityQueries } from '../../projections/eligibility/eligibility.queries.js';
import { AccountStandings } from '../kernel/account-standings.js';
import { type Clock } from '../kernel/clock.js';
import { type Recorded, type StoredEvent, tenantOfStream } from '../kernel/events.js';
import { type TenantId } from '../kernel/ids.js';
import { Unavailable } from '../kernel/unavailable.js';
import { type Reaction } from '../kernel/reaction.js';
import { Reactor } from '../log/react/reactor.js';
import { CLOCK } from '../platform/tokens.js';
import { RequestedClaims } from './requested-claims.js';
import { CLAIM_STREAM_PREFIX, type ClaimApproved } from './domain/claim.events.js';
import { CLAIMS_STREAM_PREFIX, type ClaimRequested, type ClaimWithdrawn } from './domain/claims.events.js';
import { HeldClaims } from './held-claims.js';

type Followed = ClaimRequested | ClaimWithdrawn | ClaimApproved;

/** Milliseconds to wait for the index to show what was ingested before a claim. */
const INDEX_BUDGET_MS = 5_000;

/** Carries a claim to those who attest the person, and their approvals back. */
@Reactor({
  name: 'claims',
  version: 1,
  streamPrefixes: [CLAIM_STREAM_PREFIX, CLAIMS_STREAM_PREFIX],
  eventTypes: ['ClaimRequested.v1', 'ClaimWithdrawn.v1', 'ClaimApproved.v1'] satisfies readonly Followed['type'][],
  startsAt: 'beginning',
})
@Injectable()
export class ClaimReactor implements Reaction {
  constructor(
    private readonly requestedClaims: RequestedClaims,
    private readonly held: HeldClaims,
    private readonly identities: EligibilityQueries,
    private readonly accounts: AccountStandings,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async handle(event: StoredEvent): Promise<void> {
    const followed = event as Recorded<Followed>;
    switch (followed.type) {
      case 'ClaimRequested.v1':
        return this.post(followed);
      case 'ClaimWithdrawn.v1':
        return this.held.withdraw(followed.data.claimId);
      case 'ClaimApproved.v1':
        return this.grant(followed);
    }
  }

  /** A tenant's claim on a person that it attests itself is put before the others alone. */
  private async post({ stream, position, data }: Recorded<ClaimRequested>): Promise<void> {
    const asker = tenantOfStream(stream) as TenantId;
    if (!(await this.identities.reaches(position, INDEX_BUDGET_MS))) throw new Unavailable('postgres');
    const requestedBy = await this.nameOf(asker);
    const attestors = await this.identities.attestors(data.identityHash, this.clock.now());
    const holders = attestors.filter(({ tenantId }) => tenantId !== asker);
    const { claimId, identityHash, purpose, requestedAt, expiresAt } = data;
    const claim = { claimId, askerTenantId: asker, requestedBy, identityHash, purpose, requestedAt, expiresAt };
    await this.held.post({ ...claim, holders: holders.map(({ tenantId, identityId }) => ({ tenantId, identityId })) });
  }

  private async grant({ id, stream, data }: Recorded<ClaimApproved>): Promise<void> {
    const attestorTenantId = tenantOfStream(stream) as TenantId;
    const { claimId, askerTenantId, identityId, identityHash, life, fields, approvedAt: grantedAt, expiresAt } = data;
    const attestedBy = await this.nameOf(attestorTenantId);
    const grant = { claimId, attestorTenantId, attestedBy, identityId, life, fields, grantedAt, expiresAt };
    await this.requestedClaims.grant(askerTenantId as TenantId, grant, identityHash, id);
  }

  /** An account is older than its claims, so its stream has it. */
  private async nameOf(tenantId: TenantId): Promise<string> {
    const name = (await this.accounts.of(tenantId))?.name;
    if (name === undefined) throw new Unavailable('event_store');
    return name;
  }
}
