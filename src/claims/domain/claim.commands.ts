import { type ClaimReceived, type ClaimRejected } from './claim.events.js';
import { type ClaimField } from './claims.events.js';

export interface ReceiveClaim {
  readonly kind: 'receive';
  readonly claim: ClaimReceived['data'];
}

export interface ApproveClaim {
  readonly kind: 'approve';
  readonly fields: readonly ClaimField[];
  readonly now: Date;
}

export interface RejectClaim {
  readonly kind: 'reject';
  readonly reason: ClaimRejected['data']['reason'];
  readonly now: Date;
}

export type ClaimCommand = ReceiveClaim | ApproveClaim | RejectClaim;
