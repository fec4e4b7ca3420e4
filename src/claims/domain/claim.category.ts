import { defineCategory } from '../../kernel/category.js';
import { claimStream } from './claim.events.js';
import { claimDecider } from './claim.js';

export const claimCategory = defineCategory({
  name: 'claim',
  stream: claimStream,
  decider: claimDecider,
  events: { 'ClaimApproved.v1': {}, 'ClaimRejected.v1': {} },
  kept: 'records',
});
