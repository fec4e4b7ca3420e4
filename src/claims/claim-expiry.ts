import { Inject, Injectable } from '@nestjs/common';
import { ClaimQueries, type UndecidedClaim } from '../../projections/claims/claims.queries.js';
import { type Clock, CLOCK_SLACK_MS } from '../kernel/clock.js';
import { forEachDue } from '../platform/periodic/for-each-due.js';
import { type ErasedSubject, ErasureStep, type Erases } from '../contract/erasure/erasure-step.js';
import { Periodic } from '../platform/periodic/periodic.js';
import { CLOCK } from '../platform/tokens.js';
import { RequestedClaims } from './requested-claims.js';
import { HeldClaims } from './held-claims.js';

const CONCURRENCY = 8;

/**
 * Ends claims that no one decided: the asker's after 30 days, a holder's with the erasure of the identity that it was asked for.
 * The silence of a holder leaves no event, since the asker could count them.
 */
@ErasureStep({ kind: 'claims' })
@Injectable()
export class ClaimExpiry implements Erases {
  constructor(
    private readonly queries: ClaimQueries,
    private readonly requestedClaims: RequestedClaims,
    private readonly held: HeldClaims,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Waits out the differences between clocks, so that a last approval still finds the claim open. */
  @Periodic({ every: ({ erasure }) => erasure.ageEvery, role: 'jobs', alone: true })
  async run(stopping?: AbortSignal): Promise<void> {
    const before = new Date(this.clock.now().getTime() - CLOCK_SLACK_MS);
    const find = (last: UndecidedClaim | undefined, limit: number) => this.queries.undecided(before, last, limit);
    const lapse = ({ tenantId, claimId }: UndecidedClaim) => this.requestedClaims.lapse(tenantId, claimId);
    await forEachDue(find, lapse, { concurrency: CONCURRENCY, signal: stopping });
  }

  /** An approval of the erased identity ends with it, since it reads the record itself. */
  async erase({ tenantId, identityId }: ErasedSubject): Promise<number> {
    let ended = 0;
    for (const claimId of await this.queries.onIdentity(tenantId, identityId, this.clock.now()))
      if (await this.held.end({ tenantId, claimId })) ended += 1;
    return ended;
  }
}
