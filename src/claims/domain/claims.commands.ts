import { type ClaimGranted, type ClaimPurpose } from './claims.events.js';

export interface RequestClaim {
  readonly kind: 'request';
  readonly claimId: string;
  readonly identityHash: string;
  readonly purpose: ClaimPurpose;
  readonly now: Date;
}

export interface GrantClaim {
  readonly kind: 'grant';
  readonly grant: ClaimGranted['data'];
}

export interface LapseClaim {
  readonly kind: 'lapse';
  readonly claimId: string;
  readonly now: Date;
}

/** Undoes a claim whose credits went back, or forestalls it. */
export interface WithdrawClaim {
  readonly kind: 'withdraw';
  readonly claimId: string;
  readonly now: Date;
}

export type ClaimsCommand = RequestClaim | GrantClaim | LapseClaim | WithdrawClaim;
