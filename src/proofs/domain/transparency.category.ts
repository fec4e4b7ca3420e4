import { defineLog } from '../../kernel/category.js';
import {
  type CheckpointPublished,
  CHECKPOINTS_STREAM,
  type LeavesRetired,
  TRANSPARENCY_STREAM,
} from './transparency.events.js';

export const transparencyCategory = defineLog<LeavesRetired>({
  name: TRANSPARENCY_STREAM,
  events: { 'LeavesRetired.v1': {} },
  kept: 'for_good',
});

export const checkpointsCategory = defineLog<CheckpointPublished>({
  name: CHECKPOINTS_STREAM,
  events: { 'CheckpointPublished.v1': {} },
  kept: 'for_good',
});
