import { type Decider } from '../../kernel/decider.js';
import { refuse } from '../../kernel/rejection.js';
import { type ApproveClaim, type ClaimCommand, type RejectClaim } from './claim.commands.js';
import { type ClaimEvent, type ClaimReceived } from './claim.events.js';
import { CLAIM_PERIOD } from './claims.js';
import { type ClaimField } from './claims.events.js';

/** A claim as a tenant that attests the person has it. */
export interface HeldClaim {
  readonly received: ClaimReceived['data'] | null;
  readonly status: 'requested' | 'approved' | 'rejected';
  /** The fields that were approved. */
  readonly fields: readonly ClaimField[];
  readonly decidedAt: string | null;
  /** Until when an approval can be used. */
  readonly grantExpiresAt: string | null;
}

const areSame = (some: readonly string[], others: readonly string[]): boolean =>
  some.length === others.length && some.every((field) => others.includes(field));

const approve = ({ fields, now }: ApproveClaim, { received, status, fields: before }: HeldClaim): ClaimEvent[] => {
  if (received === null) throw refuse('not_found');
  if (status === 'approved' && areSame(fields, before)) return [];
  const approvedAt = now.toISOString();
  if (status !== 'requested' || received.expiresAt <= approvedAt) throw refuse('claim_decided');
  const { claimId, askerTenantId, identityId, identityHash } = received;
  const expiresAt = new Date(now.getTime() + CLAIM_PERIOD).toISOString();
  const data = { claimId, askerTenantId, identityId, identityHash, fields, approvedAt, expiresAt };
  return [{ type: 'ClaimApproved.v1', data }];
};

const reject = ({ reason, now }: RejectClaim, { received, status }: HeldClaim): ClaimEvent[] => {
  if (received === null) throw refuse('not_found');
  if (status === 'rejected') return [];
  if (status === 'approved') throw refuse('claim_decided');
  const { claimId, identityId, expiresAt } = received;
  const rejectedAt = now.toISOString();
  if (reason === 'expired' && rejectedAt < expiresAt) return [];
  return [{ type: 'ClaimRejected.v1', data: { claimId, identityId, reason, rejectedAt } }];
};

export const claimDecider: Decider<HeldClaim, ClaimCommand, ClaimEvent> = {
  initialState: () => ({ received: null, status: 'requested', fields: [], decidedAt: null, grantExpiresAt: null }),
  decide: (command, state) => {
    switch (command.kind) {
      case 'receive':
        return state.received === null ? [{ type: 'ClaimReceived.v1', data: command.claim }] : [];
      case 'approve':
        return approve(command, state);
      case 'reject':
        return reject(command, state);
    }
  },
  evolve: (state, event) => {
    switch (event.type) {
      case 'ClaimReceived.v1':
        return { ...state, received: event.data };
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
