import { defineCategory } from '../../kernel/category.js';
import { claimsStream } from './claims.events.js';
import { claimsDecider, claimsSnapshots } from './claims.js';

export const claimsCategory = defineCategory({
  name: 'claims',
  stream: claimsStream,
  decider: claimsDecider,
  events: { 'ClaimRequested.v1': {}, 'ClaimGranted.v1': {}, 'ClaimLapsed.v1': {}, 'ClaimWithdrawn.v1': {} },
  kept: 'records',
  snapshots: claimsSnapshots,
});
