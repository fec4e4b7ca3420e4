import { defineCategory } from '../../kernel/category.js';
import { STATUS_LISTS_STREAM } from './status-block.events.js';
import { statusBlocks } from './status-blocks.js';

export const statusBlockCategory = defineCategory({
  name: 'statuslists',
  stream: () => STATUS_LISTS_STREAM,
  decider: statusBlocks,
  events: { 'StatusBlockLeased.v1': {} },
  kept: 'for_good',
});
