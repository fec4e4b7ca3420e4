import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Context, RequiresRole } from '../../http/access.js';
import { RespondsWith } from '../../http/responses.js';
import { AccountReader } from '../account-reader.js';
import { type OperatorContext } from './command-metadata.js';
import { MemberDesk } from './member-desk.js';
import { ChangedMemberResponse, ChangeMemberBody, InviteMemberBody, MembersResponse } from './members.dto.js';

/** Lets operators help an account whose owners are all gone. */
@ApiTags('Operators')
@Controller('admin/accounts/:id/members')
export class AdminMembersController {
  constructor(
    private readonly desk: MemberDesk,
    private readonly reader: AccountReader,
  ) {}

  @Get()
  @RequiresRole('admin', 'support')
  @RespondsWith(200, { summary: 'List the members of an account', type: MembersResponse })
  async listAccountMembers(@Param('id') id: string, @Context() context: OperatorContext): Promise<MembersResponse> {
    return { members: await this.desk.list(await this.reader.require(id), context.principal.roles.has('admin')) };
  }

  @Post()
  @RequiresRole('admin')
  @RespondsWith(201, {
    summary: 'Invite a person to an account by e-mail',
    type: ChangedMemberResponse,
    refuses: ['CONFLICT'],
  })
  async inviteAccountMember(
    @Param('id') id: string,
    @Body() body: InviteMemberBody,
    @Context() context: OperatorContext,
  ): Promise<ChangedMemberResponse> {
    const { tenantId } = await this.reader.require(id);
    return this.desk.invite(tenantId, body, null, context);
  }

  @Patch(':member_id')
  @RequiresRole('admin')
  @RespondsWith(200, { summary: 'Change a member’s name or role', type: ChangedMemberResponse, refuses: ['CONFLICT'] })
  async changeAccountMember(
    @Param('id') id: string,
    @Param('member_id') memberId: string,
    @Body() body: ChangeMemberBody,
    @Context() context: OperatorContext,
  ): Promise<ChangedMemberResponse> {
    const { tenantId } = await this.reader.require(id);
    return this.desk.change(tenantId, memberId, body, null, context);
  }

  @Post(':member_id/invite')
  @HttpCode(200)
  @RequiresRole('admin')
  @RespondsWith(200, {
    summary: 'Send an invitation again, also to a member who lost all passkeys',
    type: ChangedMemberResponse,
  })
  async inviteAccountMemberAgain(
    @Param('id') id: string,
    @Param('member_id') memberId: string,
    @Context() context: OperatorContext,
  ): Promise<ChangedMemberResponse> {
    const { tenantId } = await this.reader.require(id);
    return this.desk.inviteAgain(tenantId, memberId, null, context);
  }

  @Delete(':member_id')
  @RequiresRole('admin')
  @RespondsWith(204, {
    summary: 'Remove a member: sessions end, name and address are destroyed',
    refuses: ['CONFLICT'],
  })
  async removeAccountMember(
    @Param('id') id: string,
    @Param('member_id') memberId: string,
    @Context() context: OperatorContext,
  ): Promise<void> {
    const { tenantId } = await this.reader.require(id);
    await this.desk.remove(tenantId, memberId, null, context);
  }
}
