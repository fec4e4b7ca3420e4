import { Body, Controller, Get, Patch } from '@nestjs/common';
import { ApiProperty, ApiTags } from '@nestjs/swagger';
import { Context, RequiresKey } from '../../http/access.js';
import { EnumField } from '../../http/fields.js';
import { type RequestContext, type TenantPrincipal } from '../../http/request-context.js';
import { RespondsWith } from '../../http/responses.js';
import { type ReviewSettings } from '../domain/review-settings.js';
import { DATE_POLICIES, type DatePolicy } from '../domain/screening-list.js';
import { ReviewSettingsDesk } from '../settings/review-settings-desk.js';

type Caller = RequestContext<TenantPrincipal>;

class ReviewSettingsBody {
  @EnumField(DATE_POLICIES, {
    optional: true,
    description: 'lenient: another birth date lowers a score. strict: it clears no one, as if none were given',
  })
  date_policy?: DatePolicy;
}

class ReviewSettingsResponse {
  @ApiProperty({ enum: DATE_POLICIES, example: 'lenient' }) date_policy!: DatePolicy;
}

const toResponse = ({ datePolicy }: ReviewSettings): ReviewSettingsResponse => ({ date_policy: datePolicy });

/** How an account is screened for. */
@ApiTags('Screening')
@Controller('api/v1/compliance/review')
export class ReviewSettingsController {
  constructor(private readonly desk: ReviewSettingsDesk) {}

  @Get()
  @RequiresKey('compliance')
  @RespondsWith(200, { summary: 'How this account is screened for and reviews', type: ReviewSettingsResponse })
  async reviewSettings(@Context() { principal }: Caller): Promise<ReviewSettingsResponse> {
    return toResponse(await this.desk.of(principal.tenantId));
  }

  @Patch()
  @RequiresKey('compliance')
  @RespondsWith(200, {
    summary: 'Change it for later checks, and for screening in the background',
    type: ReviewSettingsResponse,
  })
  async changeReviewSettings(
    @Body() { date_policy: datePolicy }: ReviewSettingsBody,
    @Context() context: Caller,
  ): Promise<ReviewSettingsResponse> {
    return toResponse(await this.desk.change(datePolicy === undefined ? {} : { datePolicy }, context));
  }
}
