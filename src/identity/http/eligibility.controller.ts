import { Body, Controller, Inject, Post } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional, ApiTags } from '@nestjs/swagger';
import { EligibilityQueries, type NetworkAttestation } from '../../../projections/eligibility/eligibility.queries.js';
import { Charging, type Conclusion } from '../../kernel/charging.js';
import { type Clock } from '../../kernel/clock.js';
import { type Tier, TIERS } from '../../kernel/kyc.js';
import { KeyedHashes } from '../../platform/crypto/vault.js';
import { Context, RequiresKey } from '../../http/access.js';
import { RespondsWith, charged, type RawResponse } from '../../http/responses.js';
import { EmailField, PhoneField } from '../../http/fields.js';
import { type RequestContext, type TenantPrincipal } from '../../http/request-context.js';
import { CLOCK } from '../../platform/tokens.js';

class EligibilityBody {
  @EmailField()
  email!: string;

  @PhoneField()
  phone_number!: string;
}

export class EligibilityResponse {
  @ApiProperty({ description: 'Whether an approved, unexpired identity with this e-mail and phone is in the network' })
  found!: boolean;

  @ApiPropertyOptional({ enum: TIERS, description: 'The highest tier; only when found' })
  tier?: Tier;

  @ApiPropertyOptional({ format: 'date-time', description: 'The latest approval; only when found' })
  last_verified_at?: string;
}

const disclosedOf = ({ tier, lastVerifiedAt }: NetworkAttestation) => ({
  tier,
  last_verified_at: lastVerifiedAt.toISOString(),
});

const toAnswer = (attestation: NetworkAttestation | undefined): EligibilityResponse =>
  attestation === undefined ? { found: false } : { found: true, ...disclosedOf(attestation) };

@ApiTags('Eligibility')
@Controller('api/v1/check-eligibility')
export class EligibilityController {
  constructor(
    private readonly charging: Charging,
    private readonly index: EligibilityQueries,
    private readonly hashes: KeyedHashes,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  @Post()
  @RequiresKey('eligibility')
  @RespondsWith(200, {
    summary: 'Whether an identity is in the network, and at which tier',
    type: EligibilityResponse,
    examples: {
      Found: { found: true, tier: 'Tier2', last_verified_at: '2026-11-21T10:15:30.250Z' },
      'Not found, charged all the same': { found: false },
    },
    charged: 'check_eligibility',
  })
  async checkEligibility(
    @Body() { email, phone_number: phone }: EligibilityBody,
    @Context() context: RequestContext<TenantPrincipal>,
  ): Promise<RawResponse> {
    // Checked before the deduction, so that no charge and refund follow.
    await this.index.assertCurrent();
    const identityHash = this.hashes.identityHash(email, phone);
    const answer = await this.charging.charge({
      tenantId: context.principal.tenantId,
      operation: 'check_eligibility',
      access: context,
      caps: context.principal.caps,
      identityHash,
      keyed: context.keyed,
      kind: 'look_up',
      run: () => this.index.find(identityHash, this.clock.now()),
      conclude: (attestation): Conclusion => ({
        action: 'eligibility_check',
        result: attestation === undefined ? 'not_found' : 'found',
        status: 200,
        body: toAnswer(attestation),
        ...(attestation === undefined ? {} : { answered: disclosedOf(attestation) }),
        owner: { kind: 'subject', email, phone },
      }),
    });
    return charged(answer);
  }
}
