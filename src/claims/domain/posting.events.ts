import { type DomainEvent } from '../../kernel/decider.js';
import { uuidHex } from '../../kernel/ids.js';
import { type ClaimPurpose } from './claims.events.js';

export const POSTING_STREAM_PREFIX = 'posting-';

/** A claim before those who attest the person. The stream is the deployment's: it names tenants that know nothing of each other. */
export const postingStream = (claimId: string): string => `${POSTING_STREAM_PREFIX}deployment_${uuidHex(claimId)}`;

export interface Holder {
  readonly tenantId: string;
  /** The holder's own identity of the person. */
  readonly identityId: string;
}

/**
 * One event a claim, whether no one attests the person or many do: an asker that counts the events of the log learns nothing.
 * All times are ISO 8601, UTC, with milliseconds.
 */
export type ClaimPosted = DomainEvent<
  'ClaimPosted.v1',
  {
    readonly claimId: string;
    readonly askerTenantId: string;
    /** The asking organisation's name. */
    readonly requestedBy: string;
    readonly identityHash: string;
    readonly purpose: ClaimPurpose;
    readonly requestedAt: string;
    readonly expiresAt: string;
    readonly holders: readonly Holder[];
  }
>;

/** The claim was undone, or never made. */
export type PostingWithdrawn = DomainEvent<
  'PostingWithdrawn.v1',
  { readonly claimId: string; readonly withdrawnAt: string }
>;

export type PostingEvent = ClaimPosted | PostingWithdrawn;
