import { type CredentialWithdrawn } from '../../src/credentials/domain/credential.events.js';
import {
  type CredentialOffered,
  type OfferEnd,
  type OfferEvent,
  type OfferStatus,
} from '../../src/credentials/domain/offer.events.js';
import { type Recorded, tenantOfStream } from '../../src/kernel/events.js';

export interface OfferRow {
  readonly credential_id: string;
  readonly tenant_id: string;
  readonly identity_id: string;
  readonly tier: string;
  readonly data_key_id: string;
  readonly offered_at: string;
  readonly until: string;
  readonly position: string;
}

/** `unpaid`: its request failed, so its credits went back before. */
export type OfferEnding = OfferEnd | 'unpaid';

/** What a batch changes of an offer. Null: not changed. */
export interface OfferPatch {
  readonly credential_id: string;
  readonly status: OfferStatus;
  readonly until: string | null;
  readonly ended_because: OfferEnding | null;
  readonly ended_at: string | null;
}

/** Reduces a batch to its changes of each offer. */
export class OfferChanges {
  readonly made: OfferRow[] = [];
  readonly patches = new Map<string, OfferPatch>();

  add(event: Recorded<OfferEvent | CredentialWithdrawn>): void {
    const { credentialId } = event.data;
    switch (event.type) {
      case 'CredentialOffered.v1':
        this.made.push(rowOf(event));
        break;
      case 'OfferAccepted.v1':
        this.patch(credentialId, { status: 'accepted', until: event.data.until });
        break;
      case 'OfferEnded.v1':
        this.end(credentialId, event.data.cause, event.data.endedAt);
        break;
      case 'CredentialWithdrawn.v1':
        this.end(credentialId, 'unpaid', event.metadata.time);
        break;
      // They change no row.
      case 'OfferCodeRefused.v1':
      case 'WalletNotified.v1':
        break;
    }
  }

  redeem(credentialId: string): void {
    this.patch(credentialId, { status: 'redeemed' });
  }

  private end(credentialId: string, ended_because: OfferEnding, ended_at: string): void {
    this.patch(credentialId, { status: 'ended', ended_because, ended_at });
  }

  private patch(credential_id: string, change: Partial<OfferPatch> & Pick<OfferPatch, 'status'>): void {
    const before = this.patches.get(credential_id) ?? { until: null, ended_because: null, ended_at: null };
    this.patches.set(credential_id, { ...before, credential_id, ...change });
  }
}

const rowOf = ({ stream, data, position }: Recorded<CredentialOffered>): OfferRow => ({
  credential_id: data.credentialId,
  tenant_id: tenantOfStream(stream),
  identity_id: data.identityId,
  tier: data.tier,
  data_key_id: data.person.key,
  offered_at: data.offeredAt,
  until: data.expiresAt,
  position: position.toString(),
});
