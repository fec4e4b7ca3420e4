import { type Announcement, type Announcer } from '../kernel/announcement.js';
import { type Recorded } from '../kernel/events.js';
import { CLAIM_STREAM_PREFIX, type ClaimEvent } from './domain/claim.events.js';
import { CLAIMS_STREAM_PREFIX, type ClaimsEvent } from './domain/claims.events.js';
import { POSTING_STREAM_PREFIX, type PostingEvent } from './domain/posting.events.js';

type Announced = ClaimEvent | ClaimsEvent | PostingEvent;

const TYPES = [
  'ClaimRequested.v1',
  'ClaimGranted.v1',
  'ClaimLapsed.v1',
  'ClaimWithdrawn.v1',
  'ClaimPosted.v1',
  'ClaimApproved.v1',
  'ClaimRejected.v1',
] as const satisfies readonly Announced['type'][];

const announcementsOf = (event: Recorded<Announced>): readonly Announcement[] => {
  switch (event.type) {
    case 'ClaimRequested.v1': {
      const { claimId: claim_id, purpose, requestedAt: requested_at, expiresAt: expires_at } = event.data;
      return [{ type: 'claim.requested', data: { claim_id, role: 'asker', purpose, requested_at, expires_at } }];
    }
    case 'ClaimPosted.v1': {
      const { claimId: claim_id, requestedBy: requested_by, purpose, holders } = event.data;
      const { requestedAt: requested_at, expiresAt: expires_at } = event.data;
      return holders.map(({ tenantId, identityId: identity_id }) => {
        const data = { claim_id, role: 'holder', identity_id, requested_by, purpose, requested_at, expires_at };
        return { type: 'claim.requested', audience: { tenantId }, data };
      });
    }
    case 'ClaimGranted.v1': {
      const { claimId: claim_id, attestedBy: attested_by, fields } = event.data;
      const { grantedAt: approved_at, expiresAt: expires_at } = event.data;
      const data = { claim_id, role: 'asker', attested_by, fields, approved_at, expires_at };
      return [{ type: 'claim.approved', data }];
    }
    case 'ClaimApproved.v1': {
      const { claimId: claim_id, identityId: identity_id, fields } = event.data;
      const { approvedAt: approved_at, expiresAt: expires_at } = event.data;
      const data = { claim_id, role: 'holder', identity_id, fields, approved_at, expires_at };
      return [{ type: 'claim.approved', data }];
    }
    case 'ClaimLapsed.v1': {
      const { claimId: claim_id, lapsedAt: rejected_at } = event.data;
      return [{ type: 'claim.rejected', data: { claim_id, role: 'asker', reason: 'expired', rejected_at } }];
    }
    case 'ClaimWithdrawn.v1': {
      const { claimId: claim_id, withdrawnAt: rejected_at } = event.data;
      return [{ type: 'claim.rejected', data: { claim_id, role: 'asker', reason: 'unpaid', rejected_at } }];
    }
    case 'ClaimRejected.v1': {
      const { claimId: claim_id, identityId: identity_id, reason, rejectedAt: rejected_at } = event.data;
      return [{ type: 'claim.rejected', data: { claim_id, role: 'holder', identity_id, reason, rejected_at } }];
    }
    // The holders' claim vanishes as if it had never been.
    case 'PostingWithdrawn.v1':
      return [];
    // Events of newer versions are announced by newer instances.
    default:
      return [];
  }
};

/** Each side hears its own part. The asker hears of no holder before an approval, and of a rejection only at the end. */
export const claimsAnnouncer: Announcer = {
  streamPrefixes: [CLAIM_STREAM_PREFIX, CLAIMS_STREAM_PREFIX, POSTING_STREAM_PREFIX],
  eventTypes: TYPES,
  announce: (event) => announcementsOf(event as Recorded<Announced>),
};
