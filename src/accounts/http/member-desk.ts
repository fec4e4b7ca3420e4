import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { type Clock } from '../../kernel/clock.js';
import { memberIdOf, type TenantId } from '../../kernel/ids.js';
import { invariant } from '../../kernel/invariant.js';
import { refuse } from '../../kernel/rejection.js';
import { noteChanges } from '../../http/operator-trail.js';
import { CLOCK } from '../../platform/tokens.js';
import { AccountReader } from '../account-reader.js';
import { ApiKeyUsage, type LastUse } from '../api-key-usage.js';
import { type AccountRecord } from '../domain/account-record.js';
import { type Member } from '../domain/members.js';
import { ChangeMember, InviteMember, InviteMemberAgain, RemoveMember } from '../domain/member.commands.js';
import { Invitations } from '../members/invitations.js';
import { auditedMetadataOf, effectIdOf, type ManagementContext } from './command-metadata.js';
import {
  type ChangeMemberBody,
  type ChangedMemberResponse,
  type InviteMemberBody,
  type MemberResponse,
} from './members.dto.js';

type Command = InviteMember | InviteMemberAgain | ChangeMember | RemoveMember;

/** What owners and operators do with the members of an account. `grantedBy`: the caller; null for an operator. */
@Injectable()
export class MemberDesk {
  constructor(
    private readonly commands: CommandBus,
    private readonly reader: AccountReader,
    private readonly invitations: Invitations,
    private readonly usage: ApiKeyUsage,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Names and addresses are withheld if `withNames` is false. */
  async list(record: AccountRecord, withNames: boolean): Promise<MemberResponse[]> {
    const lastUses = await this.usage.of(record.tenantId);
    const members = [...record.account.members.values()];
    return Promise.all(
      members.map(async (member) => {
        const person = withNames ? record.people.get(member.memberId) : undefined;
        const [name, email] = [
          await this.reader.open(record, person?.name),
          await this.reader.open(record, person?.email),
        ];
        return Object.assign(shown(member, lastUses), { name, email });
      }),
    );
  }

  /** Throws where no one could take an invitation. */
  assertInvites(): void {
    this.invitations.expiry();
  }

  async invite(
    tenantId: TenantId,
    { email, name, role }: InviteMemberBody,
    grantedBy: string | null,
    context: ManagementContext,
  ): Promise<ChangedMemberResponse> {
    const memberId = memberIdOf(effectIdOf(context, 'member'));
    const record = await this.reader.require(tenantId);
    await this.refuseSecondOf(email, record, memberId);
    const comparedWith = record.account.members.size;
    const invitation = { invitationId: effectIdOf(context, 'invitation'), expiresAt: this.invitations.expiry() };
    const data = { memberId, email, name, role, ...invitation, grantedBy, comparedWith };
    const metadata = auditedMetadataOf(context, this.clock, 'member_invited', { memberId });
    return this.perform(new InviteMember(tenantId, data, metadata), context);
  }

  /** The earlier invitation ends. */
  async inviteAgain(
    tenantId: TenantId,
    memberId: string,
    grantedBy: string | null,
    context: ManagementContext,
  ): Promise<ChangedMemberResponse> {
    const invitation = { invitationId: effectIdOf(context, 'invitation'), expiresAt: this.invitations.expiry() };
    const data = { memberId, ...invitation, grantedBy };
    const metadata = auditedMetadataOf(context, this.clock, 'member_invited', { memberId });
    return this.perform(new InviteMemberAgain(tenantId, data, metadata), context);
  }

  async change(
    tenantId: TenantId,
    memberId: string,
    { name, role }: ChangeMemberBody,
    grantedBy: string | null,
    context: ManagementContext,
  ): Promise<ChangedMemberResponse> {
    // A name is sealed before the decision: it makes no key for a member that is not there.
    if (!(await this.reader.require(tenantId)).people.has(memberId)) throw refuse('not_found');
    const wanted = { ...(name === undefined ? {} : { name }), ...(role === undefined ? {} : { role }) };
    const data = { memberId, grantedBy, ...wanted };
    const metadata = auditedMetadataOf(context, this.clock, 'member_changed', { memberId });
    return this.perform(new ChangeMember(tenantId, data, metadata), context);
  }

  async remove(
    tenantId: TenantId,
    memberId: string,
    grantedBy: string | null,
    context: ManagementContext,
  ): Promise<void> {
    const metadata = auditedMetadataOf(context, this.clock, 'member_removed', { memberId });
    await this.perform(new RemoveMember(tenantId, { memberId, grantedBy }, metadata), context);
  }

  private async perform(command: Command, context: ManagementContext): Promise<ChangedMemberResponse> {
    const { record, changes } = await this.commands.execute(command);
    noteChanges(context, changes);
    const member = record.account.members.get(command.data.memberId);
    invariant(member !== undefined, 'a changed member stands in its account');
    return shown(member, await this.usage.of(command.tenantId));
  }

  /** One person has one membership of an account. */
  private async refuseSecondOf(email: string, record: AccountRecord, memberId: string): Promise<void> {
    const others = [...record.people].filter(([id]) => id !== memberId);
    const addresses = await Promise.all(others.map(([, person]) => this.reader.open(record, person.email)));
    if (addresses.some((address) => address?.toLowerCase() === email.toLowerCase()))
      throw refuse('account_state_conflict', { detail: 'A member of the account has this address already.' });
  }
}

const shown = (member: Member, lastUses: ReadonlyMap<string, LastUse>): ChangedMemberResponse => ({
  member_id: member.memberId,
  role: member.role,
  status: member.status,
  passkeys: member.passkeys.length,
  invited_at: member.invitedAt,
  invitation_expires_at: member.invitation?.expiresAt ?? null,
  joined_at: member.joinedAt,
  last_seen_at: lastUses.get(member.memberId)?.at.toISOString() ?? null,
});
