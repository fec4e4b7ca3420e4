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
import { TrustedIssuers } from '../pids/trusted-issuers.js';
import { PresentationRequests } from '../presentation-requests.js';
import { queryOf } from '../queries.js';
import { NewPresentationResponse, PresentationBody, PresentationResponse } from './presentations.dto.js';

type Caller = RequestContext<TenantPrincipal>;

/** Asks wallets to show credentials (OpenID4VP 1.0). */
@ApiTags('Credentials')
@Controller('api/v1/verify/request')
export class PresentationsController {
  constructor(
    private readonly requests: PresentationRequests,
    private readonly audit: AuditTrail,
    private readonly issuers: TrustedIssuers,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  @Post()
  @RequiresKey('credentials')
  @RespondsWith(201, {
    summary: 'Ask a wallet to show claims; costs a verification once it does',
    type: NewPresentationResponse,
  })
  async requestPresentation(
    @Body() asked: PresentationBody,
    @Context() { principal }: Caller,
  ): Promise<NewPresentationResponse> {
    this.assertAsked(asked);
    const { requestId, deepLink, expiresAt } = await this.requests.ask(principal, asked);
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
    const { request, verification } = await this.requests.find(tenantId, id);
    if (verification !== null) {
      const { identityHash } = request;
      const entry = { entryId: newUuid(), tenantId, action: 'credential_read', result: 'ok', access: context } as const;
      await this.audit.record({ ...entry, ...(identityHash === null ? {} : { identityHash }) });
    }
    const isOver = request.expiresAt <= this.clock.now();
    return {
      presentation_id: id,
      status: request.answeredAt !== null ? 'answered' : isOver ? 'expired' : 'waiting',
      credential: request.credential,
      claims: request.claims,
      expires_at: request.expiresAt.toISOString(),
      answered_at: request.answeredAt?.toISOString() ?? null,
      verification,
    };
  }

  private assertAsked({ credential, claims }: PresentationBody): void {
    if (credential === 'pid' && this.issuers.isEmpty)
      throw refuse('invalid_field', {
        field: 'credential',
        detail: 'This deployment trusts no issuer of person identification data (PID_TRUST_ANCHORS)',
      });
    const { claims: known } = queryOf(credential);
    const unknown = claims.find((claim) => !known.includes(claim));
    if (unknown !== undefined)
      throw refuse('invalid_field', { field: 'claims', detail: `${unknown} is none of ${known.join(', ')}` });
  }
}
