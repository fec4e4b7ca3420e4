import { Controller, HttpCode, Param, Post, Req } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiTags } from '@nestjs/swagger';
import { type FastifyRequest } from 'fastify';
import { Context, Public, ReadsBody, TakesBody } from '../../../http/access.js';
import { type AnonymousPrincipal, type RequestContext } from '../../../http/request-context.js';
import { RawResponse, RespondsWith } from '../../../http/responses.js';
import { type AccessRecord } from '../../../kernel/access.js';
import { AccountStandings } from '../../../kernel/account-standings.js';
import { Charging, type Conclusion } from '../../../kernel/charging.js';
import { PRESENTATION_BODY } from '../../../http/server-options.js';
import { isUuid } from '../../../kernel/ids.js';
import { refuse } from '../../../kernel/rejection.js';
import { CredentialVerifier } from '../../credential-verifier.js';
import { toVerificationResponse } from '../../http/credentials.response.js';
import { PidVerifier } from '../pids/pid-verifier.js';
import { type PresentationRequest, PresentationRequests } from '../presentation-requests.js';
import { PresentationVerifier } from '../presentation-verifier.js';
import { WalletRefusal } from '../../wallets/wallet-refusal.js';
import { PresentationAnswerBody } from './presentations.dto.js';

/** Requests a minute from one address. Many wallets may share one. */
const PER_MINUTE = 300;

/** Takes what wallets show to who asked (OpenID4VP 1.0). */
@ApiTags('Wallets')
@Controller('openid4vp/responses')
export class PresentationAnswersController {
  constructor(
    private readonly requests: PresentationRequests,
    private readonly verifier: CredentialVerifier,
    private readonly presentations: PresentationVerifier,
    private readonly pids: PidVerifier,
    private readonly charging: Charging,
    private readonly accounts: AccountStandings,
  ) {}

  @Post(':presentation_id')
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
    await this.verifier.assertCurrent();
    const { request, presentation } = await this.requests.presentationIn(id, response);
    if ((await this.accounts.of(request.tenantId))?.suspended !== false) throw refuse('not_found');
    if (presentation === undefined)
      throw new WalletRefusal('invalid_request', 'response is not encrypted for this request, or shows nothing');
    await this.requests.once(request, (attempt) => this.verify(request, attempt, presentation, context));
    return new RawResponse(200, '{}');
  }

  /** The charge is of who asked, and carries the id of the presentation, so that the webhook and the audit log name it. */
  private async verify(
    request: PresentationRequest,
    attempt: string,
    presentation: string,
    { startedAt }: AccessRecord,
  ): Promise<void> {
    const { tenantId, nonce, requestId, claims, askedBy, caps } = request;
    const audience = await this.requests.audienceOf(request);
    await this.charging.charge({
      tenantId,
      operation: 'verify_credential',
      // Where the holder's wallet is says nothing to who asked.
      access: { requestId, actorId: askedBy, ipAddress: null, userAgent: '', startedAt },
      caps,
      kind: 'look_up',
      run: async (_deadline, chargeId) => {
        // After a failure the wallet may show the same again.
        const expected = { nonce, audience, tenantId, attempt: requestId, claims };
        const verification = await (request.credential === 'pid'
          ? this.pids.verify(presentation, expected)
          : this.presentations.verifyOwn(presentation, expected));
        const { identityHash } = verification;
        await this.requests.keep(request, attempt, chargeId, {
          verification: toVerificationResponse(verification),
          identityHash,
        });
        return verification;
      },
      conclude: (verification): Conclusion => ({
        action: 'credential_verified',
        result: verification.valid ? 'valid' : 'invalid',
        status: 200,
        identityHash: verification.identityHash,
        body: toVerificationResponse(verification),
      }),
    });
  }
}
