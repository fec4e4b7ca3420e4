import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { isUuid, newUuid } from '../../kernel/ids.js';
import { refuse } from '../../kernel/rejection.js';
import { Context, RequiresKey } from '../../http/access.js';
import { paginationOf } from '../../http/pagination.js';
import { type RequestContext, type TenantPrincipal } from '../../http/request-context.js';
import { RespondsWith } from '../../http/responses.js';
import { ChangeCredential } from '../commands.js';
import { CredentialReader } from '../credential-reader.js';
import { credentialIdOf } from '../domain/credential-claims.js';
import { ChangeBody, CredentialsQuery, RevocationBody } from './credentials.dto.js';
import {
  CredentialChangeResponse,
  CredentialListResponse,
  CredentialResponse,
  toChangeResponse,
  toCredentialResponse,
  toSummary,
} from './credentials.response.js';

type Caller = RequestContext<TenantPrincipal>;

/** A jti, or the UUID in it. */
const checkedId = (jti: string): string => {
  const credentialId = credentialIdOf(jti);
  if (!isUuid(credentialId)) throw refuse('not_found');
  return credentialId;
};

@ApiTags('Credentials')
@Controller('api/v1/credentials')
export class CredentialsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly reader: CredentialReader,
  ) {}

  @Get()
  @RequiresKey('credentials')
  @RespondsWith(200, { summary: 'The credentials that you issued, newest first', type: CredentialListResponse })
  async listCredentials(@Query() query: CredentialsQuery, @Context() context: Caller): Promise<CredentialListResponse> {
    const { status, identity_id: identityId } = query;
    const filter = { tenantId: context.principal.tenantId, status, identityId };
    const { rows, total } = await this.reader.page(filter, query, context);
    return { credentials: rows.map(toSummary), pagination: paginationOf(query, { total, shown: rows.length }) };
  }

  @Get(':jti')
  @RequiresKey('credentials')
  @RespondsWith(200, { summary: 'A credential that you issued, with its token', type: CredentialResponse })
  async getCredential(@Param('jti') jti: string, @Context() context: Caller): Promise<CredentialResponse> {
    const target = { tenantId: context.principal.tenantId, credentialId: checkedId(jti) };
    return toCredentialResponse(await this.reader.read(target, context));
  }

  @Post(':jti/revoke')
  @RequiresKey('credentials')
  @RespondsWith(200, { summary: 'Revoke a credential for good', type: CredentialChangeResponse })
  revokeCredential(
    @Param('jti') jti: string,
    @Body() { reason }: RevocationBody,
    @Context() context: Caller,
  ): Promise<CredentialChangeResponse> {
    return this.change('revoke', jti, reason, context);
  }

  @Post(':jti/suspend')
  @RequiresKey('credentials')
  @RespondsWith(200, { summary: 'Suspend a credential', type: CredentialChangeResponse, refuses: ['CONFLICT'] })
  suspendCredential(
    @Param('jti') jti: string,
    @Body() { reason }: ChangeBody,
    @Context() context: Caller,
  ): Promise<CredentialChangeResponse> {
    return this.change('suspend', jti, reason, context);
  }

  @Post(':jti/reinstate')
  @RequiresKey('credentials')
  @RespondsWith(200, {
    summary: 'Put a suspended credential back into force',
    type: CredentialChangeResponse,
    refuses: ['CONFLICT'],
  })
  reinstateCredential(
    @Param('jti') jti: string,
    @Body() { reason }: ChangeBody,
    @Context() context: Caller,
  ): Promise<CredentialChangeResponse> {
    return this.change('reinstate', jti, reason, context);
  }

  private async change(
    change: 'revoke' | 'suspend' | 'reinstate',
    jti: string,
    reason: string | undefined,
    context: Caller,
  ): Promise<CredentialChangeResponse> {
    const target = { tenantId: context.principal.tenantId, credentialId: checkedId(jti) };
    const changeId = context.keyed?.effectId(change) ?? newUuid();
    const repeated = context.keyed?.repeated === true;
    await this.commands.execute(
      new ChangeCredential({ ...target, change, reason, changeId, repeated, access: context }),
    );
    return toChangeResponse(await this.reader.open(target));
  }
}
