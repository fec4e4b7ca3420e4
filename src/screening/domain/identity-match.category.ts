import { defineCategory } from '../../kernel/category.js';
import { identityMatchDecider } from './identity-match.js';
import { matchStream } from './identity-match.events.js';

export const identityMatchCategory = defineCategory({
  name: 'match',
  stream: matchStream,
  decider: identityMatchDecider,
  events: {
    'IdentityScreened.v1': {},
    'MatchFound.v1': {},
    'MatchCleared.v1': {},
    'MatchesForgotten.v1': {},
  },
  kept: 'for_good',
});
