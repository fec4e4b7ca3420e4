import { Inject, Injectable } from '@nestjs/common';
import { type AccessRecord } from '../kernel/access.js';
import { type Clock } from '../kernel/clock.js';
import { type CommandMetadata, tenantMetadata } from '../kernel/events.js';
import { deriveUuid, type TenantId } from '../kernel/ids.js';
import { invariant } from '../kernel/invariant.js';
import { AggregateStore } from '../log/append/aggregate-store.js';
import { type Aggregates } from '../log/append/aggregates.js';
import { CLOCK } from '../platform/tokens.js';
import { ClaimAudit, followingClaim } from './claim-audit.js';
import { claimsCategory } from './domain/claims.category.js';
import { type ClaimsCommand } from './domain/claims.commands.js';
import { type ClaimPurpose, type ClaimsEvent, claimsStream } from './domain/claims.events.js';
import { type RequestedClaim, type RequestedClaimsState, type Grant } from './domain/claims.js';

const GRANT_NAMESPACE = '7b0d2a58-41b7-4d38-8d27-55f3c3b1d6a0';

export interface ClaimOrder {
  readonly tenantId: TenantId;
  /** Of the deduction that pays for it: where that is refunded, the claim is undone. */
  readonly claimId: string;
  readonly identityHash: string;
  readonly purpose: ClaimPurpose;
  readonly access: AccessRecord;
}

/** The asking tenants' claims. */
@Injectable()
export class RequestedClaims {
  private readonly claims: Aggregates<RequestedClaimsState, ClaimsCommand, ClaimsEvent>;

  constructor(
    aggregates: AggregateStore,
    private readonly audit: ClaimAudit,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    this.claims = aggregates.of(claimsCategory);
  }

  /** Asks no one yet, so it takes as long whether or not an account attests the person. Returns until when it can be approved. */
  async request({ tenantId, claimId, identityHash, purpose, access }: ClaimOrder): Promise<string> {
    const metadata = tenantMetadata(access);
    const command = { kind: 'request', claimId, identityHash, purpose, now: this.clock.now() } as const;
    const options = { metadata, firstEventId: claimId, inTurn: true };
    const { state } = await this.claims.execute(claimsStream(tenantId), command, options);
    const claim = state.claims.get(claimId);
    invariant(claim !== undefined, 'a requested claim is in the state');
    return claim.expiresAt;
  }

  /** May be repeated. */
  async withdraw(tenantId: TenantId, claimId: string, now: Date, metadata: CommandMetadata): Promise<void> {
    await this.claims.execute(claimsStream(tenantId), { kind: 'withdraw', claimId, now }, { metadata, inTurn: true });
  }

  /** Undefined if there is no such claim, or if it ended long ago. */
  async find(tenantId: TenantId, claimId: string): Promise<RequestedClaim | undefined> {
    return (await this.claims.load(claimsStream(tenantId))).state.claims.get(claimId);
  }

  /** May be repeated. `approvalId` is the id of the attestor's event. */
  async grant(tenantId: TenantId, grant: Grant, identityHash: string, approvalId: string): Promise<void> {
    const { claimId } = grant;
    await this.claims.execute(
      claimsStream(tenantId),
      { kind: 'grant', grant },
      { metadata: followingClaim(claimId), firstEventId: deriveUuid(GRANT_NAMESPACE, approvalId), inTurn: true },
    );
    const entry = { tenantId, action: 'claim_approved', claimId, identityHash, cause: approvalId } as const;
    await this.audit.recordForOtherSide(entry);
  }

  /** Ends a claim that no one approved in time. May be repeated. */
  async lapse(tenantId: TenantId, claimId: string): Promise<void> {
    const command = { kind: 'lapse', claimId, now: this.clock.now() } as const;
    const beforehand = async ({ claims }: RequestedClaimsState): Promise<void> => {
      const claim = claims.get(claimId);
      if (claim === undefined || claim.grants.length > 0) return;
      const { identityHash } = claim;
      await this.audit.recordForOtherSide({
        tenantId,
        action: 'claim_rejected',
        claimId,
        identityHash,
        cause: claimId,
      });
    };
    const options = { metadata: followingClaim(claimId), beforehand, inTurn: true };
    await this.claims.execute(claimsStream(tenantId), command, options);
  }
}
