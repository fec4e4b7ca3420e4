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
}

const initialState = (): Credential => ({
  issued: null,
  suspendedBy: [],
  revokedBy: null,
  withdrawn: false,
  latest: null,
  suspensions: 0,
  noticed: null,
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

const issue = ({ issued }: RecordIssuance, credential: Credential): CredentialEvent[] => {
  // Its request has failed meanwhile, and its credits went back.
  if (credential.withdrawn) throw refuse('timeout');
  return credential.issued === null ? [{ type: 'CredentialIssued.v1', data: issued }] : [];
};

const withdraw = ({ credentialId, now }: Withdraw, credential: Credential): CredentialEvent[] => {
  const { issued, revokedBy, withdrawn } = credential;
  if (issued === null) return withdrawn ? [] : [{ type: 'CredentialWithdrawn.v1', data: { credentialId } }];
  if (revokedBy === 'unpaid') return [];
  const { status } = issued;
  const change = { credentialId, status, reason: null, changedAt: now.toISOString() };
  return [{ type: 'CredentialRevoked.v1', data: { ...change, cause: 'unpaid' } }];
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

const decide = (command: CredentialCommand, credential: Credential): CredentialEvent[] => {
  const { issued } = credential;
  if (command.kind === 'issue') return issue(command, credential);
  if (command.kind === 'withdraw') return withdraw(command, credential);
  if (command.kind === 'notify') return notify(command, credential);
  if (issued === null) throw refuse('not_found');
  if (!changes(command, credential)) return [];
  const { credentialId, status } = issued;
  const change = { credentialId, status, reason: command.reason, changedAt: command.now.toISOString() };
  switch (command.kind) {
    case 'suspend':
      return [{ type: 'CredentialSuspended.v1', data: { ...change, cause: command.cause } }];
    case 'reinstate':
      return [{ type: 'CredentialReinstated.v1', data: { ...change, cause: command.cause } }];
    case 'revoke':
      return [{ type: 'CredentialRevoked.v1', data: { ...change, cause: command.cause } }];
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
