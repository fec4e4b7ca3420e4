import { type AttestedRecord, type IdentityEvent } from '../../src/identity/domain/identity.events.js';
import { type Envelope } from '../../src/kernel/envelope.js';
import { type Recorded, tenantOfStream } from '../../src/kernel/events.js';

export interface IdentityKey {
  readonly tenant_id: string;
  readonly identity_id: string;
  readonly identity_hash: string;
}

export interface IdentityRow extends IdentityKey {
  readonly ingestion_id: string;
  readonly status: string;
  readonly tier: string;
  readonly kyc_expires_at: string | null;
  readonly last_verified_at: string | null;
  readonly received_at: string;
  readonly deleted_at: string | null;
  readonly purge_at: string | null;
  readonly stream: string;
  readonly event_id: string;
  readonly personal: Envelope;
}

export interface IdentityPut {
  readonly row: IdentityRow;
  /** Whether no earlier batch made a row for this identity. */
  readonly isNew: boolean;
}

/** A change of a row that an earlier batch made. */
export interface IdentityPatch extends IdentityKey {
  readonly expired?: true;
  /** Whether the two times below have changed. */
  readonly moved?: true;
  readonly deleted_at?: string | null;
  readonly purge_at?: string | null;
}

type Change =
  | ({ readonly kind: 'put' } & IdentityPut)
  | { readonly kind: 'patch'; readonly row: IdentityPatch }
  | { readonly kind: 'remove'; readonly row: IdentityKey };

type Fields = Pick<IdentityPatch, 'expired' | 'moved' | 'deleted_at' | 'purge_at'>;

const rowOf = (event: Recorded<IdentityEvent>, data: AttestedRecord): IdentityRow => ({
  tenant_id: tenantOfStream(event.stream),
  identity_id: data.identityId,
  identity_hash: data.identityHash,
  ingestion_id: data.ingestionId,
  status: data.kycStatus,
  tier: data.tier,
  kyc_expires_at: data.kycExpiresAt,
  last_verified_at: data.lastVerifiedAt,
  received_at: data.receivedAt,
  deleted_at: null,
  purge_at: null,
  stream: event.stream,
  event_id: event.id,
  personal: data.personal,
});

/** Reduces a batch to at most one change for each identity. */
export class IdentityChanges {
  private readonly changes = new Map<string, Change>();
  /** By stream. */
  private readonly erasing = new Map<string, IdentityKey>();

  add(event: Recorded<IdentityEvent>): void {
    switch (event.type) {
      case 'IdentityIngested.v1':
      case 'IdentityUpdated.v1':
        this.put(event, event.data);
        break;
      case 'IdentityExpired.v1':
        this.patch(event, event.data, { expired: true });
        break;
      case 'IdentityDeleted.v1':
        this.patch(event, event.data, { moved: true, deleted_at: event.data.deletedAt, purge_at: event.data.purgeAt });
        break;
      case 'IdentityRestored.v1':
        this.patch(event, event.data, { moved: true, deleted_at: null, purge_at: null });
        break;
      case 'IdentityErasureDecided.v1':
        this.erasing.set(event.stream, this.keyOf(event, event.data));
        this.patch(event, event.data, { moved: true, deleted_at: event.data.decidedAt, purge_at: null });
        break;
      case 'IdentityErased.v1':
        this.changes.set(event.stream, { kind: 'remove', row: this.keyOf(event, event.data) });
        break;
      // Each of these follows an event above.
      case 'IdentityExpiring.v1':
      case 'IdentityVerified.v1':
      case 'IdentityFlagged.v1':
      case 'ErasureProposed.v1':
      case 'ErasureRejected.v1':
        break;
    }
  }

  puts(): IdentityPut[] {
    return [...this.changes.values()].flatMap((change) => (change.kind === 'put' ? [change] : []));
  }

  /** Of these, only the record goes. Until the erasure is complete, the attestation says that it is deleted. */
  erasures(): IdentityKey[] {
    return [...this.erasing.values()];
  }

  /** Records that an erasure in the same batch does not remove again. */
  keptPuts(): IdentityPut[] {
    return this.puts().filter(({ row }) => !this.erasing.has(row.stream));
  }

  patches(): IdentityPatch[] {
    return [...this.changes.values()].flatMap((change) => (change.kind === 'patch' ? [change.row] : []));
  }

  removals(): IdentityKey[] {
    return [...this.changes.values()].flatMap((change) => (change.kind === 'remove' ? [change.row] : []));
  }

  private put(event: Recorded<IdentityEvent>, data: AttestedRecord): void {
    const earlier = this.changes.get(event.stream);
    this.erasing.delete(event.stream);
    // Each identity has one stream, and each stream has one identity with one hash.
    const isNew = earlier === undefined ? event.revision === 0n : earlier.kind === 'put' && earlier.isNew;
    this.changes.set(event.stream, { kind: 'put', row: rowOf(event, data), isNew });
  }

  private keyOf(
    event: Recorded<IdentityEvent>,
    data: { readonly identityId: string; readonly identityHash: string },
  ): IdentityKey {
    return { tenant_id: tenantOfStream(event.stream), identity_id: data.identityId, identity_hash: data.identityHash };
  }

  private patch(
    event: Recorded<IdentityEvent>,
    data: { readonly identityId: string; readonly identityHash: string },
    fields: Fields,
  ): void {
    const earlier = this.changes.get(event.stream);
    if (earlier?.kind === 'remove') return;
    if (earlier?.kind === 'put') {
      const { expired, deleted_at = earlier.row.deleted_at, purge_at = earlier.row.purge_at } = fields;
      const status = expired ? 'EXPIRED' : earlier.row.status;
      this.changes.set(event.stream, { ...earlier, row: { ...earlier.row, status, deleted_at, purge_at } });
      return;
    }
    const before = earlier?.row ?? this.keyOf(event, data);
    this.changes.set(event.stream, { kind: 'patch', row: { ...before, ...fields } });
  }
}
