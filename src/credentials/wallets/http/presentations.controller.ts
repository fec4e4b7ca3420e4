import { Body, Controller, Get, Inject, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Context, RequiresKey } from '../../../http/access.js';
import { type RequestContext, type TenantPrincipal } from '../../../http/request-context.js';
import { RespondsWith } from '../../../http/responses.js';
import { AuditTrail } from '../../../kernel/access.js';
import { type Clock } from '../../../kernel/clock.js';
import { isUuid, newUuid } from '../../../kernel/ids.js';
import { refuse } from '../../../kernel/rejection.js';
import { CLOCK } from '../../../platform/tokens.js';
import { type VerificationResponse } from '../../http/credentials.response.js';
import { PresentationRequests } from '../presentation-requests.js';
import { NewPresentationResponse, PresentationBody, PresentationResponse } from './presentations.dto.js';

type Caller = RequestContext<TenantPrincipal>;

/** Asks wallets to show credentials of this network (OpenID4VP 1.0). */
@ApiTags('Credentials')
@Controller('api/v1/verify/request')
export class PresentationsController {
  constructor(
    private readonly requests: PresentationRequests,
    private readonly audit: AuditTrail,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  @Post()
  @RequiresKey('credentials')
  @RespondsWith(201, {
    summary: 'Ask a wallet to show claims; costs a verification once it does',
    type: NewPresentationResponse,
  })
  async requestPresentation(
    @Body() { claims }: PresentationBody,
    @Context() { principal }: Caller,
  ): Promise<NewPresentationResponse> {
    const { requestId, deepLink, expiresAt } = await this.requests.ask(principal, claims);
    return { presentation_id: requestId, deep_link: deepLink, expires_at: expiresAt.toISOString() };
  }

  @Get(':presentation_id')
  @RequiresKey('credentials')
  @RespondsWith(200, { summary: 'What a wallet was asked for, and what it showed', type: PresentationResponse })
  async getPresentation(
    @Param('presentation_id') id: string,
    @Context() context: Caller,
  ): Promise<PresentationResponse> {
    const { tenantId } = context.principal;
    if (!isUuid(id)) throw refuse('not_found');
    const { request, judged } = await this.requests.find(tenantId, id);
    if (judged !== null) {
      const { identityHash } = judged;
      const entry = { entryId: newUuid(), tenantId, action: 'credential_read', result: 'ok', access: context } as const;
      await this.audit.record({ ...entry, ...(identityHash === undefined ? {} : { identityHash }) });
    }
    const isOver = request.expiresAt <= this.clock.now();
    return {
      presentation_id: id,
      status: request.answeredAt !== null ? 'answered' : isOver ? 'expired' : 'waiting',
      claims: request.claims,
      expires_at: request.expiresAt.toISOString(),
      answered_at: request.answeredAt?.toISOString() ?? null,
      verification: (judged?.verification as VerificationResponse | undefined) ?? null,
    };
  }
}
