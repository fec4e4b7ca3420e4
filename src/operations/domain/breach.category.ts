import { defineLog } from '../../kernel/category.js';
import { BREACH_STREAM, type BreachEvent } from './breach.events.js';

/** For good: an authority may ask for every breach that was (GDPR, article 33 (5)). It holds numbers and times alone. */
export const breachCategory = defineLog<BreachEvent>({
  name: BREACH_STREAM,
  events: { 'BreachNoted.v1': {}, 'BreachNotified.v1': {} },
  kept: 'for_good',
});
