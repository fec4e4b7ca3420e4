import { defineCategory } from '../../kernel/category.js';
import { decisionDecider } from './decision.js';
import { decisionStream } from './decision.events.js';

export const decisionCategory = defineCategory({
  name: 'decision',
  stream: decisionStream,
  decider: decisionDecider,
  events: {
    'DecisionMatched.v1': {},
    'MatchDismissed.v1': { personal: { reason: 'subject' } },
    'MatchConfirmed.v1': { personal: { note: 'subject' } },
    'MatchAssigned.v1': { personal: { to: 'subject' } },
    'MatchProposed.v1': { personal: { reason: 'subject' } },
    'ProposalRejected.v1': { personal: { note: 'subject' } },
    'MatchReopened.v1': { personal: { reason: 'subject' } },
    'MatchOverdue.v1': {},
    'DecisionErased.v1': {},
  },
  // What is personal goes with its key; the rest is small and holds no names.
  kept: 'for_good',
});
