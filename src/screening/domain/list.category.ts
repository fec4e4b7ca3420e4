import { defineCategory } from '../../kernel/category.js';
import { type AcceptList, listDecider, type ListsInForce } from './list-acceptance.js';
import { SCREENING_LIST_STREAM, type ScreeningListAccepted } from './list.events.js';

export const screeningListCategory = defineCategory<ListsInForce, AcceptList, ScreeningListAccepted, readonly []>({
  name: SCREENING_LIST_STREAM,
  stream: () => SCREENING_LIST_STREAM,
  decider: listDecider,
  events: { 'ScreeningListAccepted.v1': {} },
  kept: 'for_good',
});
