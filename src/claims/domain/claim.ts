import { type Decider } from '../../kernel/decider.js';
import { refuse } from '../../kernel/rejection.js';
import { type ApproveClaim, type ClaimCommand, type RejectClaim } from './claim.commands.js';
import { type ClaimEvent } from './claim.events.js';
import { CLAIM_PERIOD } from './claims.js';
import { type ClaimField } from './claims.events.js';

/** What a tenant that attests the person has decided about a claim. */
export interface HeldClaim {
  readonly status: 'requested' | 'approved' | 'rejected';
  /** The fields that were approved. */
  readonly fields: readonly ClaimField[];
  readonly decidedAt: string | null;
  /** Until when an approval can be used. */
  readonly grantExpiresAt: string | null;
}

const areSame = (some: readonly string[], others: readonly string[]): boolean =>
  some.length === others.length && some.every((field) => others.includes(field));

const approve = ({ claim, life, fields, now }: ApproveClaim, { status, fields: before }: HeldClaim): ClaimEvent[] => {
  if (status === 'approved' && areSame(fields, before)) return [];
  const approvedAt = now.toISOString();
  if (status !== 'requested' || claim.expiresAt <= approvedAt) throw refuse('claim_decided');
  const { claimId, askerTenantId, identityId, identityHash } = claim;
  const expiresAt = new Date(now.getTime() + CLAIM_PERIOD).toISOString();
  const data = { claimId, askerTenantId, identityId, identityHash, life, fields, approvedAt, expiresAt };
  return [{ type: 'ClaimApproved.v1', data }];
};

/** By its silence a holder has rejected the claim already. */
const reject = ({ claim, reason, now }: RejectClaim, { status }: HeldClaim): ClaimEvent[] => {
  const rejectedAt = now.toISOString();
  if (status === 'rejected' || (status === 'requested' && claim.expiresAt <= rejectedAt)) return [];
  if (status === 'approved') throw refuse('claim_decided');
  const { claimId, identityId } = claim;
  return [{ type: 'ClaimRejected.v1', data: { claimId, identityId, reason, rejectedAt } }];
};

export const claimDecider: Decider<HeldClaim, ClaimCommand, ClaimEvent> = {
  initialState: () => ({ status: 'requested', fields: [], decidedAt: null, grantExpiresAt: null }),
  decide: (command, state) => (command.kind === 'approve' ? approve(command, state) : reject(command, state)),
  evolve: (state, event) => {
    switch (event.type) {
      case 'ClaimApproved.v1': {
        const { fields, approvedAt, expiresAt } = event.data;
        return { ...state, status: 'approved', fields, decidedAt: approvedAt, grantExpiresAt: expiresAt };
      }
      case 'ClaimRejected.v1':
        return { ...state, status: 'rejected', decidedAt: event.data.rejectedAt };
      // Events of newer versions change nothing here.
      default:
        return state;
    }
  },
};
