import { defineLog } from '../../kernel/category.js';
import { type LeavesRetired, TRANSPARENCY_STREAM } from './transparency.events.js';

export const transparencyCategory = defineLog<LeavesRetired>({
  name: TRANSPARENCY_STREAM,
  events: { 'LeavesRetired.v1': {} },
  kept: 'for_good',
});
