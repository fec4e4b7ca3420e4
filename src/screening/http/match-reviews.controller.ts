import { Body, Controller, Headers, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { refuse } from '../../kernel/rejection.js';
import { Context, RequiresKey } from '../../http/access.js';
import { type RequestContext, type TenantPrincipal } from '../../http/request-context.js';
import { RespondsWith } from '../../http/responses.js';
import { BulkReviews } from '../review/bulk-reviews.js';
import { MatchReviews } from '../review/match-reviews.js';
import { type Review } from '../review/review-writer.js';
import {
  ApprovalResponse,
  AssignmentResponse,
  BulkResponse,
  ConfirmationResponse,
  DismissalResponse,
  RejectionResponse,
  ReopeningResponse,
  toBulkOutcome,
} from './match-review.response.js';
import { AssignBody, BulkBody, ConfirmBody, DismissBody, ProposalBody, ReopenBody } from './match-review.dto.js';
import { TakesVersion, versionOf } from './match-version.js';

type Caller = RequestContext<TenantPrincipal>;

/** What an account makes of matches, one by one or many at once. */
@ApiTags('Screening')
@Controller('api/v1/compliance/matches')
export class MatchReviewsController {
  constructor(
    private readonly reviews: MatchReviews,
    private readonly bulk: BulkReviews,
  ) {}

  @Post('bulk')
  @RequiresKey('compliance')
  @RespondsWith(200, {
    summary: 'Confirm or dismiss up to 100 matches with one reason; each has its own outcome',
    type: BulkResponse,
  })
  async reviewMatches(
    @Body() { match_ids: ids, decision, reason }: BulkBody,
    @Context() context: Caller,
  ): Promise<BulkResponse> {
    return { outcomes: (await this.bulk.review(ids, decision, reason, context)).map(toBulkOutcome) };
  }

  @Post(':match_id/confirm')
  @RequiresKey('compliance')
  @TakesVersion()
  @RespondsWith(200, {
    summary: 'Confirm that an open match is the listed person; with four eyes, propose it',
    type: ConfirmationResponse,
    refuses: ['CONFLICT'],
  })
  async confirmMatch(
    @Param('match_id') id: string,
    @Body() { note, version }: ConfirmBody,
    @Headers('if-match') ifMatch: string | undefined,
    @Context() context: Caller,
  ): Promise<ConfirmationResponse> {
    const input = { text: note, version: versionOf(ifMatch, version) };
    const after = await this.reviews.review(id, 'confirm', input, context);
    return { match_id: id, confirmed: after.status === 'confirmed', ...after };
  }

  @Post(':match_id/dismiss')
  @RequiresKey('compliance')
  @TakesVersion()
  @RespondsWith(200, {
    summary:
      'Dismiss an open match as another person: later checks of the same query do not count it; with four eyes, propose it',
    type: DismissalResponse,
    refuses: ['CONFLICT'],
  })
  async dismissMatch(
    @Param('match_id') id: string,
    @Body() { reason, version }: DismissBody,
    @Headers('if-match') ifMatch: string | undefined,
    @Context() context: Caller,
  ): Promise<DismissalResponse> {
    const input = { text: reason, version: versionOf(ifMatch, version) };
    const after = await this.reviews.review(id, 'dismiss', input, context);
    return { match_id: id, dismissed: after.status === 'dismissed', ...after };
  }

  @Post(':match_id/approve')
  @RequiresKey('compliance')
  @TakesVersion()
  @RespondsWith(200, {
    summary: 'Approve, as a second person, what was proposed of a match',
    type: ApprovalResponse,
    refuses: ['CONFLICT'],
  })
  async approveProposal(
    @Param('match_id') id: string,
    @Body() body: ProposalBody,
    @Headers('if-match') ifMatch: string | undefined,
    @Context() context: Caller,
  ): Promise<ApprovalResponse> {
    const after = await this.answer(id, 'approve', body, versionOf(ifMatch, body.version), context);
    return { match_id: id, approved: true, ...after };
  }

  @Post(':match_id/reject')
  @RequiresKey('compliance')
  @TakesVersion()
  @RespondsWith(200, {
    summary: 'Reject what was proposed of a match, or take it back: the match is open again',
    type: RejectionResponse,
    refuses: ['CONFLICT'],
  })
  async rejectProposal(
    @Param('match_id') id: string,
    @Body() body: ProposalBody,
    @Headers('if-match') ifMatch: string | undefined,
    @Context() context: Caller,
  ): Promise<RejectionResponse> {
    const after = await this.answer(id, 'reject', body, versionOf(ifMatch, body.version), context);
    return { match_id: id, rejected: true, ...after };
  }

  @Post(':match_id/reopen')
  @RequiresKey('compliance')
  @TakesVersion()
  @RespondsWith(200, {
    summary: 'Take a judgement back: the match is open again, and what was dismissed of it counts again',
    type: ReopeningResponse,
    refuses: ['CONFLICT'],
  })
  async reopenMatch(
    @Param('match_id') id: string,
    @Body() { reason, version }: ReopenBody,
    @Headers('if-match') ifMatch: string | undefined,
    @Context() context: Caller,
  ): Promise<ReopeningResponse> {
    const input = { text: reason, version: versionOf(ifMatch, version) };
    return { match_id: id, reopened: true, ...(await this.reviews.review(id, 'reopen', input, context)) };
  }

  @Post(':match_id/assign')
  @RequiresKey('compliance')
  @TakesVersion()
  @RespondsWith(200, {
    summary: 'Give an open match to someone who is to judge it',
    type: AssignmentResponse,
    refuses: ['CONFLICT'],
  })
  async assignMatch(
    @Param('match_id') id: string,
    @Body() { to, member_id: memberId, version }: AssignBody,
    @Headers('if-match') ifMatch: string | undefined,
    @Context() context: Caller,
  ): Promise<AssignmentResponse> {
    if ((to === undefined) === (memberId === undefined))
      throw refuse('invalid_field', { field: 'to', detail: 'Either to, a text, or member_id' });
    const input = { text: to ?? '', memberId, version: versionOf(ifMatch, version) };
    return { match_id: id, assigned: true, ...(await this.reviews.review(id, 'assign', input, context)) };
  }

  /** An answer to a proposal is bound to what was read of it. */
  private async answer(
    id: string,
    review: Review,
    { note }: ProposalBody,
    version: number | undefined,
    context: Caller,
  ): ReturnType<MatchReviews['review']> {
    if (version === undefined)
      throw refuse('invalid_field', { field: 'version', detail: 'The version of the match, here or in If-Match' });
    return this.reviews.review(id, review, { text: note, version }, context);
  }
}
