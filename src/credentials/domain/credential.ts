import { type StreamDecider } from '../../kernel/category.js';
import { type Envelope } from '../../kernel/envelope.js';
import { type ExpiryNotice, isNoticeDue } from '../../kernel/expiry-notices.js';
import { type Recorded } from '../../kernel/events.js';
import { refuse } from '../../kernel/rejection.js';
import {
  type CredentialChange,
  type CredentialCommand,
  type NotifyOfExpiry,
  type RecordIssuance,
  type Withdraw,
} from './credential.commands.js';
import {
  type CredentialChanged,
  type CredentialEvent,
  type CredentialIssued,
  type RevocationCause,
  type SuspensionCause,
} from './credential.events.js';
import { acceptOffer, endOffer, evolveOffer, isWaiting, noteNotice, type Offer } from './offer.js';
import { type OfferCommand } from './offer.commands.js';

export type CredentialStatus = 'issued' | 'suspended' | 'revoked';

/** The latest change of a credential, with the event that seals its reason. */
export interface LatestChange {
  readonly eventId: string;
  readonly changedAt: string;
  readonly reason: Envelope | null;
}

export interface Credential {
  /** Null until it is issued. */
  readonly issued: CredentialIssued['data'] | null;
  readonly suspendedBy: readonly SuspensionCause[];
  readonly revokedBy: RevocationCause | null;
  /** Whether it may not be issued any more. */
  readonly withdrawn: boolean;
  readonly latest: LatestChange | null;
  /** Suspensions by the issuer so far. */
  readonly suspensions: number;
  /** The latest notice of the expiry. */
  readonly noticed: ExpiryNotice | null;
  /** Null if it was issued without one. */
  readonly offer: Offer | null;
}

const initialState = (): Credential => ({
  issued: null,
  suspendedBy: [],
  revokedBy: null,
  withdrawn: false,
  latest: null,
  suspensions: 0,
  noticed: null,
  offer: null,
});

export const statusOf = ({ revokedBy, suspendedBy }: Credential): CredentialStatus =>
  revokedBy !== null ? 'revoked' : suspendedBy.length > 0 ? 'suspended' : 'issued';

/** By the issuer. Every change reads all that were before it. */
const MAX_SUSPENSIONS = 100;

const suspend = (credential: Credential, { cause }: Extract<CredentialChange, { kind: 'suspend' }>): boolean => {
  // What becomes of an identity has no effect on a credential that is revoked.
  const revoked = credential.revokedBy !== null;
  if (revoked && cause === 'issuer') throw refuse('credential_revoked');
  if (revoked || credential.suspendedBy.includes(cause)) return false;
  if (cause === 'issuer' && credential.suspensions >= MAX_SUSPENSIONS) throw refuse('credential_suspended_too_often');
  return true;
};

const reinstate = (credential: Credential, { cause }: Extract<CredentialChange, { kind: 'reinstate' }>): boolean => {
  const suspended = credential.suspendedBy.includes(cause);
  const revoked = credential.revokedBy !== null;
  if (cause !== 'issuer') return suspended && !revoked;
  if (revoked) throw refuse('credential_revoked');
  if (!suspended && credential.suspendedBy.includes('identity_deleted')) throw refuse('identity_deleted');
  if (!suspended && credential.suspendedBy.length > 0) throw refuse('attestor_distrusted');
  if (!suspended) throw refuse('credential_not_suspended');
  return true;
};

/** Whether the command changes anything. Throws a Rejection where the state does not allow it. */
const changes = (command: CredentialChange, credential: Credential): boolean => {
  switch (command.kind) {
    case 'suspend':
      return suspend(credential, command);
    case 'reinstate':
      return reinstate(credential, command);
    case 'revoke':
      return credential.revokedBy === null;
  }
};

const issue = ({ issued, now }: RecordIssuance, credential: Credential): CredentialEvent[] => {
  // Its request has failed meanwhile, and its credits went back.
  if (credential.withdrawn) throw refuse('timeout');
  if (credential.issued !== null) return [];
  const { offer } = credential;
  if (offer !== null && (offer.accepted === null || !isWaiting(offer, now))) throw refuse('offer_ended');
  return [{ type: 'CredentialIssued.v1', data: issued }];
};

/** What every change of a credential says of it. */
const subjectOf = ({ credentialId, status, wallet }: CredentialIssued['data']) => ({
  credentialId,
  status,
  ...(wallet && { copies: wallet.copies.map((copy) => copy.status) }),
});

