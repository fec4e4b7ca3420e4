import { defineLog } from '../../kernel/category.js';
import { SECURITY_STREAM, type SecurityEvent } from './security.events.js';

export const securityCategory = defineLog<SecurityEvent>({
  name: SECURITY_STREAM,
  events: { 'AccessRefused.v1': {}, 'LogRead.v1': {} },
  kept: 'records',
});
