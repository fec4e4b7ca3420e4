import { type ClaimRejected } from './claim.events.js';
import { type ClaimField } from './claims.events.js';
import { type ClaimPosted, type Holder } from './posting.events.js';

/** A claim as it was put before one holder. */
export type ReceivedClaim = Omit<ClaimPosted['data'], 'holders'> & Pick<Holder, 'identityId'>;

export interface ApproveClaim {
  readonly kind: 'approve';
  readonly claim: ReceivedClaim;
  /** Id of the data key of the record as it is now. */
  readonly life: string;
  readonly fields: readonly ClaimField[];
  readonly now: Date;
}

export interface RejectClaim {
  readonly kind: 'reject';
  readonly claim: ReceivedClaim;
  readonly reason: ClaimRejected['data']['reason'];
  readonly now: Date;
}

export type ClaimCommand = ApproveClaim | RejectClaim;
