import { unreachable } from '../../kernel/invariant.js';
import { refuse } from '../../kernel/rejection.js';
import { grantOf, type WithKeys } from './key-grants.js';
import {
  type AddPasskey,
  type ChangeMember,
  type InviteMember,
  type InviteMemberAgain,
  type JoinAccount,
  type MemberCommand,
  type RemoveMember,
  type RemovePasskey,
} from './member.commands.js';
import { type Envelope } from '../../kernel/envelope.js';
import { type MemberEvent, type NewPasskey } from './member.events.js';
import { type MemberRole, RIGHTS } from './member-roles.js';

export interface Member {
  readonly memberId: string;
  readonly role: MemberRole;
  /** `invited`: has not joined yet. */
  readonly status: 'invited' | 'active' | 'removed';
  readonly invitedAt: string;
  readonly joinedAt: string | null;
  /** The one that may be taken. */
  readonly invitation: { readonly invitationId: string; readonly expiresAt: string } | null;
  /** Ids of all invitations so far. */
  readonly issued: readonly string[];
  readonly passkeys: readonly NewPasskey[];
}

export type Members = ReadonlyMap<string, Member>;

/** Members of an account that are invited or active. */
export const MAX_MEMBERS = 200;
export const MAX_PASSKEYS = 10;

export const INVITATION_ENDED = 'The invitation was taken or replaced, or has expired: ask for another one';

const present = (members: Members, memberId: string): Member => {
  const member = members.get(memberId);
  if (member === undefined || member.status === 'removed') throw refuse('not_found');
  return member;
};

/** Who gives a role has all its rights, and so has who takes one away. */
const refuseBeyondOwn = (
  account: WithKeys,
  grantedBy: string | null,
  roles: readonly MemberRole[],
  at: string,
): void => {
  const { scopes, expiresAt, creditCapPerDay, allowedAddresses } = grantOf(account, grantedBy, at);
  if (expiresAt !== null || creditCapPerDay !== null || allowedAddresses.length > 0)
    throw refuse('forbidden', {
      detail: 'A key with an expiry, a cap or addresses manages no members: they have none.',
    });
  const own = new Set(scopes);
  const beyond = roles.some((role) => [...RIGHTS[role].scopes, 'members'].some((scope) => !own.has(scope)));
  if (beyond)
    throw refuse('forbidden', { field: 'role', detail: 'A role is given and taken by who has all its rights.' });
};

/** An account that has an owner keeps one. */
const refuseWithoutOwner = (members: Members, leaving: Member): void => {
  const isOwner = ({ role, status }: Member): boolean => role === 'owner' && status === 'active';
  if (isOwner(leaving) && [...members.values()].filter(isOwner).length === 1)
    throw refuse('account_state_conflict', { detail: 'The last owner stays: make another member owner first.' });
};

const invite = ({ data, metadata }: InviteMember<Envelope>, account: WithKeys): MemberEvent[] => {
  const { memberId, role, name, email, invitationId, expiresAt, grantedBy, comparedWith, joinsAtOnce } = data;
  if (account.members.has(memberId)) return [];
  if (account.members.size !== comparedWith)
    throw refuse('account_state_conflict', { detail: 'Another person was invited at this moment: try again.' });
  refuseBeyondOwn(account, grantedBy, [role], metadata.at);
  if ([...account.members.values()].filter(({ status }) => status !== 'removed').length >= MAX_MEMBERS)
    throw refuse('account_state_conflict', { detail: `An account has at most ${MAX_MEMBERS} members.` });
  const invitation = { memberId, role, name, email, invitationId, expiresAt };
  const invited: MemberEvent = { type: 'MemberInvited.v1', data: { ...invitation, invitedAt: metadata.at } };
  if (joinsAtOnce !== true) return [invited];
  const joined = { memberId, invitationId, passkey: null, joinedAt: metadata.at };
  return [invited, { type: 'MemberJoined.v1', data: joined }];
};

const inviteAgain = ({ data, metadata }: InviteMemberAgain, account: WithKeys): MemberEvent[] => {
  const { memberId, invitationId, expiresAt, grantedBy } = data;
  const { role, issued } = present(account.members, memberId);
  // A repeat of an earlier request makes no link work again that was taken or replaced.
  if (issued.includes(invitationId)) return [];
  if (grantedBy === memberId)
    throw refuse('forbidden', { detail: 'Another owner invites you again: you may add a passkey yourself.' });
  refuseBeyondOwn(account, grantedBy, [role], metadata.at);
  return [{ type: 'MemberInvitedAgain.v1', data: { memberId, invitationId, expiresAt, invitedAt: metadata.at } }];
};

const join = ({ data, metadata }: JoinAccount, { members }: WithKeys): MemberEvent[] => {
  const { memberId, invitationId, passkey } = data;
  const { invitation } = present(members, memberId);
  const isOpen = invitation?.invitationId === invitationId && metadata.at < invitation.expiresAt;
  if (!isOpen) throw refuse('invalid_token', { detail: INVITATION_ENDED });
  return [{ type: 'MemberJoined.v1', data: { memberId, invitationId, passkey, joinedAt: metadata.at } }];
};

