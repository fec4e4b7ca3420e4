import { type AuditAction, type AuditResult } from '../../kernel/access.js';
import { type DomainEvent } from '../../kernel/decider.js';
import { type Envelope } from '../../kernel/envelope.js';
import { deriveUuid, type TenantId } from '../../kernel/ids.js';

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

/** One of many accesses that were recorded together. */
export interface BatchedAccess {
  /** Its place in the batch, from 0. */
  readonly index: number;
  /** Sealed at the place (tenant, stream, entry id, field `access`), like that of an entry with an event of its own. */
  readonly access: Envelope;
}

/**
 * Accesses of one request to several people, each an entry of its own for every reader; see entryIdOf. Large batches have
 * several such events.
 */
export type AccessesRecorded = DomainEvent<
  'AccessesRecorded.v1',
  {
    readonly action: AuditAction;
    readonly result: AuditResult;
    /** A UUID: what the accesses were for. */
    readonly batchId: string;
    readonly entries: readonly BatchedAccess[];
  }
>;

export type AuditEvent = AccessRecorded | AccessesRecorded;

/** Also that of entries of ingestions which have an event of their own. */
const ENTRY_NAMESPACE = '3c0a6c7e-55cd-4d11-8a10-0d1f3a7f4b52';

/** The same access of the same batch is the same entry, however often and in whichever event it was recorded. */
export const entryIdOf = (batchId: string, index: number): string => deriveUuid(ENTRY_NAMESPACE, `${batchId}/${index}`);

/** Entries that the event makes for readers. */
export const entriesIn = ({ type, data }: AuditEvent): number =>
  type === 'AccessesRecorded.v1' ? data.entries.length : 1;
