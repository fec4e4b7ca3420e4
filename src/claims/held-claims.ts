import { tenantMetadata } from '../kernel/events.js';
import { Inject, Injectable } from '@nestjs/common';
import { EligibilityQueries } from '../../projections/eligibility/eligibility.queries.js';
import { type AccessRecord } from '../kernel/access.js';
import { type Clock } from '../kernel/clock.js';
import { deriveUuid, type TenantId } from '../kernel/ids.js';
import { refuse } from '../kernel/rejection.js';
import { AggregateStore } from '../log/append/aggregate-store.js';
import { type Aggregates, type Decided, type Loaded } from '../log/append/aggregates.js';
import { CLOCK } from '../platform/tokens.js';
import { ClaimAudit, followingClaim } from './claim-audit.js';
import { claimCategory } from './domain/claim.category.js';
import { type ClaimCommand, type ReceivedClaim } from './domain/claim.commands.js';
import { type ClaimEvent, claimStream } from './domain/claim.events.js';
import { type HeldClaim } from './domain/claim.js';
import { type ClaimField } from './domain/claims.events.js';
import { postingCategory } from './domain/posting.category.js';
import { type ClaimPosted, type PostingEvent, postingStream } from './domain/posting.events.js';
import { type Posting, type PostingCommand } from './domain/posting.js';

const POSTING_NAMESPACE = 'b8e8f0a4-6a0e-4f6b-8f6e-0a7d2f1b9c35';

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

type DecidedClaim = Decided<HeldClaim, ClaimEvent>;

/** Claims as the tenants that attest the person have them. */
@Injectable()
export class HeldClaims {
  private readonly claims: Aggregates<HeldClaim, ClaimCommand, ClaimEvent>;
  private readonly postings: Aggregates<Posting, PostingCommand, PostingEvent>;

  constructor(
    aggregates: AggregateStore,
    private readonly identities: EligibilityQueries,
    private readonly audit: ClaimAudit,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    this.claims = aggregates.of(claimCategory);
    this.postings = aggregates.of(postingCategory);
  }

  /**
   * Puts the claim before those who attest the person. May be repeated. It appends as much for no one as for many: audit
   * entries of the holders would show the asker their number, by the places of its own events in the log.
   */
  async post(claim: ClaimPosted['data']): Promise<void> {
    const stream = postingStream(claim.claimId);
    const firstEventId = deriveUuid(POSTING_NAMESPACE, stream);
    await this.postings.execute(
      stream,
      { kind: 'post', claim },
      { metadata: followingClaim(claim.claimId), firstEventId },
    );
  }

  /** Takes back a claim that was undone, or keeps it from being posted. May be repeated. */
  async withdraw(claimId: string): Promise<void> {
    const command = { kind: 'withdraw', claimId, now: this.clock.now() } as const;
    await this.postings.execute(postingStream(claimId), command, { metadata: followingClaim(claimId) });
  }

  /**
   * Throws not_found, claim_decided, and identity_deleted where there is no record to read any more. An approval in the last
   * moments may come after the asker's rejection, and holds.
   */
  async approve(decision: ClaimDecision, fields: readonly ClaimField[]): Promise<DecidedClaim> {
    const { loaded, claim } = await this.load(decision);
    await this.identities.assertCurrent();
    const record = await this.identities.sourceRecord(decision.tenantId, claim.identityId);
    if (record === undefined) throw refuse('identity_deleted');
    const { key: life } = record.personal;
    return this.decide(decision, loaded, { kind: 'approve', claim, life, fields, now: this.clock.now() });
  }

  /** Throws not_found and claim_decided. */
  async reject(decision: ClaimDecision): Promise<DecidedClaim> {
    const { loaded, claim } = await this.load(decision);
    return this.decide(decision, loaded, { kind: 'reject', claim, reason: 'rejected', now: this.clock.now() });
  }

  /** Ends a claim on an erased identity that its holder did not decide. May be repeated. Returns whether it was undecided. */
  async end({ tenantId, claimId }: Target): Promise<boolean> {
    const claim = await this.received({ tenantId, claimId });
    const loaded = await this.claims.load(claimStream(tenantId, claimId));
    if (claim === undefined || loaded.state.status !== 'requested') return false;
    const { identityHash } = claim;
    const beforehand = (): Promise<void> =>
      this.audit.recordForOtherSide({ tenantId, action: 'claim_rejected', claimId, identityHash, cause: claimId });
    const options = { metadata: followingClaim(claimId), loaded, beforehand };
    const command = { kind: 'reject', claim, reason: 'identity_erased', now: this.clock.now() } as const;
    await this.claims.execute(loaded.stream, command, options);
    return true;
  }

  private async load({ tenantId, claimId }: Target) {
    const [claim, loaded] = await Promise.all([
      this.received({ tenantId, claimId }),
      this.claims.load(claimStream(tenantId, claimId)),
    ]);
    if (claim === undefined) throw refuse('not_found');
    return { loaded, claim };
  }

  /** The claim as it was put before the tenant. Undefined if it was not, or if it was withdrawn. */
  private async received({ tenantId, claimId }: Target): Promise<ReceivedClaim | undefined> {
    const posted = (await this.postings.load(postingStream(claimId))).state.claim;
    const holder = posted?.holders.find((one) => one.tenantId === tenantId);
    if (posted === null || holder === undefined) return undefined;
    const { askerTenantId, requestedBy, identityHash, purpose, requestedAt, expiresAt } = posted;
    const { identityId } = holder;
    return { claimId, askerTenantId, requestedBy, identityHash, purpose, requestedAt, expiresAt, identityId };
  }

  /** The audit entry precedes the decision, so that none is without its entry. */
  private decide(
    { tenantId, claimId, decisionId, repeated, access }: ClaimDecision,
    loaded: Loaded<HeldClaim, ClaimEvent>,
    command: ClaimCommand,
  ): Promise<DecidedClaim> {
    const { identityHash } = command.claim;
    const action = command.kind === 'approve' ? 'claim_approved' : 'claim_rejected';
    const metadata = tenantMetadata(access);
    const options = { metadata, firstEventId: decisionId, repeated, loaded };
    return this.audit.change({ tenantId, action, claimId, identityHash, cause: decisionId }, access, (beforehand) =>
      this.claims.execute(loaded.stream, command, { ...options, beforehand }),
    );
  }
}
