import { Injectable } from '@nestjs/common';
import {
  type AgedHeldClaim,
  agedHeldClaims,
  type AgedPosting,
  agedPostings,
  askersBefore,
} from '../../projections/claims/claims.queries.js';
import { type TenantId } from '../kernel/ids.js';
import { paginate } from '../kernel/paginate.js';
import { EventStore } from '../platform/eventstore/event-store.js';
import { ReadModels } from '../log/project/projection.js';
import { PurgeStep, type PurgeRound, type Purges } from '../contract/purging/purge-step.js';
import { purgeByAge, purgeEach, purgeWhole } from '../contract/purging/streams.js';
import { claimStream } from './domain/claim.events.js';
import { CLAIMS_STREAM_PREFIX, claimsStream } from './domain/claims.events.js';
import { postingStream } from './domain/posting.events.js';

/** Purges the claims of both sides that were requested before their limit. */
@Injectable()
@PurgeStep({ name: 'claims', categories: ['claim', 'claims', 'posting'] })
export class ClaimsPurge implements Purges {
  constructor(
    private readonly store: EventStore,
    private readonly readModels: ReadModels,
  ) {}

  async purge(round: PurgeRound): Promise<void> {
    const before = round.keptSince(CLAIMS_STREAM_PREFIX);
    // A holder's claim was decided, or has run out, years ago.
    await purgeEach<AgedHeldClaim>(this.store, round, before, {
      find: (last, limit) => agedHeldClaims(this.readModels, before, last, limit),
      streamOf: ({ tenantId, claimId }) => claimStream(tenantId, claimId),
    });
    const postings = (last: AgedPosting | undefined, limit: number) =>
      agedPostings(this.readModels, before, last, limit);
    for await (const page of paginate(postings))
      for (const { claimId } of page)
        await purgeWhole(this.store, round, { stream: postingStream(claimId), owner: 'operators' }, before);
    // No decision needs claims that are so old.
    const askers = (last: TenantId | undefined, limit: number) =>
      askersBefore(this.readModels, before, last ?? '', limit);
    for await (const page of paginate(askers))
      for (const tenantId of page)
        await purgeByAge(this.store, round, { stream: claimsStream(tenantId), owner: tenantId });
  }
}
