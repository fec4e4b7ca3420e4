import { Body, Controller, Delete, Get, Param, Post, Query } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { shownActor } from '../../kernel/audit-actors.js';
import { newUuid } from '../../kernel/ids.js';
import { refuse } from '../../kernel/rejection.js';
import { Context, RequiresKey } from '../../http/access.js';
import { RespondsWith } from '../../http/responses.js';
import { EmailField, IntegerField, PhoneField } from '../../http/fields.js';
import { type RequestContext, type TenantPrincipal } from '../../http/request-context.js';
import { AnswerErasure, DeleteIdentity, EraseIdentity, type ErasureState, RestoreIdentity } from '../commands.js';
import { Persons } from '../../kernel/persons.js';
import { ReviewRules } from '../../kernel/review-rules.js';
import { ErasureCertificates } from '../erasure-certificates.js';
import { IdentityLife } from '../identity-life.js';
import { IdentityReader } from '../identity-reader.js';
import {
  DeletionResponse,
  ErasureCertificateResponse,
  ErasureProposalResponse,
  ErasureResponse,
  IdentityLifeResponse,
  IdentityResponse,
  IdentityListResponse,
  lifeStatus,
  RestorationResponse,
  toIdentityResponse,
  toLifeStep,
} from './identity.response.js';
import { ErasureAnswerBody, ErasureReasonBody } from './reason.dto.js';

class PersonQuery {
  @EmailField()
  email!: string;

  @PhoneField()
  phone_number!: string;
}

class LifeQuery {
  @IntegerField({ min: 1, max: 1_000, default: 100 })
  limit = 100;
}

type Caller = RequestContext<TenantPrincipal>;

const IDENTITY_ID = /^idn_[0-9a-f]{32}$/;

const checkedId = (identityId: string): string => {
  if (!IDENTITY_ID.test(identityId)) throw refuse('not_found');
  return identityId;
};

const erasureOf = (identityId: string, status: ErasureState): ErasureResponse => ({
  identity_id: identityId,
  status,
  certificate: status === 'erasing' ? `/api/v1/identity/${identityId}/erasure-certificate` : null,
});

@ApiTags('Identities')
@Controller('api/v1')
export class IdentitiesController {
  constructor(
    private readonly commands: CommandBus,
    private readonly rules: ReviewRules,
    private readonly persons: Persons,
    private readonly reader: IdentityReader,
    private readonly life: IdentityLife,
    private readonly certificates: ErasureCertificates,
  ) {}

  @Get('identities')
  @RequiresKey('data')
  @RespondsWith(200, { summary: 'Find the id of an identity by e-mail and phone', type: IdentityListResponse })
  findIdentity(@Query() query: PersonQuery, @Context() context: Caller): Promise<IdentityListResponse> {
    return this.identitiesOf(query, context);
  }

  @Post('identities/search')
  @RequiresKey('data', { isRead: true })
  @RespondsWith(200, {
    summary: 'The same as GET /api/v1/identities, with nothing personal in the URL',
    type: IdentityListResponse,
  })
  searchIdentities(@Body() body: PersonQuery, @Context() context: Caller): Promise<IdentityListResponse> {
    return this.identitiesOf(body, context);
  }

  @Get('identity/:id')
  @RequiresKey('data')
  @RespondsWith(200, { summary: 'The record of an identity', type: IdentityResponse })
  async getIdentity(@Param('id') id: string, @Context() context: Caller): Promise<IdentityResponse> {
    const opened = await this.reader.read(context.principal.tenantId, checkedId(id), context);
    if (opened === undefined) throw refuse('not_found');
    return toIdentityResponse(opened);
  }

  @Get('identity/:id/life')
  @RequiresKey('data')
  @RespondsWith(200, { summary: 'What happened to an identity, newest first', type: IdentityLifeResponse })
  async getIdentityLife(
    @Param('id') id: string,
    @Query() { limit }: LifeQuery,
    @Context() context: Caller,
  ): Promise<IdentityLifeResponse> {
    const identityId = checkedId(id);
    const steps = await this.life.read(context.principal.tenantId, identityId, limit, context);
    if (steps === undefined) throw refuse('not_found');
    return { identity_id: identityId, life: steps.map(toLifeStep) };
  }

  @Delete('identity/:id')
  @RequiresKey('data')
  @RespondsWith(202, {
    summary: 'Delete an identity: at once from every answer, for good after 30 days',
    type: DeletionResponse,
  })
  async deleteIdentity(@Param('id') id: string, @Context() context: Caller): Promise<DeletionResponse> {
    const identityId = checkedId(id);
    const { deletedAt, purgeAt } = await this.commands.execute(
      new DeleteIdentity({ tenantId: context.principal.tenantId, identityId, changeId: newUuid(), access: context }),
    );
    return { identity_id: identityId, status: 'soft_deleted', deleted_at: deletedAt, purge_at: purgeAt };
  }

