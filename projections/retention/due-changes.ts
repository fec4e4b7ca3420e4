import { type AttestedRecord, type IdentityEvent, identityStream } from '../../src/identity/domain/identity.events.js';
import {
  type IngestionAccepted,
  type IngestionEvent,
  type IngestionRecord,
  type IngestionRecordsReceived,
} from '../../src/identity/domain/ingestion.events.js';
import { type Recorded, tenantOfStream } from '../../src/kernel/events.js';
import { type ExpiryNotice } from '../../src/kernel/expiry-notices.js';
import { YEARS_KEPT, yearsFrom } from '../../src/kernel/retention.js';
import { type DueKind } from './due-kinds.js';

const afterInactivity = (since: string): string => yearsFrom(new Date(since), YEARS_KEPT.identityData).toISOString();

interface DueKey {
  readonly stream: string;
  readonly kind: DueKind;
}

export interface DueRow extends DueKey {
  readonly tenant_id: string;
  readonly identity_id: string;
  readonly identity_hash: string;
  readonly due_at: string;
}

type Received = IngestionAccepted | IngestionRecordsReceived;

type Person = Pick<IngestionRecord, 'identityId' | 'identityHash'>;

/** Null: nothing of this kind is due any more. */
type Changes = Partial<Record<DueKind, string | null>>;

/** The notices that are still to come after `noticed`. */
const noticesOf = (expiresAt: string | null, noticed?: ExpiryNotice) => ({
  first_notice: noticed === undefined ? expiresAt : null,
  last_notice: noticed === 'last' ? null : expiresAt,
});

const NO_NOTICES = noticesOf(null);

const ofRecord = ({ kycStatus, kycExpiresAt, noticed, receivedAt }: AttestedRecord): Changes => {
  const expiry = kycStatus === 'APPROVED' ? kycExpiresAt : null;
  return { ...noticesOf(expiry, noticed), expiry, purge: null, inactivity: afterInactivity(receivedAt) };
};

const changesBy = (event: Recorded<IdentityEvent>): Changes => {
  switch (event.type) {
    case 'IdentityIngested.v1':
    case 'IdentityUpdated.v1':
      return ofRecord(event.data);
    case 'IdentityExpiring.v1':
      return event.data.notice === 'last' ? NO_NOTICES : { first_notice: null };
    case 'IdentityExpired.v1':
      return { ...NO_NOTICES, expiry: null };
    case 'IdentityDeleted.v1':
      return { ...NO_NOTICES, purge: event.data.purgeAt, inactivity: null };
    case 'IdentityRestored.v1':
      return {
        ...noticesOf(event.data.kycExpiresAt, event.data.noticed),
        purge: null,
        inactivity: afterInactivity(event.data.restoredAt),
      };
    case 'IdentityErasureDecided.v1':
      return { ...NO_NOTICES, expiry: null, purge: null, inactivity: null, erasure: event.data.decidedAt };
    case 'IdentityErased.v1':
      return { erasure: null };
    // `default` covers event types of newer versions.
    case 'IdentityVerified.v1':
    case 'ErasureProposed.v1':
    case 'ErasureRejected.v1':
    case 'IdentityFlagged.v1':
    default:
      return {};
  }
};

/** Reduces a batch to rows that are deleted and rows that are then put. */
export class DueChanges {
  private readonly cleared = new Map<string, DueKey>();
  private readonly put = new Map<string, DueRow>();

  ofIdentity(event: Recorded<IdentityEvent>): void {
    for (const [kind, dueAt] of Object.entries(changesBy(event)) as [DueKind, string | null][]) {
      // Before a stream's first event there is nothing to clear.
      if (dueAt === null && event.type === 'IdentityIngested.v1' && event.revision === 0n) continue;
      this.change(event.stream, kind, event.data, dueAt);
    }
  }

  /** An ingested person is kept for the full period from then on, even if the ingestion fails. */
  ofIngestion(event: Recorded<IngestionEvent>): void {
    switch (event.type) {
      case 'IngestionAccepted.v1':
        this.keep(event, event.data.receivedAt);
        break;
      case 'IngestionRecordsReceived.v1':
        this.keep(event, event.metadata.time);
        break;
      case 'IngestionAttemptFailed.v1':
      case 'IngestionCompleted.v1':
      case 'IngestionFailed.v1':
      case 'IngestionRetried.v1':
        break;
    }
  }

  clearedRows(): DueKey[] {
    return [...this.cleared.values()];
  }

  putRows(): DueRow[] {
    return [...this.put.values()];
  }

  private keep({ stream, data }: Recorded<Received>, at: string): void {
    const tenantId = tenantOfStream(stream);
    for (const record of data.records) {
      this.change(identityStream(tenantId, record.identityId), 'inactivity', record, afterInactivity(at));
    }
  }

  private change(stream: string, kind: DueKind, { identityId, identityHash }: Person, dueAt: string | null): void {
    const key = `${kind} ${stream}`;
    if (dueAt === null) {
      this.put.delete(key);
      this.cleared.set(key, { stream, kind });
      return;
    }
    const earlier = this.put.get(key);
    // Activity arrives out of order: an ingestion may be processed after a later one was accepted.
    if (kind === 'inactivity' && earlier !== undefined && earlier.due_at >= dueAt) return;
    const person = { tenant_id: tenantOfStream(stream), identity_id: identityId, identity_hash: identityHash };
    this.put.set(key, { stream, kind, ...person, due_at: dueAt });
  }
}
