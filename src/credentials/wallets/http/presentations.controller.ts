import { Body, Controller, Get, HttpCode, Inject, Param, Post, Req } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiTags } from '@nestjs/swagger';
import { type FastifyRequest } from 'fastify';
import { Context, Public, ReadsBody, RequiresKey } from '../../../http/access.js';
import { type AnonymousPrincipal, type RequestContext, type TenantPrincipal } from '../../../http/request-context.js';
import { RawResponse, RespondsWith } from '../../../http/responses.js';
import { type AccessRecord, AuditTrail } from '../../../kernel/access.js';
import { Charging, type Conclusion } from '../../../kernel/charging.js';
import { type Clock } from '../../../kernel/clock.js';
import { isUuid, newUuid } from '../../../kernel/ids.js';
import { refuse } from '../../../kernel/rejection.js';
import { CLOCK } from '../../../platform/tokens.js';
import { CredentialVerifier } from '../../credential-verifier.js';
import { toVerificationResponse, type VerificationResponse } from '../../http/credentials.response.js';
import { type PresentationRequest, PresentationRequests } from '../presentation-requests.js';
import { PresentationVerifier } from '../presentation-verifier.js';
import { WalletRefusal } from '../wallet-refusal.js';
import {
  NewPresentationResponse,
  PresentationAnswerBody,
  PresentationBody,
  PresentationResponse,
} from './presentations.dto.js';

type Caller = RequestContext<TenantPrincipal>;

/** Requests a minute from one address. Many wallets may share one. */
const PER_MINUTE = 300;

/** Asks wallets to show credentials of this network (OpenID4VP 1.0). */
@ApiTags('Wallets')
@Controller()
export class PresentationsController {
  constructor(
    private readonly requests: PresentationRequests,
    private readonly verifier: CredentialVerifier,
    private readonly presentations: PresentationVerifier,
    private readonly charging: Charging,
    private readonly audit: AuditTrail,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  @Post('api/v1/verify/request')
  @RequiresKey('credentials')
  @RespondsWith(201, {
    summary: 'Ask a wallet to show claims; costs a verification once it does',
    type: NewPresentationResponse,
  })
  async requestPresentation(
    @Body() { claims }: PresentationBody,
    @Context() { principal }: Caller,
  ): Promise<NewPresentationResponse> {
    const { requestId, deepLink, expiresAt } = await this.requests.ask(principal.tenantId, claims);
    return { presentation_id: requestId, deep_link: deepLink, expires_at: expiresAt.toISOString() };
  }

  @Get('api/v1/verify/request/:presentation_id')
  @RequiresKey('credentials')
  @RespondsWith(200, { summary: 'What a wallet was asked for, and what it showed', type: PresentationResponse })
  async getPresentation(
    @Param('presentation_id') id: string,
    @Context() context: Caller,
  ): Promise<PresentationResponse> {
    const { tenantId } = context.principal;
    if (!isUuid(id)) throw refuse('not_found');
    const found = await this.requests.find(tenantId, id);
    if (found.answeredAt !== null) {
      const entry = { entryId: newUuid(), tenantId, action: 'credential_read', result: 'ok' } as const;
      await this.audit.record({ ...entry, access: context });
    }
    const isOver = found.expiresAt <= this.clock.now();
    return {
      presentation_id: id,
      status: found.answeredAt !== null ? 'answered' : isOver ? 'expired' : 'waiting',
      claims: found.claims,
      expires_at: found.expiresAt.toISOString(),
      answered_at: found.answeredAt?.toISOString() ?? null,
      verification: found.result as VerificationResponse | null,
    };
  }

  @Post('openid4vp/responses/:presentation_id')
  @HttpCode(200)
  @Public({ perMinute: PER_MINUTE })
  @ReadsBody('form')
  @ApiConsumes('application/x-www-form-urlencoded', 'application/json')
  @ApiBody({ type: PresentationAnswerBody })
  @RespondsWith(200, {
    summary: 'Where a wallet shows what it was asked for',
    content: [{ type: 'application/json', format: 'object', example: {} }],
    refuses: ['WALLET_REFUSED', 'CREDITS_DEPLETED', 'INSUFFICIENT_CREDITS'],
  })
  async takePresentation(
    @Param('presentation_id') id: string,
    @Req() { body }: FastifyRequest,
    @Context() context: RequestContext<AnonymousPrincipal>,
  ): Promise<RawResponse> {
    if (!isUuid(id)) throw refuse('not_found');
    const { response } = (body ?? {}) as { readonly response?: unknown };
    if (typeof response !== 'string') throw new WalletRefusal('invalid_request', 'response is missing');
    await this.verifier.assertCurrent();
    const { request, presentation } = await this.requests.presentationIn(id, response);
    if (presentation === undefined)
      throw new WalletRefusal('invalid_request', 'response is not encrypted for this request, or shows nothing');
    await this.requests.once(request, () => this.verify(request, presentation, context));
    return new RawResponse(200, '{}');
  }

  /** The charge carries the id of the presentation, so that the webhook and the audit log name it. */
  private async verify(
    request: PresentationRequest,
    presentation: string,
    context: AccessRecord,
  ): Promise<VerificationResponse> {
    const { tenantId, nonce, requestId } = request;
    const audience = await this.requests.audienceOf(request);
    const { body } = await this.charging.charge({
      tenantId,
      operation: 'verify_credential',
      access: { ...context, requestId },
      caps: undefined,
      kind: 'look_up',
      // After a failure the wallet may show the same again.
      run: () => this.presentations.verifyOwn(presentation, { nonce, audience, tenantId, attempt: requestId }),
      conclude: (verification): Conclusion => ({
        action: 'credential_verified',
        result: verification.valid ? 'valid' : 'invalid',
        status: 200,
        identityHash: verification.identityHash,
        body: toVerificationResponse(verification),
      }),
    });
    return JSON.parse(body) as VerificationResponse;
  }
}
