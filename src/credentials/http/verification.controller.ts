import { Body, Controller, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Charging, type Conclusion } from '../../kernel/charging.js';
import { Context, RequiresKey } from '../../http/access.js';
import { type RequestContext, type TenantPrincipal } from '../../http/request-context.js';
import { charged, type RawResponse, RespondsWith } from '../../http/responses.js';
import { CredentialVerifier } from '../credential-verifier.js';
import { VerifyBody } from './credentials.dto.js';
import { toVerificationResponse, VERIFICATION_EXAMPLES, VerificationResponse } from './credentials.response.js';

@ApiTags('Credentials')
@Controller('api/v1/verify')
export class VerificationController {
  constructor(
    private readonly charging: Charging,
    private readonly verifier: CredentialVerifier,
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
    @Body() { token, public_key_pem: publicKey }: VerifyBody,
    @Context() context: RequestContext<TenantPrincipal>,
  ): Promise<RawResponse> {
    await this.verifier.assertCurrent();
    const answer = await this.charging.charge({
      tenantId: context.principal.tenantId,
      operation: 'verify_credential',
      access: context,
      caps: context.principal.caps,
      keyed: context.keyed,
      kind: 'look_up',
      run: () => this.verifier.verify(token, publicKey),
      conclude: (verification): Conclusion => ({
        action: 'credential_verified',
        result: verification.valid ? 'valid' : 'invalid',
        status: 200,
        identityHash: verification.identityHash,
        body: toVerificationResponse(verification),
      }),
    });
    return charged(answer);
  }
}
