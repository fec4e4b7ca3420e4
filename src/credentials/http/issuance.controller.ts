import { Body, Controller, Inject, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { EligibilityQueries } from '../../../projections/eligibility/eligibility.queries.js';
import { Charging, type Conclusion } from '../../kernel/charging.js';
import { type Clock } from '../../kernel/clock.js';
import { KeyedHashes } from '../../platform/crypto/vault.js';
import { Context, RequiresToken } from '../../http/access.js';
import { type BearerPrincipal, type RequestContext } from '../../http/request-context.js';
import { charged, type RawResponse, RespondsWith } from '../../http/responses.js';
import { CLOCK } from '../../platform/tokens.js';
import { IssueCredential, type IssuedCredential } from '../commands.js';
import { jtiOf } from '../domain/credential-claims.js';
import { RefusedIssuances } from '../refused-issuances.js';
import { tooManyRefusals } from '../too-many-refusals.js';
import { IssueBody } from './credentials.dto.js';
import { IssuanceResponse } from './credentials.response.js';

const toResponse = (issued: IssuedCredential): IssuanceResponse => ({
  status: 'issued',
  token: issued.token,
  public_key: issued.publicKey,
  credential_id: jtiOf(issued.credentialId),
  expires_at: issued.expiresAt,
});

@ApiTags('Credentials')
@Controller('api/v1/issue')
export class IssuanceController {
  constructor(
    private readonly charging: Charging,
    private readonly commands: CommandBus,
    private readonly index: EligibilityQueries,
    private readonly refused: RefusedIssuances,
    private readonly hashes: KeyedHashes,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  @Post()
  @RequiresToken('credentials:issue')
  @RespondsWith(200, {
    summary: 'Issue a credential',
    type: IssuanceResponse,
    charged: 'issue_credential',
    refuses: ['IDENTITY_NOT_ELIGIBLE'],
  })
  async issueCredential(
    @Body() body: IssueBody,
    @Context() context: RequestContext<BearerPrincipal>,
  ): Promise<RawResponse> {
    const { tenantId } = context.principal;
    const { email, phone_number: phone, full_name: fullName, dob: dateOfBirth, tier = 'Tier1' } = body;
    const identityHash = this.hashes.identityHash(email, phone);
    // Checked before the deduction, so that no charge and refund follow.
    const notedRefusals = this.refused.noted;
    const [wait] = await Promise.all([this.refused.waitUntil({ tenantId, identityHash }), this.index.assertCurrent()]);
    if (wait !== undefined) throw tooManyRefusals(wait, this.clock.now());
    const person = { email, phone, fullName, dateOfBirth, tier, identityHash };
    const answer = await this.charging.charge({
      tenantId,
      operation: 'issue_credential',
      access: context,
      identityHash,
      keyed: context.keyed,
      // An access token belongs to no key.
      caps: undefined,
      kind: 'effect',
      run: (_deadline, credentialId) =>
        this.commands.execute(new IssueCredential({ tenantId, credentialId, person, access: context, notedRefusals })),
      conclude: (issued): Conclusion => ({
        action: 'credential_issued',
        result: 'ok',
        status: 200,
        body: toResponse(issued),
        owner: { kind: 'subject', email, phone },
      }),
    });
    return charged(answer);
  }
}
