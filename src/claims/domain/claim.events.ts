import { type DomainEvent } from '../../kernel/decider.js';
import { uuidHex } from '../../kernel/ids.js';
import { type ClaimField, type ClaimPurpose } from './claims.events.js';

export const CLAIM_STREAM_PREFIX = 'claim-';

/** A claim as one tenant that attests the person has it. Each such tenant has a stream of its own, and knows of no other. */
export const claimStream = (holderTenantId: string, claimId: string): string =>
  `${CLAIM_STREAM_PREFIX}${holderTenantId}_${uuidHex(claimId)}`;

/** All times are ISO 8601, UTC, with milliseconds. */
export type ClaimReceived = DomainEvent<
  'ClaimReceived.v1',
  {
    readonly claimId: string;
    readonly askerTenantId: string;
    /** The asking organisation's name. */
    readonly requestedBy: string;
    /** The holder's own identity of the person. */
    readonly identityId: string;
    readonly identityHash: string;
    readonly purpose: ClaimPurpose;
    readonly requestedAt: string;
    readonly expiresAt: string;
  }
>;

/** The asker may read these fields of the present record until `expiresAt`, while the identity lives. */
export type ClaimApproved = DomainEvent<
  'ClaimApproved.v1',
  {
    readonly claimId: string;
    readonly askerTenantId: string;
    readonly identityId: string;
    readonly identityHash: string;
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
    /** `rejected`: by the holder. `expired`: the holder was silent. `identity_erased`: there is nothing left to read. */
    readonly reason: 'rejected' | 'expired' | 'identity_erased';
    readonly rejectedAt: string;
  }
>;

export type ClaimEvent = ClaimReceived | ClaimApproved | ClaimRejected;
