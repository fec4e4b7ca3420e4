import { type Envelope } from '../../kernel/envelope.js';
import { type TenantId } from '../../kernel/ids.js';
import { type AccountMetadata } from './account-metadata.commands.js';
import { type MemberRole } from './member-roles.js';
import { type NewPasskey } from './member.events.js';

export type Text = string | Envelope;

/** `grantedBy`: the key or member that asks. Null: an operator. */
interface Granted {
  readonly memberId: string;
  readonly grantedBy: string | null;
}

interface Invitation {
  readonly invitationId: string;
  readonly expiresAt: string;
}

export class InviteMember<T extends Text = string> {
  readonly type = 'InviteMember';
  constructor(
    readonly tenantId: TenantId,
    readonly data: Granted &
      Invitation & {
        readonly role: MemberRole;
        readonly name: T;
        readonly email: T;
        /** Members, removed ones too, that the address was compared with: an account has each once. */
        readonly comparedWith: number;
        /** Joins at once: no invitation is sent. */
        readonly joinsAtOnce?: true;
      },
    readonly metadata: AccountMetadata,
  ) {}
}

export class InviteMemberAgain {
  readonly type = 'InviteMemberAgain';
  constructor(
    readonly tenantId: TenantId,
    readonly data: Granted & Invitation,
    readonly metadata: AccountMetadata,
  ) {}
}

export class JoinAccount {
  readonly type = 'JoinAccount';
  constructor(
    readonly tenantId: TenantId,
    readonly data: { readonly memberId: string; readonly invitationId: string; readonly passkey: NewPasskey | null },
    readonly metadata: AccountMetadata,
  ) {}
}

export class AddPasskey {
  readonly type = 'AddPasskey';
  constructor(
    readonly tenantId: TenantId,
    readonly data: { readonly memberId: string; readonly passkey: NewPasskey },
    readonly metadata: AccountMetadata,
  ) {}
}

export class RemovePasskey {
  readonly type = 'RemovePasskey';
  constructor(
    readonly tenantId: TenantId,
    readonly data: { readonly memberId: string; readonly credentialId: string },
    readonly metadata: AccountMetadata,
  ) {}
}

/** What is absent stays as it is. */
export class ChangeMember<T extends Text = string> {
  readonly type = 'ChangeMember';
  constructor(
    readonly tenantId: TenantId,
    readonly data: Granted & { readonly role?: MemberRole; readonly name?: T },
    readonly metadata: AccountMetadata,
  ) {}
}

export class RemoveMember {
  readonly type = 'RemoveMember';
  constructor(
    readonly tenantId: TenantId,
    readonly data: Granted,
    readonly metadata: AccountMetadata,
  ) {}
}

export type MemberCommand =
  | InviteMember<Envelope>
  | InviteMemberAgain
  | JoinAccount
  | AddPasskey
  | RemovePasskey
  | ChangeMember<Envelope>
  | RemoveMember;
