import { defineLog } from '../../kernel/category.js';
import { PURGES_STREAM, type PurgeRunEvent, type RetentionEvent } from './retention.events.js';

export const retentionCategory = defineLog<RetentionEvent>({
  name: 'retention',
  events: { 'StreamPurged.v1': {} },
  kept: 'for_good',
});

export const purgesCategory = defineLog<PurgeRunEvent>({
  name: PURGES_STREAM,
  events: { 'PurgeRunStarted.v1': {}, 'PurgeRunCompleted.v1': {} },
  kept: 'for_good',
});
