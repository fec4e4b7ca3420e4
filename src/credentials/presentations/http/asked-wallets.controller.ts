import { Controller, Get, HttpCode, Param, Post, Req } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiTags } from '@nestjs/swagger';
import { type FastifyRequest } from 'fastify';
import { Context, Public, ReadsBody, TakesBody } from '../../../http/access.js';
import { type AnonymousPrincipal, type RequestContext } from '../../../http/request-context.js';
import { RawResponse, RespondsWith } from '../../../http/responses.js';
import { type AccessRecord } from '../../../kernel/access.js';
import { type Caps, Charging } from '../../../kernel/charging.js';
import { PRESENTATION_BODY } from '../../../http/server-options.js';
import { isUuid } from '../../../kernel/ids.js';
import { refuse } from '../../../kernel/rejection.js';
import { Spenders } from '../../../kernel/spenders.js';
import { CredentialVerifier } from '../../credential-verifier.js';
import { conclusionOf, toVerificationResponse } from '../../http/credentials.response.js';
import { PidVerifier } from '../pids/pid-verifier.js';
import { type PresentationRequest, PresentationRequests } from '../presentation-requests.js';
import { PresentationVerifier } from '../presentation-verifier.js';
import { WalletRefusal } from '../../wallets/wallet-refusal.js';
import { PresentationAnswerBody } from './presentations.dto.js';

/** Requests a minute from one address. Many wallets may share one. */
const PER_MINUTE = 300;

const SIGNED_REQUEST = 'application/oauth-authz-req+jwt';

/** What a wallet that is asked calls (OpenID4VP 1.0). */
@ApiTags('Wallets')
@Controller('openid4vp')
export class AskedWalletsController {
  constructor(
    private readonly requests: PresentationRequests,
    private readonly registry: CredentialVerifier,
    private readonly presentations: PresentationVerifier,
    private readonly pids: PidVerifier,
    private readonly charging: Charging,
    private readonly spenders: Spenders,
  ) {}

  @Get('requests/:presentation_id')
  @Public({ perMinute: PER_MINUTE })
  @RespondsWith(200, {
    summary: 'Where a wallet reads what it is asked for, signed; while it may answer',
    content: [{ type: SIGNED_REQUEST, example: 'eyJhbGciOiJFUzI1NiJ9.e30.c2lnbmF0dXJl' }],
  })
  async getPresentationRequest(@Param('presentation_id') id: string): Promise<RawResponse> {
    if (!isUuid(id)) throw refuse('not_found');
    return new RawResponse(200, await this.requests.signedRequest(id), {}, SIGNED_REQUEST);
  }

  @Post('responses/:presentation_id')
  @HttpCode(200)
  @Public({ perMinute: PER_MINUTE })
  @ReadsBody('form')
  @TakesBody(PRESENTATION_BODY)
  @ApiConsumes('application/x-www-form-urlencoded', 'application/json')
  @ApiBody({ type: PresentationAnswerBody })
  @RespondsWith(200, {
    summary: 'Where a wallet shows what it was asked for',
    content: [{ type: 'application/json', format: 'object', example: {} }],
    refuses: ['WALLET_REFUSED', 'CREDITS_DEPLETED', 'INSUFFICIENT_CREDITS', 'KEY_CAP_REACHED'],
  })
  async takePresentation(
    @Param('presentation_id') id: string,
    @Req() { body }: FastifyRequest,
    @Context() context: RequestContext<AnonymousPrincipal>,
  ): Promise<RawResponse> {
    if (!isUuid(id)) throw refuse('not_found');
    const { response } = (body ?? {}) as { readonly response?: unknown };
    if (typeof response !== 'string') throw new WalletRefusal('invalid_request', 'response is missing');
    const { request, presentation } = await this.requests.presentationIn(id, response);
    const payer = await this.spenders.find(request.tenantId, request.askedBy);
    if (payer === undefined) throw refuse('not_found');
    if (presentation === undefined)
      throw new WalletRefusal('invalid_request', 'response is not encrypted for this request, or shows nothing');
    if (request.credential === 'attestation') await this.registry.assertCurrent();
    await this.requests.once(request, (attempt) => this.verify(request, attempt, presentation, payer.caps, context));
    return new RawResponse(200, '{}');
  }

  /** The requester pays. The presentation's id is the request id, so webhooks and the audit log name it. */
  private async verify(
    request: PresentationRequest,
    attempt: string,
    presentation: string,
    caps: Caps,
    { startedAt }: AccessRecord,
  ): Promise<void> {
    const { tenantId, nonce, clientId, requestId, claims, credential, askedBy } = request;
    const expected = { nonce, audience: clientId, claims };
    const verifier = credential === 'pid' ? this.pids : this.presentations;
    await this.charging.charge({
      tenantId,
      operation: 'verify_credential',
      // The requester must not learn the holder's address.
      access: { requestId, actorId: askedBy, ipAddress: null, userAgent: '', startedAt },
      caps,
      kind: 'look_up',
      chargeId: attempt,
      run: async () => {
        const verification = await verifier.verifyAnswer(presentation, expected);
        const { identityHash } = verification;
        await this.requests.keep(request, attempt, {
          verification: toVerificationResponse(verification),
          identityHash,
        });
        return verification;
      },
      conclude: conclusionOf,
    });
  }
}
