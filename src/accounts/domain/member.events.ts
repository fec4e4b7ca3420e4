import { type DomainEvent } from '../../kernel/decider.js';
import { type Envelope } from '../../kernel/envelope.js';
import { type MemberRole } from './member-roles.js';

interface Invitation {
  readonly memberId: string;
  /** A UUID. The link names it, signed; a later invitation replaces it. */
  readonly invitationId: string;
  readonly expiresAt: string;
}

/** A person may join the account. Name and address are sealed under a key of the member, which ends with the member. */
export type MemberInvited = DomainEvent<
  'MemberInvited.v1',
  Invitation & {
    readonly role: MemberRole;
    readonly name: Envelope;
    readonly email: Envelope;
    readonly invitedAt: string;
  }
>;

/** The invitation was sent again: to one who did not join, or to one who lost all passkeys. */
export type MemberInvitedAgain = DomainEvent<'MemberInvitedAgain.v1', Invitation & { readonly invitedAt: string }>;

export interface NewPasskey {
  /** Of WebAuthn, base64url. */
  readonly credentialId: string;
  /** COSE, base64url. */
  readonly publicKey: string;
  /** The authenticator's signature counter at the registration; 0 where it has none. */
  readonly counter: number;
  readonly transports: readonly string[];
}

/** A member took the invitation. A passkey replaces the member's earlier ones. */
export type MemberJoined = DomainEvent<
  'MemberJoined.v1',
  {
    readonly memberId: string;
    readonly invitationId: string;
    /** Null: by the deployment's identity provider, which named the account and the address. */
    readonly passkey: NewPasskey | null;
    readonly joinedAt: string;
  }
>;

export type PasskeyAdded = DomainEvent<
  'PasskeyAdded.v1',
  { readonly memberId: string; readonly passkey: NewPasskey; readonly addedAt: string }
>;

export type PasskeyRemoved = DomainEvent<
  'PasskeyRemoved.v1',
  { readonly memberId: string; readonly credentialId: string; readonly removedAt: string }
>;

export type MemberRoleChanged = DomainEvent<
  'MemberRoleChanged.v1',
  { readonly memberId: string; readonly role: MemberRole; readonly changedAt: string }
>;

export type MemberRenamed = DomainEvent<
  'MemberRenamed.v1',
  { readonly memberId: string; readonly name: Envelope; readonly changedAt: string }
>;

/** The key of the member's name and address is to be destroyed. */
export type MemberRemoved = DomainEvent<'MemberRemoved.v1', { readonly memberId: string; readonly removedAt: string }>;

export type MemberEvent =
  | MemberInvited
  | MemberInvitedAgain
  | MemberJoined
  | PasskeyAdded
  | PasskeyRemoved
  | MemberRoleChanged
  | MemberRenamed
  | MemberRemoved;
