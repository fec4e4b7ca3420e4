import { Body, Controller, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Charging } from '../../kernel/charging.js';
import { Context, RequiresKey } from '../../http/access.js';
import { type RequestContext, type TenantPrincipal } from '../../http/request-context.js';
import { charged, type RawResponse, RespondsWith } from '../../http/responses.js';
import { refuse } from '../../kernel/rejection.js';
import { PresentationVerifier } from '../presentations/presentation-verifier.js';
import { isPresentation } from '../presentations/sd-jwt-parts.js';
import { CredentialVerifier } from '../credential-verifier.js';
import { VerifyBody } from './credentials.dto.js';
import { conclusionOf, VERIFICATION_EXAMPLES, VerificationResponse } from './credentials.response.js';

/** What a presentation must be bound to. Without it, whoever copied one could show it. */
const expectedOf = (nonce: string | undefined, audience: string | undefined) => {
  if (nonce === undefined)
    throw refuse('invalid_field', { field: 'nonce', detail: 'The nonce that you gave the wallet' });
  if (audience === undefined) throw refuse('invalid_field', { field: 'audience', detail: 'Who you are to the wallet' });
  return { nonce, audience };
};

@ApiTags('Credentials')
@Controller('api/v1/verify')
export class VerificationController {
  constructor(
    private readonly charging: Charging,
    private readonly verifier: CredentialVerifier,
    private readonly presentations: PresentationVerifier,
  ) {}

  @Post()
  @RequiresKey('credentials')
  @RespondsWith(200, {
    summary: 'Whether a credential is genuine and in force',
    type: VerificationResponse,
    examples: VERIFICATION_EXAMPLES,
    charged: 'verify_credential',
  })
  async verifyCredential(
    @Body() { token, public_key_pem: publicKey, nonce, audience }: VerifyBody,
    @Context() context: RequestContext<TenantPrincipal>,
  ): Promise<RawResponse> {
    await this.verifier.assertCurrent();
    const { tenantId } = context.principal;
    const expected = isPresentation(token) ? expectedOf(nonce, audience) : undefined;
    const answer = await this.charging.charge({
      tenantId,
      operation: 'verify_credential',
      access: context,
      caps: context.principal.caps,
      keyed: context.keyed,
      kind: 'look_up',
      run: (_deadline, attempt) =>
        expected === undefined
          ? this.verifier.verify(token, publicKey)
          : this.presentations.verify(token, publicKey, { ...expected, tenantId, attempt }),
      conclude: conclusionOf,
    });
    return charged(answer);
  }
}
