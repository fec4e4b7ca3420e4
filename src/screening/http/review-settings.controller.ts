import { Body, Controller, Get, Patch } from '@nestjs/common';
import { ApiProperty, ApiTags } from '@nestjs/swagger';
import { refuse } from '../../kernel/rejection.js';
import { Context, RequiresKey } from '../../http/access.js';
import { BooleanField, EnumField, IntegerField } from '../../http/fields.js';
import { type RequestContext, type TenantPrincipal } from '../../http/request-context.js';
import { RespondsWith } from '../../http/responses.js';
import { type ChangeReviewSettings, type ReviewSettings } from '../domain/review-settings.js';
import { DATE_POLICIES, type DatePolicy } from '../domain/screening-list.js';
import { ReviewSettingsDesk } from '../settings/review-settings-desk.js';

type Caller = RequestContext<TenantPrincipal>;

class ReviewSettingsBody {
  @EnumField(DATE_POLICIES, {
    optional: true,
    description: 'lenient: another birth date lowers a score. strict: it clears no one, as if none were given',
  })
  date_policy?: DatePolicy;

  @BooleanField({
    optional: true,
    description:
      'A judgement of a match needs two people. Only the scope members ends it: an officer alone could otherwise',
  })
  four_eyes?: boolean;

  @BooleanField({
    optional: true,
    description: 'The erasure of an identity at once needs two people. It is ended as four_eyes is',
  })
  four_eyes_erasure?: boolean;

  @IntegerField({
    optional: true,
    nullable: true,
    min: 1,
    max: 365,
    description: 'Days after which a match that waits is overdue; null: never',
  })
  due_days?: number | null;
}

class ReviewSettingsResponse {
  @ApiProperty({ enum: DATE_POLICIES, example: 'lenient' }) date_policy!: DatePolicy;
  @ApiProperty({ description: 'Whether a judgement of a match needs two people' }) four_eyes!: boolean;
  @ApiProperty({ description: 'Whether the erasure of an identity at once needs two people' })
  four_eyes_erasure!: boolean;
  @ApiProperty({ type: 'integer', nullable: true, example: 5, description: 'null: no match is ever overdue' })
  due_days!: number | null;
}

const toResponse = ({ datePolicy, fourEyes, fourEyesErasure, dueDays }: ReviewSettings): ReviewSettingsResponse => ({
  date_policy: datePolicy,
  four_eyes: fourEyes,
  four_eyes_erasure: fourEyesErasure,
  due_days: dueDays,
});

const toChange = (body: ReviewSettingsBody): ChangeReviewSettings => ({
  ...(body.date_policy === undefined ? {} : { datePolicy: body.date_policy }),
  ...(body.four_eyes === undefined ? {} : { fourEyes: body.four_eyes }),
  ...(body.four_eyes_erasure === undefined ? {} : { fourEyesErasure: body.four_eyes_erasure }),
  ...(body.due_days === undefined ? {} : { dueDays: body.due_days }),
});

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
    @Body() body: ReviewSettingsBody,
    @Context() context: Caller,
  ): Promise<ReviewSettingsResponse> {
    const ended = (['four_eyes', 'four_eyes_erasure'] as const).find((field) => body[field] === false);
    if (ended !== undefined && !context.principal.scopes.has('members'))
      throw refuse('forbidden', {
        field: ended,
        detail: 'Four eyes are ended by an owner, or a key with the scope members.',
      });
    return toResponse(await this.desk.change(toChange(body), context));
  }
}
