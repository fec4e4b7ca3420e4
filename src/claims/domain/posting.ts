import { type Decider } from '../../kernel/decider.js';
import { type ClaimPosted, type PostingEvent } from './posting.events.js';

export interface Posting {
  /** Null before it is posted, and once it is withdrawn. */
  readonly claim: ClaimPosted['data'] | null;
  readonly withdrawn: boolean;
}

export type PostingCommand =
  | { readonly kind: 'post'; readonly claim: ClaimPosted['data'] }
  | { readonly kind: 'withdraw'; readonly claimId: string; readonly now: Date };

export const postingDecider: Decider<Posting, PostingCommand, PostingEvent> = {
  initialState: () => ({ claim: null, withdrawn: false }),
  decide: (command, { claim, withdrawn }) => {
    if (withdrawn) return [];
    if (command.kind === 'post') return claim === null ? [{ type: 'ClaimPosted.v1', data: command.claim }] : [];
    const { claimId, now } = command;
    return [{ type: 'PostingWithdrawn.v1', data: { claimId, withdrawnAt: now.toISOString() } }];
  },
  evolve: (posting, event) => {
    switch (event.type) {
      case 'ClaimPosted.v1':
        return { ...posting, claim: event.data };
      case 'PostingWithdrawn.v1':
        return { claim: null, withdrawn: true };
      // Events of newer versions change nothing here.
      default:
        return posting;
    }
  },
};
