import { Body, Controller, Inject, Post } from '@nestjs/common';
import { ApiProperty, ApiTags } from '@nestjs/swagger';
import { EligibilityQueries } from '../../../projections/eligibility/eligibility.queries.js';
import { Charging } from '../../kernel/charging.js';
import { type Clock } from '../../kernel/clock.js';
import { KeyedHashes } from '../../platform/crypto/vault.js';
import { Context, RequiresKey } from '../../http/access.js';
import { CountryField } from '../../http/fields/country.js';
import { EmailField, PhoneField } from '../../http/fields.js';
import { NameField } from '../../http/fields/name-field.js';
import { type RequestContext, type TenantPrincipal } from '../../http/request-context.js';
import { charged, type RawResponse, RespondsWith } from '../../http/responses.js';
import { CLOCK } from '../../platform/tokens.js';
import { assess, FACTORS, RISK_LEVELS, type RiskLevel } from '../domain/assessment.js';
import { type RiskRecord } from '../risk-changes.js';
import { RiskFactsReader } from '../risk-facts.js';

class AssessRiskBody {
  @EmailField()
  email!: string;

  @PhoneField()
  phone_number!: string;

  @NameField({ optional: true, description: 'Full name, in any script; else that of your own record' })
  full_name?: string;

  @CountryField()
  country?: string;
}

class RiskFactor {
  @ApiProperty({ enum: FACTORS.map(({ code }) => code) }) code!: string;
  @ApiProperty({ type: 'integer', description: 'Points that it adds to the score', example: -20 }) weight!: number;
  @ApiProperty({ example: 'Your own record is approved and has not expired' }) detail!: string;
}

class RiskResponse {
  @ApiProperty({ type: 'integer', minimum: 0, maximum: 100, example: 15 }) risk_score!: number;
  @ApiProperty({ enum: RISK_LEVELS }) risk_level!: RiskLevel;
  @ApiProperty({ type: [RiskFactor], description: 'Their weights add up to the score, from 0 to 100' })
  factors!: readonly RiskFactor[];
  @ApiProperty({ format: 'date-time' }) assessed_at!: string;
}

@ApiTags('Risk')
@Controller('api/v1/assess-risk')
export class AssessRiskController {
  constructor(
    private readonly charging: Charging,
    private readonly facts: RiskFactsReader,
    private readonly index: EligibilityQueries,
    private readonly hashes: KeyedHashes,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  @Post()
  @RequiresKey('compliance')
  @RespondsWith(200, {
    summary: 'How risky a person is, with every factor of the score',
    type: RiskResponse,
    charged: 'assess_risk',
  })
  async assessRisk(
    @Body() body: AssessRiskBody,
    @Context() context: RequestContext<TenantPrincipal>,
  ): Promise<RawResponse> {
    // Checked before the deduction, so that no charge and refund follow.
    await this.index.assertCurrent();
    const { email, phone_number: phone, full_name: fullName, country } = body;
    const { tenantId } = context.principal;
    const named = { ...(fullName === undefined ? {} : { fullName }), ...(country === undefined ? {} : { country }) };
    const answer = await this.charging.charge({
      tenantId,
      operation: 'assess_risk',
      access: context,
      caps: context.principal.caps,
      identityHash: this.hashes.identityHash(email, phone),
      keyed: context.keyed,
      kind: 'look_up',
      run: async (deadline) => {
        const facts = await this.facts.read({ tenantId, email, phone, ...named }, deadline.signal);
        return { ...assess(facts), assessedAt: this.clock.now().toISOString() };
      },
      conclude: ({ score, level, factors, assessedAt }) => ({
        action: 'risk_assessment',
        result: level,
        status: 200,
        body: { risk_score: score, risk_level: level, factors, assessed_at: assessedAt } satisfies RiskResponse,
        record: {
          identityId: this.hashes.identityId(tenantId, email, phone),
          score,
          level,
        } satisfies RiskRecord,
        owner: { kind: 'subject', email, phone },
      }),
    });
    return charged(answer);
  }
}
