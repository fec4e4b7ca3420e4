import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Context, RequiresKey } from '../../http/access.js';
import { RespondsWith } from '../../http/responses.js';
import { AccountReader } from '../account-reader.js';
import { type KeyContext } from './command-metadata.js';
import { MemberDesk } from './member-desk.js';
import { ChangedMemberResponse, ChangeMemberBody, InviteMemberBody, MembersResponse } from './members.dto.js';

/** The people of an account, who sign in to the console. */
@ApiTags('Members')
@Controller('api/v1/members')
export class MembersController {
  constructor(
    private readonly desk: MemberDesk,
    private readonly reader: AccountReader,
  ) {}

  @Get()
  @RequiresKey('members')
  @RespondsWith(200, { summary: 'List the members', type: MembersResponse })
  async listMembers(@Context() context: KeyContext): Promise<MembersResponse> {
    return { members: await this.desk.list(await this.reader.require(context.principal.tenantId), true) };
  }

  @Post()
  @RequiresKey('members')
  @RespondsWith(201, {
    summary: 'Invite a person by e-mail',
    type: ChangedMemberResponse,
    refuses: ['CONFLICT'],
  })
  async inviteMember(@Body() body: InviteMemberBody, @Context() context: KeyContext): Promise<ChangedMemberResponse> {
    const { tenantId, actorId } = context.principal;
    return this.desk.invite(tenantId, body, actorId, context);
  }

  @Patch(':member_id')
  @RequiresKey('members')
  @RespondsWith(200, { summary: 'Change a member’s name or role', type: ChangedMemberResponse, refuses: ['CONFLICT'] })
  async changeMember(
    @Param('member_id') memberId: string,
    @Body() body: ChangeMemberBody,
    @Context() context: KeyContext,
  ): Promise<ChangedMemberResponse> {
    const { tenantId, actorId } = context.principal;
    return this.desk.change(tenantId, memberId, body, actorId, context);
  }

  @Post(':member_id/invite')
  @HttpCode(200)
  @RequiresKey('members')
  @RespondsWith(200, {
    summary: 'Send an invitation again, also to a member who lost all passkeys',
    type: ChangedMemberResponse,
  })
  async inviteMemberAgain(
    @Param('member_id') memberId: string,
    @Context() context: KeyContext,
  ): Promise<ChangedMemberResponse> {
    const { tenantId, actorId } = context.principal;
    return this.desk.inviteAgain(tenantId, memberId, actorId, context);
  }

  @Delete(':member_id')
  @RequiresKey('members')
  @RespondsWith(204, {
    summary: 'Remove a member: sessions end, name and address are destroyed',
    refuses: ['CONFLICT'],
  })
  async removeMember(@Param('member_id') memberId: string, @Context() context: KeyContext): Promise<void> {
    const { tenantId, actorId } = context.principal;
    await this.desk.remove(tenantId, memberId, actorId, context);
  }
}
