import { defineCategory } from '../../kernel/category.js';
import { reviewSettingsDecider } from './review-settings.js';
import { reviewStream } from './review-settings.events.js';

export const reviewSettingsCategory = defineCategory({
  name: 'review',
  stream: reviewStream,
  decider: reviewSettingsDecider,
  events: { 'ReviewSettingsChanged.v1': {} },
  kept: 'for_good',
});
