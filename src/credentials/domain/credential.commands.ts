import { type Envelope } from '../../kernel/envelope.js';
import { type ExpiryNotice } from '../../kernel/expiry-notices.js';
import { type CredentialIssued, type RevocationCause, type SuspensionCause } from './credential.events.js';
import { type OfferCommand } from './offer.commands.js';

export interface RecordIssuance {
  readonly kind: 'issue';
  readonly issued: CredentialIssued['data'];
  readonly now: Date;
}

interface Change {
  readonly now: Date;
  readonly reason: Envelope | null;
}

export interface Suspend extends Change {
  readonly kind: 'suspend';
  readonly cause: SuspensionCause;
}

export interface Reinstate extends Change {
  readonly kind: 'reinstate';
  readonly cause: SuspensionCause;
}

export interface Revoke extends Change {
  readonly kind: 'revoke';
  readonly cause: RevocationCause;
}

/** Undoes an issuance whose credits went back, or forestalls it. */
export interface Withdraw {
  readonly kind: 'withdraw';
  readonly credentialId: string;
  readonly now: Date;
}

export interface NotifyOfExpiry {
  readonly kind: 'notify';
  readonly notice: ExpiryNotice;
  /** How long before the expiry the notice goes out. */
  readonly days: number;
  readonly now: Date;
}

export type CredentialChange = Suspend | Reinstate | Revoke;

export type CredentialCommand = RecordIssuance | CredentialChange | NotifyOfExpiry | Withdraw | OfferCommand;