  @Post('identity/:id/erase')
  @RequiresKey('data')
  @RespondsWith(202, {
    summary: 'Erase an identity by request of the person: for good, without a grace period',
    description: 'It is gone from every answer at once, and its keys within minutes; then the certificate is there.',
    type: ErasureResponse,
  })
  async eraseIdentity(
    @Param('id') id: string,
    @Body() { reason }: ErasureReasonBody,
    @Context() context: Caller,
  ): Promise<ErasureResponse> {
    const identityId = checkedId(id);
    const { tenantId } = context.principal;
    const changeId = context.keyed?.effectId('erasure') ?? newUuid();
    const repeated = context.keyed?.repeated === true;
    const needsTwo = await this.rules.erasureNeedsTwo(tenantId);
    const status = await this.commands.execute(
      new EraseIdentity({ tenantId, identityId, changeId, repeated, reason, needsTwo, access: context }),
    );
    return erasureOf(identityId, status);
  }

  @Get('identity/:id/erase')
  @RequiresKey('data')
  @RespondsWith(200, {
    summary: 'The erasure of an identity that waits for a second person',
    type: ErasureProposalResponse,
  })
  async getErasureProposal(
    @Param('id') id: string,
    @Context() { principal: { tenantId } }: Caller,
  ): Promise<ErasureProposalResponse> {
    const proposal = await this.reader.erasureProposal(tenantId, checkedId(id));
    if (proposal === undefined) throw refuse('not_found');
    const { proposalId, by, at } = proposal;
    return { proposal_id: proposalId, proposed_by: shownActor(by), proposed_at: at };
  }

  @Post('identity/:id/erase/approve')
  @RequiresKey('data')
  @RespondsWith(202, {
    summary: 'Approve, as a second person, the proposed erasure of an identity',
    type: ErasureResponse,
    refuses: ['CONFLICT'],
  })
  approveErasure(
    @Param('id') id: string,
    @Body() body: ErasureAnswerBody,
    @Context() context: Caller,
  ): Promise<ErasureResponse> {
    return this.answerErasure(id, true, body, context);
  }

  @Post('identity/:id/erase/reject')
  @RequiresKey('data')
  @RespondsWith(200, {
    summary: 'Reject the proposed erasure of an identity, or take it back',
    type: ErasureResponse,
    refuses: ['CONFLICT'],
  })
  rejectErasure(
    @Param('id') id: string,
    @Body() body: ErasureAnswerBody,
    @Context() context: Caller,
  ): Promise<ErasureResponse> {
    return this.answerErasure(id, false, body, context);
  }

  private async answerErasure(
    id: string,
    isApproved: boolean,
    { reason, proposal_id: proposalId }: ErasureAnswerBody,
    context: Caller,
  ): Promise<ErasureResponse> {
    const identityId = checkedId(id);
    const { tenantId, actorId } = context.principal;
    const areApart = await this.persons.of(tenantId);
    const isAnother = (proposer: string): boolean => areApart(proposer, actorId);
    const changeId = context.keyed?.effectId(isApproved ? 'approval' : 'rejection') ?? newUuid();
    const repeated = context.keyed?.repeated === true;
    const answer = {
      tenantId,
      identityId,
      changeId,
      repeated,
      reason,
      proposalId,
      isApproved,
      isAnother,
      access: context,
    };
    return erasureOf(identityId, await this.commands.execute(new AnswerErasure(answer)));
  }

  @Post('identity/:id/restore')
  @RequiresKey('data')
  @RespondsWith(200, {
    summary: 'Restore a deleted identity within 30 days',
    type: RestorationResponse,
    refuses: ['CONFLICT'],
  })
  async restoreIdentity(@Param('id') id: string, @Context() context: Caller): Promise<RestorationResponse> {
    const identityId = checkedId(id);
    const { tenantId } = context.principal;
    const changeId = context.keyed?.effectId('restoration') ?? newUuid();
    const repeated = context.keyed?.repeated === true;
    await this.commands.execute(new RestoreIdentity({ tenantId, identityId, changeId, repeated, access: context }));
    return { identity_id: identityId, status: 'active' };
  }

  @Get('identity/:id/erasure-certificate')
  @RequiresKey('data')
  @RespondsWith(200, { summary: 'The signed certificate of a hard deletion', type: ErasureCertificateResponse })
  async getErasureCertificate(
    @Param('id') id: string,
    @Context() context: Caller,
  ): Promise<ErasureCertificateResponse> {
    const erased = await this.certificates.latest(context.principal.tenantId, checkedId(id));
    if (erased === undefined) throw refuse('not_found');
    return { identity_id: erased.identityId, erased_at: erased.erasedAt, certificate: erased.certificate };
  }

  private async identitiesOf(query: PersonQuery, context: Caller): Promise<IdentityListResponse> {
    const person = { email: query.email, phone: query.phone_number };
    const found = await this.reader.lookUp(context.principal.tenantId, person, context);
    if (found === undefined) return { identities: [] };
    return { identities: [{ identity_id: found.identityId, status: lifeStatus(found.identity) }] };
  }
}
