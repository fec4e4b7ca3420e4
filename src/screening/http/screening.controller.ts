import { Body, Controller, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Context, RequiresKey } from '../../platform/http/access.js';
import { type RequestContext, type TenantPrincipal } from '../../platform/http/request-context.js';
import { charged, type RawResponse, RespondsWith } from '../../platform/http/responses.js';
import { Checks } from '../decisions/checks.js';
import { ScreeningBody, toQuery } from './screening.dto.js';
import { PepResponse, SanctionsResponse, toPepResponse, toSanctionsResponse } from './screening.response.js';

type Caller = RequestContext<TenantPrincipal>;

@ApiTags('Screening')
@Controller('api/v1/compliance')
export class ScreeningController {
  constructor(private readonly checks: Checks) {}

  @Post('sanctions')
  @RequiresKey('compliance')
  @RespondsWith(200, {
    summary: 'Screen a person against the sanctions lists',
    type: SanctionsResponse,
    charged: 'sanctions_check',
  })
  async checkSanctions(@Body() body: ScreeningBody, @Context() context: Caller): Promise<RawResponse> {
    const answer = await this.checks.check({
      kind: 'sanctions',
      query: toQuery(body),
      context,
      resultOf: ({ status }) => status,
      toBody: toSanctionsResponse,
    });
    return charged(answer);
  }

  @Post('pep')
  @RequiresKey('compliance')
  @RespondsWith(200, {
    summary: 'Whether a person is politically exposed',
    type: PepResponse,
    charged: 'pep_check',
  })
  async checkPep(@Body() body: ScreeningBody, @Context() context: Caller): Promise<RawResponse> {
    const answer = await this.checks.check({
      kind: 'pep',
      query: toQuery(body),
      context,
      resultOf: ({ status }) => (status === 'clear' ? 'not_pep' : 'pep'),
      toBody: toPepResponse,
    });
    return charged(answer);
  }
}
