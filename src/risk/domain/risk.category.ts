import { defineCategory } from '../../kernel/category.js';
import { riskDecider } from './risk.js';
import { riskStream } from './risk.events.js';

export const riskCategory = defineCategory({
  name: 'risk',
  stream: riskStream,
  decider: riskDecider,
  events: { 'RiskAssessed.v1': {}, 'RiskScoreChanged.v1': {}, 'RiskForgotten.v1': {} },
  // Scores of pseudonyms, which an erasure removes.
  kept: 'for_good',
});
