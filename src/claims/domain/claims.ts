import { type SnapshotFormat } from '../../kernel/category.js';
import { type Decider } from '../../kernel/decider.js';
import { refuse } from '../../kernel/rejection.js';
import {
  type ClaimsCommand,
  type GrantClaim,
  type LapseClaim,
  type RequestClaim,
  type WithdrawClaim,
} from './claims.commands.js';
import { type ClaimGranted, type ClaimsEvent } from './claims.events.js';

/** Milliseconds in which a claim can be approved, in which an approval can be used, and before a person is claimed again. */
export const CLAIM_PERIOD = 30 * 24 * 3_600_000;

const MAX_OPEN = 20;

export type Grant = ClaimGranted['data'];

export interface RequestedClaim {
  readonly identityHash: string;
  readonly requestedAt: string;
  readonly expiresAt: string;
  readonly lapsed: boolean;
  readonly grants: readonly Grant[];
}

/** A tenant's claims by id. Those that matter to no decision any more are forgotten. */
export interface RequestedClaimsState {
  readonly claims: Map<string, RequestedClaim>;
  /** Claims that may not be made any more, each with the time of its withdrawal. */
  readonly withdrawn: Map<string, string>;
}

const isOpen = ({ lapsed, grants, expiresAt }: RequestedClaim, now: Date): boolean =>
  !lapsed && grants.length === 0 && expiresAt > now.toISOString();

const request = (
  { claimId, identityHash, purpose, now }: RequestClaim,
  { claims, withdrawn }: RequestedClaimsState,
): ClaimsEvent[] => {
  // Its request has failed meanwhile, and its credits went back.
  if (withdrawn.has(claimId)) throw refuse('timeout');
  if (claims.has(claimId)) return [];
  const since = new Date(now.getTime() - CLAIM_PERIOD).toISOString();
  const all = [...claims.values()];
  if (all.some((claim) => claim.identityHash === identityHash && claim.requestedAt > since))
    throw refuse('claim_repeated');
  if (all.filter((claim) => isOpen(claim, now)).length >= MAX_OPEN) throw refuse('too_many_claims');
  const requestedAt = now.toISOString();
  const expiresAt = new Date(now.getTime() + CLAIM_PERIOD).toISOString();
  return [{ type: 'ClaimRequested.v1', data: { claimId, identityHash, purpose, requestedAt, expiresAt } }];
};

/** An approval that comes in after the claim lapsed was given in time, and holds. */
const grant = ({ grant: data }: GrantClaim, { claims }: RequestedClaimsState): ClaimsEvent[] => {
  const claim = claims.get(data.claimId);
  const isKnown = claim?.grants.some(({ attestorTenantId }) => attestorTenantId === data.attestorTenantId);
  return claim === undefined || isKnown === true ? [] : [{ type: 'ClaimGranted.v1', data }];
};

const lapse = ({ claimId, now }: LapseClaim, { claims }: RequestedClaimsState): ClaimsEvent[] => {
  const claim = claims.get(claimId);
  if (claim === undefined || claim.lapsed || claim.grants.length > 0) return [];
  const lapsedAt = now.toISOString();
  return lapsedAt < claim.expiresAt ? [] : [{ type: 'ClaimLapsed.v1', data: { claimId, lapsedAt } }];
};

const withdraw = ({ claimId, now }: WithdrawClaim, { withdrawn }: RequestedClaimsState): ClaimsEvent[] =>
  withdrawn.has(claimId) ? [] : [{ type: 'ClaimWithdrawn.v1', data: { claimId, withdrawnAt: now.toISOString() } }];

/** Forgets what has ended and whose grants have run out by `now`. */
const forgetEnded = (claims: Map<string, RequestedClaim>, now: string): void => {
  const before = new Date(Date.parse(now) - 2 * CLAIM_PERIOD).toISOString();
  for (const [claimId, { lapsed, grants, expiresAt }] of claims)
    if ((lapsed || grants.length > 0) && expiresAt < before) claims.delete(claimId);
};

/** No request lives as long as a day. */
const forgetWithdrawn = (withdrawn: Map<string, string>, now: string): void => {
  const before = new Date(Date.parse(now) - 24 * 3_600_000).toISOString();
  for (const [claimId, withdrawnAt] of withdrawn) if (withdrawnAt < before) withdrawn.delete(claimId);
};

const evolve = (state: RequestedClaimsState, event: ClaimsEvent): RequestedClaimsState => {
  const { claims } = state;
  const claim = claims.get(event.data.claimId);
  switch (event.type) {
    case 'ClaimRequested.v1': {
      const { claimId, identityHash, requestedAt, expiresAt } = event.data;
      forgetEnded(claims, requestedAt);
      claims.set(claimId, { identityHash, requestedAt, expiresAt, lapsed: false, grants: [] });
      return state;
    }
    case 'ClaimGranted.v1':
      if (claim !== undefined) claims.set(event.data.claimId, { ...claim, grants: [...claim.grants, event.data] });
      return state;
    case 'ClaimLapsed.v1':
      if (claim !== undefined) claims.set(event.data.claimId, { ...claim, lapsed: true });
      return state;
    case 'ClaimWithdrawn.v1': {
      const { claimId, withdrawnAt } = event.data;
      claims.delete(claimId);
      forgetWithdrawn(state.withdrawn, withdrawnAt);
      state.withdrawn.set(claimId, withdrawnAt);
      return state;
    }
    // Events of newer versions change nothing here.
    default:
      return state;
  }
};

export const claimsDecider: Decider<RequestedClaimsState, ClaimsCommand, ClaimsEvent> = {
  initialState: () => ({ claims: new Map(), withdrawn: new Map() }),
  decide: (command, state) => {
    switch (command.kind) {
      case 'request':
        return request(command, state);
      case 'grant':
        return grant(command, state);
      case 'lapse':
        return lapse(command, state);
      case 'withdraw':
        return withdraw(command, state);
    }
  },
  evolve,
};

interface Kept {
  readonly claims: readonly (readonly [string, RequestedClaim])[];
  readonly withdrawn: readonly (readonly [string, string])[];
}

export const claimsSnapshots: SnapshotFormat<RequestedClaimsState> = {
  version: 'claims.2',
  encode: ({ claims, withdrawn }) => ({ claims: [...claims], withdrawn: [...withdrawn] }),
  decode: (kept: Kept) => ({ claims: new Map(kept.claims), withdrawn: new Map(kept.withdrawn) }),
};
