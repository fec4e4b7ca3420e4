import { type AuditAction, type AuditResult } from './contract.js';
import { type Envelope } from './envelope.js';
import { type StoredEvent } from './events.js';
import { newUuid, type TenantId } from './ids.js';

/** The caller of one request and where it came from, as an audit entry keeps it. Every store holds it encrypted. */
export interface AccessRecord {
  readonly requestId: string;
  /** Null where no proxy wrote an address that can be read. */
  readonly ipAddress: string | null;
  readonly userAgent: string;
  /** The opaque id of the API key or a keyed hash of the token's subject. */
  readonly actorId: string;
  /** When the request began, on Clock.monotonic. */
  readonly startedAt: number;
}

/** What an entry is about, by ids that other answers take. */
export interface AuditReference {
  readonly identityId?: string;
  readonly decisionId?: string;
  readonly matchId?: string;
  readonly memberId?: string;
  readonly keyId?: string;
  /** Why the caller did it, in the caller's words. */
  readonly reason?: string;
  /** How many records an answer disclosed that has one entry for all of them. */
  readonly records?: number;
}

/** One data access. `entryId` is derived from what the entry records, so recording it twice leaves one entry. */
export interface AuditEntry {
  readonly entryId: string;
  readonly tenantId: TenantId;
  readonly action: AuditAction;
  readonly result: AuditResult;
  /** Keyed hash of e-mail and phone; absent if the access named no identity. */
  readonly identityHash?: string;
  /** Instead of it, of a screened name (see SealedEntry). */
  readonly nameHash?: string;
  /** Sealed with the access. */
  readonly about?: AuditReference;
  readonly access: AccessRecord;
}

/** Accesses of one request to several people. Each gets its own entry, under an id derived from `batchId` and `index`. */
export interface AuditBatch {
  readonly tenantId: TenantId;
  /** A UUID; the same batch with the same indexes leaves the same entries. */
  readonly batchId: string;
  readonly action: AuditAction;
  readonly result: AuditResult;
  readonly entries: readonly { readonly index: number; readonly identityHash: string }[];
  readonly access: AccessRecord;
}

/** An event of another stream that is an audit entry too, with the fields of it that are sealed. */
export interface SealedEntry {
  readonly tenantId: TenantId;
  readonly stream: string;
  readonly eventId: string;
  readonly access: AccessRecord;
  readonly identityHash?: string;
  /**
   * Keyed hash of a screened name, with a birth date and a country where they were given. It may represent one field alone,
   * so it is sealed as the identity hash would be, and nothing derived from it stands beside it in plain.
   */
  readonly nameHash?: string;
  /** What the answer disclosed beyond its result. */
  readonly answered?: Readonly<Record<string, string>>;
  readonly about?: AuditReference;
  readonly record?: object;
}

export interface SealedFields {
  readonly access: Envelope;
  /** Equal in all of the tenant's entries about one identity; a keyed hash. Absent if the entry names none. */
  readonly subject?: string;
  readonly record?: Envelope;
}

/** What an answer disclosed of persons, as one entry. The entry precedes the answer. */
export interface Disclosure {
  readonly tenantId: TenantId;
  readonly action: AuditAction;
  /** Records that the answer disclosed. None: there is no entry. */
  readonly records: number;
  readonly access: AccessRecord;
}

/** The audit stream of a tenant. Every method throws Unavailable if the event store cannot be reached. */
export abstract class AuditTrail {
  /**
   * Resolves once the entry is durable, at most `budgetMs` milliseconds later. Rejects with Unavailable if the outcome is
   * unknown.
   */
  abstract record(entry: AuditEntry, budgetMs?: number): Promise<void>;

  async disclosed({ tenantId, action, records, access }: Disclosure): Promise<void> {
    if (records === 0) return;
    await this.record({ entryId: newUuid(), tenantId, action, result: 'ok', about: { records }, access });
  }

  /** As `record`, for many entries at once, in as few events as can hold them. */
  abstract recordBatch(batch: AuditBatch, budgetMs?: number): Promise<void>;

  /** Seals the field `access` of an entry that another stream holds, and its field `record` if it has one. */
  abstract seal(entry: SealedEntry): Promise<SealedFields>;

  /** Announces that another stream holds an entry of this tenant, at or before this commit position. */
  abstract recordedAt(tenantId: TenantId, position: bigint): void;
}

/** What an entry of the audit log says beside its action and result. Each is empty where there is none, or it was erased. */
export interface OpenedAccess {
  readonly identityHash: string;
  /** Null where no proxy wrote an address that can be read. */
  readonly ipAddress: string | null;
  readonly userAgent: string;
  readonly about: AuditReference;
  /** What was disclosed beyond the result. */
  readonly answered: Readonly<Record<string, string>>;
}

export abstract class AuditEntries {
  /** Opens the field `access` of the entry that this stream and event hold. Throws Unavailable. */
  abstract open(
    tenantId: TenantId,
    entry: { readonly stream: string; readonly eventId: string; readonly access: Envelope },
  ): Promise<OpenedAccess>;

  /** Opens every entry that an event of any stream holds, in their order. Throws Unavailable. */
  abstract openAll(event: Pick<StoredEvent, 'id' | 'stream' | 'data'>): Promise<readonly OpenedAccess[]>;
}
