import { defineLog } from '../../kernel/category.js';
import { OPERATOR_STREAM, type OperatorActed } from './operator.events.js';

export const operatorCategory = defineLog<OperatorActed>({
  name: OPERATOR_STREAM,
  events: { 'OperatorActed.v1': {} },
  kept: 'records',
});