const addPasskey = ({ data, metadata }: AddPasskey, { members }: WithKeys): MemberEvent[] => {
  const { memberId, passkey } = data;
  const { passkeys } = present(members, memberId);
  if (passkeys.some(({ credentialId }) => credentialId === passkey.credentialId)) return [];
  if (passkeys.length >= MAX_PASSKEYS)
    throw refuse('account_state_conflict', { detail: `A member has at most ${MAX_PASSKEYS} passkeys.` });
  return [{ type: 'PasskeyAdded.v1', data: { memberId, passkey, addedAt: metadata.at } }];
};

const removePasskey = ({ data, metadata }: RemovePasskey, { members }: WithKeys): MemberEvent[] => {
  const { memberId, credentialId } = data;
  const { passkeys } = present(members, memberId);
  if (passkeys.every((passkey) => passkey.credentialId !== credentialId)) throw refuse('not_found');
  if (passkeys.length === 1)
    throw refuse('account_state_conflict', { detail: 'The last passkey stays: add another one first.' });
  return [{ type: 'PasskeyRemoved.v1', data: { memberId, credentialId, removedAt: metadata.at } }];
};

const change = ({ data, metadata }: ChangeMember<Envelope>, account: WithKeys): MemberEvent[] => {
  const { memberId, role, name, grantedBy } = data;
  const member = present(account.members, memberId);
  const events: MemberEvent[] = [];
  refuseBeyondOwn(account, grantedBy, [member.role], metadata.at);
  if (role !== undefined && role !== member.role) {
    refuseBeyondOwn(account, grantedBy, [role], metadata.at);
    refuseWithoutOwner(account.members, member);
    events.push({ type: 'MemberRoleChanged.v1', data: { memberId, role, changedAt: metadata.at } });
  }
  if (name !== undefined) events.push({ type: 'MemberRenamed.v1', data: { memberId, name, changedAt: metadata.at } });
  return events;
};

const remove = ({ data, metadata }: RemoveMember, account: WithKeys): MemberEvent[] => {
  const { memberId, grantedBy } = data;
  const member = account.members.get(memberId);
  if (member === undefined) throw refuse('not_found');
  if (member.status === 'removed') return [];
  refuseBeyondOwn(account, grantedBy, [member.role], metadata.at);
  refuseWithoutOwner(account.members, member);
  return [{ type: 'MemberRemoved.v1', data: { memberId, removedAt: metadata.at } }];
};

export const decideMembers = (command: MemberCommand, account: WithKeys): MemberEvent[] => {
  switch (command.type) {
    case 'InviteMember':
      return invite(command, account);
    case 'InviteMemberAgain':
      return inviteAgain(command, account);
    case 'JoinAccount':
      return join(command, account);
    case 'AddPasskey':
      return addPasskey(command, account);
    case 'RemovePasskey':
      return removePasskey(command, account);
    case 'ChangeMember':
      return change(command, account);
    case 'RemoveMember':
      return remove(command, account);
    default:
      return unreachable(command);
  }
};

const memberAfter = (member: Member, event: Exclude<MemberEvent, { type: 'MemberInvited.v1' }>): Member => {
  switch (event.type) {
    case 'MemberInvitedAgain.v1': {
      const { invitationId, expiresAt, invitedAt } = event.data;
      const issued = [...member.issued, invitationId];
      return { ...member, invitedAt, issued, invitation: { invitationId, expiresAt } };
    }
    case 'MemberJoined.v1': {
      const { passkey, joinedAt } = event.data;
      return {
        ...member,
        status: 'active',
        joinedAt,
        invitation: null,
        passkeys: passkey === null ? member.passkeys : [passkey],
      };
    }
    case 'PasskeyAdded.v1':
      return { ...member, passkeys: [...member.passkeys, event.data.passkey] };
    case 'PasskeyRemoved.v1': {
      const { credentialId } = event.data;
      return { ...member, passkeys: member.passkeys.filter((passkey) => passkey.credentialId !== credentialId) };
    }
    case 'MemberRoleChanged.v1':
      return { ...member, role: event.data.role };
    case 'MemberRenamed.v1':
      return member;
    case 'MemberRemoved.v1':
      return { ...member, status: 'removed', invitation: null, passkeys: [] };
    default:
      return unreachable(event);
  }
};

/** Changes the map in place, as the keys of an account. */
export const applyMember = (members: Map<string, Member>, event: MemberEvent): void => {
  const { memberId } = event.data;
  if (event.type === 'MemberInvited.v1') {
    const { role, invitedAt, invitationId, expiresAt } = event.data;
    const invitation = { invitationId, expiresAt };
    const begun = {
      memberId,
      role,
      invitedAt,
      invitation,
      issued: [invitationId],
      joinedAt: null,
      passkeys: [],
    } as const;
    members.set(memberId, { ...begun, status: 'invited' });
    return;
  }
  const member = members.get(memberId);
  if (member !== undefined) members.set(memberId, memberAfter(member, event));
};
