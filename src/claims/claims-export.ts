import { Inject, Injectable } from '@nestjs/common';
import { type ClaimRow, CLAIMS, claimsAfter } from '../../projections/claims/claims.queries.js';
import { identityWithId } from '../../projections/eligibility/identities.queries.js';
import { type Clock } from '../kernel/clock.js';
import { type TenantId } from '../kernel/ids.js';
import { EventStore } from '../platform/eventstore/event-store.js';
import { ExportSection, type Exports, type ExportScope, pagesOf } from '../contract/exports/export-section.js';
import { CLOCK } from '../platform/tokens.js';
import { type ClaimsEvent, claimsStream } from './domain/claims.events.js';
import { toClaimResponse } from './http/claims.response.js';

const PAGE = 200;

/** Claims of both sides as the API shows them. A holder's claim on an erased identity names that identity no more. */
@ExportSection({ file: 'claims.json', readModel: CLAIMS })
@Injectable()
export class ClaimsExport implements Exports {
  constructor(
    private readonly store: EventStore,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async *records({ tenantId, person, snapshot, name }: ExportScope): AsyncGenerator<readonly object[]> {
    const requestedClaims = await this.subjectsOfClaims(tenantId);
    const wanted = person && {
      identityId: person.identityId,
      claimIds: [...requestedClaims].flatMap(([claimId, hash]) => (hash === person.identityHash ? [claimId] : [])),
    };
    const read = (last: ClaimRow | undefined) => claimsAfter(snapshot, tenantId, wanted, last?.claimId ?? '', PAGE);
    for await (const page of pagesOf<ClaimRow>(PAGE, read)) {
      const claims = await Promise.all(
        page.map(async (claim) => {
          const { identityId } = claim;
          const identity = identityId === null ? undefined : await identityWithId(snapshot, tenantId, identityId);
          const hash = claim.role === 'asker' ? requestedClaims.get(claim.claimId) : identity?.identityHash;
          return {
            hash,
            record: toClaimResponse({ ...claim, identityId: identity?.identityId ?? null }, this.clock.now()),
          };
        }),
      );
      await name(claims.map(({ hash }) => hash).filter((hash) => hash !== undefined));
      yield claims.map(({ record }) => record);
    }
  }

  /** Keyed hash of the person that each of the tenant's own claims is about. Rows do not hold it. */
  private async subjectsOfClaims(tenantId: TenantId): Promise<ReadonlyMap<string, string>> {
    const about = new Map<string, string>();
    for await (const page of this.store.readPages(claimsStream(tenantId))) {
      for (const { type, data } of page as readonly unknown[] as readonly ClaimsEvent[]) {
        if (type === 'ClaimRequested.v1') about.set(data.claimId, data.identityHash);
      }
    }
    return about;
  }
}
