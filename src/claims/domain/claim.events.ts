import { type DomainEvent } from '../../kernel/decider.js';
import { uuidHex } from '../../kernel/ids.js';
import { type ClaimField } from './claims.events.js';

export const CLAIM_STREAM_PREFIX = 'claim-';

/** What a tenant that attests the person decides about a claim. Each such tenant has a stream of its own, and knows of no other. */
export const claimStream = (holderTenantId: string, claimId: string): string =>
  `${CLAIM_STREAM_PREFIX}${holderTenantId}_${uuidHex(claimId)}`;

/**
 * The asker may read these fields of the present record until `expiresAt`, while the identity lives. All times are ISO 8601,
 * UTC, with milliseconds.
 */
export type ClaimApproved = DomainEvent<
  'ClaimApproved.v1',
  {
    readonly claimId: string;
    readonly askerTenantId: string;
    readonly identityId: string;
    readonly identityHash: string;
    /** Id of the data key of the record that was approved. A later life of the same person has another one. */
    readonly life: string;
    readonly fields: readonly ClaimField[];
    readonly approvedAt: string;
    readonly expiresAt: string;
  }
>;

export type ClaimRejected = DomainEvent<
  'ClaimRejected.v1',
  {
    readonly claimId: string;
    readonly identityId: string;
    /** `rejected`: by the holder. `identity_erased`: there is nothing left to read. Silence leaves no event. */
    readonly reason: 'rejected' | 'identity_erased';
    readonly rejectedAt: string;
  }
>;

export type ClaimEvent = ClaimApproved | ClaimRejected;
