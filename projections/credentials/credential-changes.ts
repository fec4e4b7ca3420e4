import { type ExpiryNotice } from '../../src/kernel/expiry-notices.js';
import {
  type CredentialChanged,
  type CredentialEvent,
  type CredentialIssued,
  type SuspensionCause,
} from '../../src/credentials/domain/credential.events.js';
import { type StatusBlockLeased } from '../../src/credentials/domain/status-block.events.js';
import { type Recorded, tenantOfStream } from '../../src/kernel/events.js';
import { OfferChanges } from './offer-changes.js';

export type StatusPurpose = 'revocation' | 'suspension';

export interface IssuedRow {
  readonly credential_id: string;
  readonly tenant_id: string;
  readonly identity_id: string;
  readonly identity_hash: string;
  readonly tier: string;
  readonly data_key_id: string;
  readonly issued_at: string;
  readonly expires_at: string;
  readonly list: number;
  readonly index: number;
  readonly position: string;
}

/** What a batch changes of a credential. Null: not changed. */
export interface CredentialPatch {
  readonly credential_id: string;
  readonly revoked: true | null;
  readonly suspended_by_issuer: boolean | null;
  readonly suspended_by_identity: boolean | null;
  readonly suspended_by_distrust: boolean | null;
  readonly changed_at: string;
}

export interface ListRow {
  readonly purpose: StatusPurpose;
  readonly list: number;
  readonly version: string;
  readonly changed_at: string;
}

export interface CopyRow {
  readonly list: number;
  readonly index: number;
  readonly credential_id: string;
}

const PURPOSES: readonly StatusPurpose[] = ['revocation', 'suspension'];

const COLUMNS = {
  issuer: 'suspended_by_issuer',
  identity_deleted: 'suspended_by_identity',
  attestor_distrusted: 'suspended_by_distrust',
} as const satisfies Readonly<Record<SuspensionCause, keyof CredentialPatch>>;

type Changed = Recorded<CredentialChanged>;

/** Reduces a batch to its changes of each credential and of each list. */
export class CredentialChanges {
  readonly issued: IssuedRow[] = [];
  readonly copies: CopyRow[] = [];
  readonly offers = new OfferChanges();
  readonly patches = new Map<string, CredentialPatch>();
  /** Lists by purpose and number, as of their last change. */
  readonly changedLists = new Map<string, ListRow>();
  readonly newLists = new Map<string, ListRow>();
  /** By credential, the latest notice of its expiry. */
  readonly notices = new Map<string, ExpiryNotice>();

  add(event: Recorded<CredentialEvent | StatusBlockLeased>): void {
    switch (event.type) {
      case 'StatusBlockLeased.v1':
        this.begin(event);
        break;
      case 'CredentialIssued.v1':
        this.issue(event);
        break;
      case 'CredentialSuspended.v1':
        this.patch(event, { [COLUMNS[event.data.cause]]: true });
        this.changeList('suspension', event);
        break;
      case 'CredentialReinstated.v1':
        this.patch(event, { [COLUMNS[event.data.cause]]: false });
        this.changeList('suspension', event);
        break;
      case 'CredentialRevoked.v1':
        this.patch(event, { revoked: true });
        this.changeList('revocation', event);
        break;
      case 'CredentialExpiring.v1':
        this.notices.set(event.data.credentialId, event.data.notice);
        break;
      case 'CredentialWithdrawn.v1':
      case 'CredentialOffered.v1':
      case 'OfferAccepted.v1':
      case 'OfferCodeRefused.v1':
      case 'OfferEnded.v1':
      case 'WalletNotified.v1':
        this.offers.add(event);
    }
  }

  private issue(event: Recorded<CredentialIssued>): void {
    const { credentialId, wallet, status } = event.data;
    this.issued.push({
      credential_id: credentialId,
      tenant_id: tenantOfStream(event.stream),
      identity_id: event.data.identityId,
      identity_hash: event.data.identityHash,
      tier: event.data.tier,
      data_key_id: event.data.token.key,
      issued_at: event.data.issuedAt,
      expires_at: event.data.expiresAt,
      list: status.list,
      index: status.index,
      position: event.position.toString(),
    });
    if (wallet === undefined) return;
    this.offers.redeem(credentialId);
    for (const copy of wallet.copies) this.copies.push({ ...copy.status, credential_id: credentialId });
  }

  /** A list exists from the first lease of its blocks. */
  private begin({ data: { list, leasedAt }, position }: Recorded<StatusBlockLeased>): void {
    for (const purpose of PURPOSES) {
      const row = { purpose, list, version: position.toString(), changed_at: leasedAt };
      const name = `${purpose} ${list}`;
      if (!this.newLists.has(name)) this.newLists.set(name, row);
    }
  }

  private patch({ data: { credentialId, changedAt } }: Changed, change: Partial<CredentialPatch>): void {
    const before = this.patches.get(credentialId) ?? {
      credential_id: credentialId,
      revoked: null,
      suspended_by_issuer: null,
      suspended_by_identity: null,
      suspended_by_distrust: null,
      changed_at: changedAt,
    };
    this.patches.set(credentialId, { ...before, ...change, changed_at: changedAt });
  }

  private changeList(purpose: StatusPurpose, { data: { status, copies = [], changedAt }, position }: Changed): void {
    for (const { list } of [status, ...copies])
      this.changedLists.set(`${purpose} ${list}`, {
        purpose,
        list,
        version: position.toString(),
        changed_at: changedAt,
      });
  }
}
