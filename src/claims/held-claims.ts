import { Inject, Injectable } from '@nestjs/common';
import { EligibilityQueries } from '../../projections/eligibility/eligibility.queries.js';
import { type AccessRecord } from '../kernel/access.js';
import { type Clock } from '../kernel/clock.js';
import { deriveUuid, type TenantId } from '../kernel/ids.js';
import { refuse } from '../kernel/rejection.js';
import { AggregateStore } from '../platform/eventstore/aggregate-store.js';
import { type Aggregates, type Decided, type Loaded } from '../platform/eventstore/aggregates.js';
import { CLOCK } from '../platform/tokens.js';
import { ClaimAudit, followingClaim } from './claim-audit.js';
import { claimCategory } from './domain/claim.category.js';
import { type ClaimCommand, type RejectClaim } from './domain/claim.commands.js';
import { type ClaimEvent, type ClaimReceived, claimStream } from './domain/claim.events.js';
import { type HeldClaim } from './domain/claim.js';
import { type ClaimField } from './domain/claims.events.js';

const RECEIPT_NAMESPACE = 'b8e8f0a4-6a0e-4f6b-8f6e-0a7d2f1b9c35';

interface Target {
  readonly tenantId: TenantId;
  readonly claimId: string;
}

/** A holder's answer to a claim, by one of its own requests. */
export interface ClaimDecision extends Target {
  /** A UUID. A repeated call with the same one finds the first decision. */
  readonly decisionId: string;
  readonly repeated: boolean;
  readonly access: AccessRecord;
}

type Received = ClaimReceived['data'];
type DecidedClaim = Decided<HeldClaim, ClaimEvent>;

/** Claims as the tenants that attest the person have them. */
@Injectable()
export class HeldClaims {
  private readonly claims: Aggregates<HeldClaim, ClaimCommand, ClaimEvent>;

  constructor(
    aggregates: AggregateStore,
    private readonly identities: EligibilityQueries,
    private readonly audit: ClaimAudit,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    this.claims = aggregates.of(claimCategory);
  }

  /** Puts the claim before a tenant that attests the person. May be repeated. */
  async receive(tenantId: TenantId, claim: Received): Promise<void> {
    const { claimId, identityHash } = claim;
    const stream = claimStream(tenantId, claimId);
    const firstEventId = deriveUuid(RECEIPT_NAMESPACE, stream);
    const options = { metadata: followingClaim(claimId), firstEventId, loaded: this.claims.unread(stream) };
    await this.claims.execute(stream, { kind: 'receive', claim }, options);
    await this.audit.recordForOtherSide({
      tenantId,
      action: 'claim_requested',
      claimId,
      identityHash,
      cause: firstEventId,
    });
  }

  /** Throws not_found, claim_decided, and identity_deleted where there is no record to read any more. */
  async approve(decision: ClaimDecision, fields: readonly ClaimField[]): Promise<DecidedClaim> {
    const { loaded, received } = await this.load(decision);
    await this.identities.assertCurrent();
    if ((await this.identities.sourceRecord(decision.tenantId, received.identityId)) === undefined)
      throw refuse('identity_deleted');
    return this.decide(decision, loaded, { kind: 'approve', fields, now: this.clock.now() }, 'claim_approved');
  }

  /** Throws not_found and claim_decided. */
  async reject(decision: ClaimDecision): Promise<DecidedClaim> {
    const { loaded } = await this.load(decision);
    const command = { kind: 'reject', reason: 'rejected', now: this.clock.now() } as const;
    return this.decide(decision, loaded, command, 'claim_rejected');
  }

  /** Ends a claim that its holder did not decide. May be repeated. Returns whether it was undecided. */
  async end({ tenantId, claimId }: Target, reason: RejectClaim['reason']): Promise<boolean> {
    const loaded = await this.claims.load(claimStream(tenantId, claimId));
    const { received, status } = loaded.state;
    if (received === null || status !== 'requested') return false;
    const { identityHash } = received;
    const beforehand = (): Promise<void> =>
      this.audit.recordForOtherSide({ tenantId, action: 'claim_rejected', claimId, identityHash, cause: claimId });
    const options = { metadata: followingClaim(claimId), loaded, beforehand };
    await this.claims.execute(loaded.stream, { kind: 'reject', reason, now: this.clock.now() }, options);
    return true;
  }

  private async load({ tenantId, claimId }: Target) {
    const loaded = await this.claims.load(claimStream(tenantId, claimId));
    const { received } = loaded.state;
    if (received === null) throw refuse('not_found');
    return { loaded, received };
  }

  /** The audit entry precedes the decision, so that none is without its entry. */
  private decide(
    { tenantId, claimId, decisionId, repeated, access }: ClaimDecision,
    loaded: Loaded<HeldClaim, ClaimEvent>,
    command: ClaimCommand,
    action: 'claim_approved' | 'claim_rejected',
  ): Promise<DecidedClaim> {
    const identityHash = loaded.state.received?.identityHash ?? '';
    const beforehand = (): Promise<void> =>
      this.audit.record({ tenantId, action, claimId, identityHash, cause: decisionId }, access);
    const metadata = { requestId: access.requestId, actor: { type: 'tenant', id: access.actorId } } as const;
    return this.claims.execute(loaded.stream, command, {
      metadata,
      firstEventId: decisionId,
      repeated,
      loaded,
      beforehand,
    });
  }
}
