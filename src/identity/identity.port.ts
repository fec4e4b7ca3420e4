import { type TenantId } from '../kernel/ids.js';
import { type Tier } from '../kernel/kyc.js';
import { type RecordError } from './domain/ingestion.events.js';

/** What the network says of a person: the best of all attestations that hold now. */
export interface Attestation {
  readonly tier: Tier;
  readonly lastVerifiedAt: Date;
}

/** All tenants' attestations of the environment, keyed by identity hash. Throws Unavailable. */
export abstract class AttestationIndex {
  /** Throws Unavailable where `find` might find what was deleted, or miss what was ingested, long ago. */
  abstract assertCurrent(): Promise<void>;
  /** Over identities that are APPROVED, not past kyc_expires_at at `now` and not deleted. */
  abstract find(identityHash: string, now: Date): Promise<Attestation | undefined>;
  /** Waits until everything at or before this log position is in the index, at most `budgetMs`; tells whether it is. */
  abstract reaches(position: bigint, budgetMs: number): Promise<boolean>;
}

/** Where an ingestion has got to. */
export interface IngestionStatus {
  readonly status: 'accepted' | 'completed' | 'failed';
  readonly recordsReceived: number;
  readonly recordsProcessed: number;
  readonly errors: readonly RecordError[];
  readonly receivedAt: Date;
  readonly endedAt: Date | null;
  /** Of a single ingestion that was processed. */
  readonly identityId: string | null;
  /** Whether a newer ingestion of the same identity had been applied already. */
  readonly superseded: boolean;
}

export interface DueIngestion {
  readonly tenantId: TenantId;
  readonly ingestionId: string;
}

/** Statuses in step with the attestation index: what `completed` says is findable. Throws Unavailable. */
export abstract class IngestionIndex {
  abstract status(tenantId: TenantId, ingestionId: string): Promise<IngestionStatus | undefined>;
  /** Accepted ingestions whose next try was due at `before`, longest due first. */
  abstract due(before: Date, limit: number): Promise<readonly DueIngestion[]>;
}
