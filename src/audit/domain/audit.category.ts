import { defineLog } from '../../kernel/category.js';
import { type AuditEvent } from './audit.events.js';

export const auditCategory = defineLog<AuditEvent>({
  name: 'audit',
  events: {
    'AccessRecorded.v1': { personal: { access: 'audit' } },
    'AccessesRecorded.v1': { personal: { 'entries[].access': 'audit' } },
  },
  kept: 'records',
});