const withdraw = ({ credentialId, now }: Withdraw, credential: Credential): CredentialEvent[] => {
  const { issued, revokedBy, withdrawn, offer } = credential;
  if (issued === null) return withdrawn ? [] : [{ type: 'CredentialWithdrawn.v1', data: { credentialId } }];
  if (revokedBy === 'unpaid') return [];
  const change = { ...subjectOf(issued), reason: null, changedAt: now.toISOString() };
  const revoked = { type: 'CredentialRevoked.v1', data: { ...change, cause: 'unpaid' } } as const;
  // The offer was paid for long before, so it gives its credits back itself.
  return [revoked, ...(offer === null ? [] : endOffer({ kind: 'end_offer', cause: 'not_attested', now }, offer))];
};

const onOffer = (command: OfferCommand, { offer, issued, withdrawn }: Credential): CredentialEvent[] => {
  if (command.kind === 'offer') {
    if (withdrawn) throw refuse('timeout');
    return offer === null ? [{ type: 'CredentialOffered.v1', data: command.offered }] : [];
  }
  if (offer === null) throw refuse('not_found');
  if (command.kind === 'wallet_notice') return issued === null ? [] : noteNotice(command, offer);
  if (issued !== null && command.kind === 'end_offer' && command.cause === 'withdrawn') throw refuse('offer_redeemed');
  if (issued !== null || withdrawn) return [];
  return command.kind === 'accept' ? acceptOffer(command, offer) : endOffer(command, offer);
};

const notify = (
  { notice, days, now }: NotifyOfExpiry,
  { issued, revokedBy, noticed }: Credential,
): CredentialEvent[] => {
  if (issued === null || revokedBy !== null) return [];
  const { credentialId, identityId, expiresAt } = issued;
  if (!isNoticeDue({ expiresAt, noticed }, notice, { days, now })) return [];
  const data = { credentialId, identityId, expiresAt, notice, noticedAt: now.toISOString() };
  return [{ type: 'CredentialExpiring.v1', data }];
};

const change = (command: CredentialChange, credential: Credential): CredentialEvent[] => {
  if (credential.issued === null) throw refuse('not_found');
  if (!changes(command, credential)) return [];
  const change = {
    ...subjectOf(credential.issued),
    reason: command.reason,
    changedAt: command.now.toISOString(),
  };
  switch (command.kind) {
    case 'suspend':
      return [{ type: 'CredentialSuspended.v1', data: { ...change, cause: command.cause } }];
    case 'reinstate':
      return [{ type: 'CredentialReinstated.v1', data: { ...change, cause: command.cause } }];
    case 'revoke':
      return [{ type: 'CredentialRevoked.v1', data: { ...change, cause: command.cause } }];
  }
};

const decide = (command: CredentialCommand, credential: Credential): CredentialEvent[] => {
  switch (command.kind) {
    case 'issue':
      return issue(command, credential);
    case 'withdraw':
      return withdraw(command, credential);
    case 'notify':
      return notify(command, credential);
    case 'suspend':
    case 'reinstate':
    case 'revoke':
      return change(command, credential);
    case 'offer':
    case 'accept':
    case 'end_offer':
    case 'wallet_notice':
      return onOffer(command, credential);
  }
};

const latestOf = ({ id, data: { changedAt, reason } }: Recorded<CredentialChanged>): LatestChange => ({
  eventId: id,
  changedAt,
  reason,
});

const without = ({ suspendedBy }: Credential, cause: SuspensionCause): readonly SuspensionCause[] =>
  suspendedBy.filter((other) => other !== cause);

const evolve = (credential: Credential, event: Recorded<CredentialEvent>): Credential => {
  switch (event.type) {
    case 'CredentialIssued.v1':
      return { ...credential, issued: event.data };
    case 'CredentialSuspended.v1': {
      const { cause } = event.data;
      const suspensions = credential.suspensions + (cause === 'issuer' ? 1 : 0);
      return {
        ...credential,
        latest: latestOf(event),
        suspendedBy: [...without(credential, cause), cause],
        suspensions,
      };
    }
    case 'CredentialReinstated.v1':
      return { ...credential, latest: latestOf(event), suspendedBy: without(credential, event.data.cause) };
    case 'CredentialRevoked.v1':
      return { ...credential, latest: latestOf(event), revokedBy: event.data.cause };
    case 'CredentialExpiring.v1':
      return { ...credential, noticed: event.data.notice };
    case 'CredentialWithdrawn.v1':
      return { ...credential, withdrawn: true };
    case 'CredentialOffered.v1':
    case 'OfferAccepted.v1':
    case 'OfferCodeRefused.v1':
    case 'OfferEnded.v1':
    case 'WalletNotified.v1':
      return { ...credential, offer: evolveOffer(credential.offer, event) };
    // `default` covers event types of newer versions.
    default:
      return credential;
  }
};

export const credentialDecider: StreamDecider<Credential, CredentialCommand, CredentialEvent> = {
  initialState,
  decide,
  evolve,
};
