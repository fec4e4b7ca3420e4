import { type AuditAction, type AuditResult } from '../../kernel/access.js';
import { type DomainEvent } from '../../kernel/decider.js';
import { type Envelope } from '../../kernel/envelope.js';
import { type TenantId } from '../../kernel/ids.js';

export const AUDIT_STREAM_PREFIX = 'audit-';

export const auditStream = (tenantId: TenantId): string => `${AUDIT_STREAM_PREFIX}${tenantId}`;

/** What is sealed under the tenant's key in an entry's field `access`. */
export interface AccessDetails {
  readonly identityHash: string | null;
  readonly ipAddress: string;
  readonly userAgent: string;
}

/**
 * One data access. The event's id is the entry's id and derived from what it records: the same id twice is one entry.
 * `outcome: completed` beside a deduction id says that the charged operation was carried out.
 */
export type AccessRecorded = DomainEvent<
  'AccessRecorded.v1',
  {
    readonly action: AuditAction;
    readonly result: AuditResult;
    readonly deductionId: string | null;
    readonly outcome: 'completed';
    readonly access: Envelope;
  }
>;

export type AuditEvent = AccessRecorded;
