import { type AuditAction, type AuditResult } from '../../kernel/contract.js';
import { type AuditReference } from '../../kernel/access.js';
import { type DomainEvent } from '../../kernel/decider.js';
import { type Envelope } from '../../kernel/envelope.js';
import { deriveUuid, type TenantId } from '../../kernel/ids.js';

export const AUDIT_STREAM_PREFIX = 'audit-';

export const auditStream = (tenantId: TenantId): string => `${AUDIT_STREAM_PREFIX}${tenantId}`;

/** The contents of an entry's field `access`, sealed under the tenant's key. */
export interface AccessDetails {
  readonly identityHash: string | null;
  readonly ipAddress: string | null;
  readonly userAgent: string;
  /** What the answer disclosed beyond its result, for example the tier. Absent where that is nothing. */
  readonly answered?: Readonly<Record<string, string>>;
  /** What it is about. Absent where nothing but the person says that. */
  readonly about?: AuditReference;
}

/**
 * One data access that is not charged. The event's id is the entry's id and is derived from the recorded access. The same
 * id twice is one entry.
 */
export type AccessRecorded = DomainEvent<
  'AccessRecorded.v1',
  {
    readonly action: AuditAction;
    readonly result: AuditResult;
    readonly access: Envelope;
    /**
     * Keyed hash of the tenant and the sealed hash of e-mail and phone. Absent if there is none, and of a screened name.
     */
    readonly subject?: string;
  }
>;

/** One of many accesses recorded together. */
export interface BatchedAccess {
  /** Its place in the batch, from 0. */
  readonly index: number;
  /** Sealed at the place (tenant, stream, entry id, field `access`), as in an entry with its own event. */
  readonly access: Envelope;
  /** As in an entry with its own event. */
  readonly subject?: string;
}

/**
 * Accesses of one request to several people. Each is a separate entry for readers (see entryIdOf). Large batches have
 * several such events.
 */
export type AccessesRecorded = DomainEvent<
  'AccessesRecorded.v1',
  {
    readonly action: AuditAction;
    readonly result: AuditResult;
    /** A UUID of the accesses' cause, for example an ingestion. */
    readonly batchId: string;
    readonly entries: readonly BatchedAccess[];
  }
>;

export type AuditEvent = AccessRecorded | AccessesRecorded;

/** Also the namespace of ingestions' entries that have their own event. */
const ENTRY_NAMESPACE = '3c0a6c7e-55cd-4d11-8a10-0d1f3a7f4b52';

/** The same access of the same batch is the same entry, even if several events record it. */
export const entryIdOf = (batchId: string, index: number): string => deriveUuid(ENTRY_NAMESPACE, `${batchId}/${index}`);

/** Number of entries in the event. */
export const entriesIn = ({ type, data }: AuditEvent): number =>
  type === 'AccessesRecorded.v1' ? data.entries.length : 1;
