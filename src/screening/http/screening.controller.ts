import { Body, Controller, Inject, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Clock } from '../../kernel/clock.js';
import { Context, RequiresKey, TakesBody } from '../../http/access.js';
import { type RequestContext, type TenantPrincipal } from '../../http/request-context.js';
import { charged, RawResponse, RespondsWith } from '../../http/responses.js';
import { BATCH_BODY } from '../../http/server-options.js';
import { CLOCK } from '../../platform/tokens.js';
import { BatchChecks } from '../decisions/batch-checks.js';
import { Checks } from '../decisions/checks.js';
import { ScreeningBatchBody, ScreeningBody, toQueries, toQuery } from './screening.dto.js';
import {
  PepResponse,
  SanctionsBatchResponse,
  SanctionsResponse,
  toBatchResponse,
  toPepResponse,
  toSanctionsResponse,
} from './screening.response.js';

type Caller = RequestContext<TenantPrincipal>;

@ApiTags('Screening')
@Controller('api/v1/compliance')
export class ScreeningController {
  constructor(
    private readonly checks: Checks,
    private readonly batches: BatchChecks,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

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

  @Post('sanctions/batch')
  @RequiresKey('compliance')
  @TakesBody(BATCH_BODY)
  @RespondsWith(200, {
    summary: 'Screen up to 100 persons against the sanctions lists, each charged and kept as a check of its own',
    type: SanctionsBatchResponse,
    charged: 'sanctions_check',
  })
  async checkSanctionsBatch(@Body() body: ScreeningBatchBody, @Context() context: Caller): Promise<RawResponse> {
    const answer = await this.batches.check(toQueries(body, this.clock), context, toSanctionsResponse);
    const text = JSON.stringify(toBatchResponse(answer));
    const { charged: credits, receipt } = answer;
    return receipt === undefined
      ? new RawResponse(200, text, { 'X-Credits-Charged': '0', 'Idempotency-Replayed': 'true' })
      : charged({ status: 200, body: text, receipt: { ...receipt, charged: credits } });
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
