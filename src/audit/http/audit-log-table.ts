import { type EntryTable } from '../../platform/http/entry-files.js';
import { type AuditLogEntryAnswer } from './audit-log.response.js';

export const AUDIT_LOG_TABLE: EntryTable<AuditLogEntryAnswer> = {
  name: 'audit-log',
  header: [
    'id',
    'timestamp',
    'action',
    'result',
    'identity_hash',
    'actor_type',
    'actor_key_id',
    'ip_address',
    'user_agent',
    'request_id',
    'identity_id',
    'decision_id',
    'match_id',
    'records',
  ],
  cellsOf: ({ actor, ...entry }) => [
    entry.id,
    entry.timestamp,
    entry.action,
    entry.result,
    entry.identity_hash,
    actor.type,
    actor.key_id ?? '',
    entry.ip_address ?? '',
    entry.user_agent,
    entry.request_id,
    entry.identity_id ?? '',
    entry.decision_id ?? '',
    entry.match_id ?? '',
    entry.records?.toString() ?? '',
  ],
};
