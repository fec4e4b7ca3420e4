import { type Envelope } from './envelope.js';
import { type TenantId } from './ids.js';

/** Who looked, from where: what an audit entry keeps of a request. Encrypted wherever it is stored. */
export interface AccessRecord {
  readonly requestId: string;
  readonly ipAddress: string;
  readonly userAgent: string;
  /** The opaque id of the API key or a keyed hash of the token's subject. */
  readonly actorId: string;
  /** When the request began, on Clock.monotonic. */
  readonly startedAt: number;
}

/** Audit action types: the interface's seven and those that the service adds. */
export const AUDIT_ACTIONS = [
  'eligibility_check',
  'risk_assessment',
  'credential_issued',
  'credential_verified',
  'data_ingested',
  'sanctions_check',
  'pep_check',
  'identity_read',
  'identity_deleted',
  'identity_restored',
  'identity_erased',
  'credential_revoked',
  'credential_suspended',
  'credential_reinstated',
  'report_created',
  'data_exported',
  'match_dismissed',
] as const;

export type AuditAction = (typeof AUDIT_ACTIONS)[number];

export const AUDIT_RESULTS = [
  'found',
  'not_found',
  'ok',
  'valid',
  'invalid',
  'clear',
  'potential_match',
  'confirmed_match',
  'pep',
  'not_pep',
  'not_disclosed',
] as const;

export type AuditResult = (typeof AUDIT_RESULTS)[number];

/** One data access. `entryId` is derived from what it records, so that recording it twice leaves one entry. */
export interface AuditEntry {
  readonly entryId: string;
  readonly tenantId: TenantId;
  readonly action: AuditAction;
  readonly result: AuditResult;
  /** Keyed hash of e-mail and phone; absent where the access named no identity. */
  readonly identityHash?: string;
  /** Set on the entry of a charged operation: that the operation completed is what settles this deduction. */
  readonly deductionId?: string;
  readonly access: AccessRecord;
}

/** Accesses of one request to several people: an entry each, under an id derived from `batchId` and `index`. */
export interface AuditBatch {
  readonly tenantId: TenantId;
  /** A UUID; the same batch with the same indexes leaves the same entries. */
  readonly batchId: string;
  readonly action: AuditAction;
  readonly result: AuditResult;
  readonly entries: readonly { readonly index: number; readonly identityHash: string }[];
  readonly access: AccessRecord;
}

/** An event of another stream that is an audit entry too, and what of it is sealed. */
export interface SealedEntry {
  readonly tenantId: TenantId;
  readonly stream: string;
  readonly eventId: string;
  readonly access: AccessRecord;
  readonly identityHash?: string;
  readonly record?: object;
}

export interface SealedFields {
  readonly access: Envelope;
  readonly record?: Envelope;
}

/** The audit stream of a tenant. Every method throws Unavailable where the event store cannot be reached. */
export abstract class AuditTrail {
  /** Resolves when the entry is durable, at most `budgetMs` later; an unknown outcome rejects with Unavailable. */
  abstract record(entry: AuditEntry, budgetMs?: number): Promise<void>;

  /** The same for many entries at once, in as few events as hold them. */
  abstract recordBatch(batch: AuditBatch, budgetMs?: number): Promise<void>;

  /** Seals the fields `access` and, where there is one, `record` of an entry that another stream holds. */
  abstract seal(entry: SealedEntry): Promise<SealedFields>;

  /** Tells that an entry of this tenant stands in another stream, at or before this commit position. */
  abstract recordedAt(tenantId: TenantId, position: bigint): void;

  /**
   * Which of these deductions have an entry, read from the stream itself backwards to the position `after` in the log. An entry
   * lies behind its deduction, whatever clocks say.
   */
  abstract completedDeductions(
    tenantId: TenantId,
    deductionIds: ReadonlySet<string>,
    after: bigint,
  ): Promise<Set<string>>;
}
