import { defineCategory } from '../../kernel/category.js';
import { postingStream } from './posting.events.js';
import { postingDecider } from './posting.js';

export const postingCategory = defineCategory({
  name: 'posting',
  stream: postingStream,
  decider: postingDecider,
  events: { 'ClaimPosted.v1': {}, 'PostingWithdrawn.v1': {} },
  kept: 'records',
});
