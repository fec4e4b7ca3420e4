import { defineLog } from '../../kernel/category.js';
import { OPERATOR_STREAM, type OperatorEvent } from './operator.events.js';

export const operatorCategory = defineLog<OperatorEvent>({
  name: OPERATOR_STREAM,
  events: { 'OperatorActed.v1': { personal: { details: 'texts' } }, 'OperatorActConcluded.v1': {} },
  kept: 'records',
});
