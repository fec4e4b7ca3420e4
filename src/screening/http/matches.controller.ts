import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  MATCH_STATES,
  type MatchState,
  type ScreeningCursor,
} from '../../../projections/screening/screening.queries.js';
import { refuse } from '../../kernel/rejection.js';
import { Context, RequiresKey } from '../../platform/http/access.js';
import { EnumField, IntegerField, RangeEdgeField, TextField } from '../../platform/http/fields.js';
import { type RequestContext, type TenantPrincipal } from '../../platform/http/request-context.js';
import { RespondsWith } from '../../platform/http/responses.js';
import { LISTS_OF } from '../domain/screening-list.js';
import { MatchReader } from '../review/match-reader.js';
import { MatchReviews } from '../review/match-reviews.js';
import {
  AssignmentResponse,
  ConfirmationResponse,
  DecisionsResponse,
  DismissalResponse,
  MatchesResponse,
  ReviewedMatchResponse,
  toMatch,
  toStep,
  toSummary,
} from './match.response.js';
import { AssignBody, ConfirmBody, DismissBody } from './screening.dto.js';

type Caller = RequestContext<TenantPrincipal>;

class ScreeningPageQuery {
  @RangeEdgeField('start', { optional: true, description: 'Inclusive; default the first' })
  since?: Date;

  @IntegerField({ min: 1, max: 200, default: 50 })
  limit?: number;

  @TextField({
    optional: true,
    max: 64,
    description: 'The next_cursor of the page before; what is new does not shift it',
  })
  cursor?: string;
}

class MatchesQuery extends ScreeningPageQuery {
  @EnumField(MATCH_STATES, { optional: true, description: 'open: not judged, and still found; default all' })
  status?: MatchState;

  @EnumField(LISTS_OF.sanctions, { optional: true, description: 'Default all' })
  list?: string;
}

const CURSOR = /^(\d{1,19})\.(\d{1,4})$/;

const cursorOf = ({ position, index }: ScreeningCursor): string =>
  Buffer.from(`${position}.${index}`).toString('base64url');

const placeOf = (cursor: string | undefined): ScreeningCursor | undefined => {
  if (cursor === undefined) return undefined;
  const [, position, index] = CURSOR.exec(Buffer.from(cursor, 'base64url').toString('latin1')) ?? [];
  if (position === undefined || BigInt(position) >= 2n ** 63n)
    throw refuse('invalid_field', { field: 'cursor', detail: 'The next_cursor of a page' });
  return { position, index: Number(index) };
};

/** The page that is shown of one row more, which says whether another follows. */
const pageOf = <Row>(rows: readonly Row[], limit: number, place: (row: Row) => ScreeningCursor) => {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return { shown, next_cursor: rows.length > limit && last !== undefined ? cursorOf(place(last)) : null };
};

/** What screening found of a tenant's identities and checks, to be judged one by one. */
@ApiTags('Screening')
@Controller('api/v1/compliance')
export class MatchesController {
  constructor(
    private readonly reader: MatchReader,
    private readonly reviews: MatchReviews,
  ) {}

  @Get('matches')
  @RequiresKey('compliance')
  @RespondsWith(200, {
    summary: 'Matches with sanctions lists, of checks and of screening in the background, newest first',
    type: MatchesResponse,
  })
  async listMatches(
    @Query() { since, limit = 50, cursor, status, list }: MatchesQuery,
    @Context() { principal: { tenantId } }: Caller,
  ): Promise<MatchesResponse> {
    const wanted = { tenantId, since, before: placeOf(cursor), limit: limit + 1, status, list };
    const found = await this.reader.matches(wanted);
    const { shown, next_cursor } = pageOf(found, limit, ({ row }) => row);
    return { matches: shown.map(toMatch), next_cursor };
  }

  @Get('matches/:match_id')
  @RequiresKey('compliance')
  @RespondsWith(200, { summary: 'One match, with the history of its review', type: ReviewedMatchResponse })
  async getMatch(@Param('match_id') id: string, @Context() { principal }: Caller): Promise<ReviewedMatchResponse> {
    const match = await this.reader.match(id, principal.tenantId);
    return { ...toMatch(match), history: match.history.map(toStep) };
  }

  @Post('matches/:match_id/confirm')
  @RequiresKey('compliance')
  @RespondsWith(200, {
    summary: 'Confirm that a match is the listed person: what was dismissed of it counts again',
    type: ConfirmationResponse,
  })
  async confirmMatch(
    @Param('match_id') id: string,
    @Body() { note }: ConfirmBody,
    @Context() context: Caller,
  ): Promise<ConfirmationResponse> {
    await this.reviews.review(id, 'confirm', note, context);
    return { match_id: id, confirmed: true };
  }

  @Post('matches/:match_id/dismiss')
  @RequiresKey('compliance')
  @RespondsWith(200, {
    summary: 'Dismiss a match as another person: later checks of the same query do not count it',
    type: DismissalResponse,
  })
  async dismissMatch(
    @Param('match_id') id: string,
    @Body() { reason }: DismissBody,
    @Context() context: Caller,
  ): Promise<DismissalResponse> {
    await this.reviews.review(id, 'dismiss', reason, context);
    return { match_id: id, dismissed: true };
  }

  @Post('matches/:match_id/assign')
  @RequiresKey('compliance')
  @RespondsWith(200, { summary: 'Give a match to somebody who is to judge it', type: AssignmentResponse })
  async assignMatch(
    @Param('match_id') id: string,
    @Body() { to }: AssignBody,
    @Context() context: Caller,
  ): Promise<AssignmentResponse> {
    await this.reviews.review(id, 'assign', to, context);
    return { match_id: id, assigned: true };
  }

  @Get('decisions')
  @RequiresKey('compliance')
  @RespondsWith(200, {
    summary: 'Decisions of checks and of screening in the background, newest first',
    type: DecisionsResponse,
  })
  async listDecisions(
    @Query() { since, limit = 50, cursor }: ScreeningPageQuery,
    @Context() { principal: { tenantId } }: Caller,
  ): Promise<DecisionsResponse> {
    const wanted = { tenantId, since, before: placeOf(cursor), limit: limit + 1 };
    const found = await this.reader.decisionsOf(wanted);
    const { shown, next_cursor } = pageOf(found, limit, ({ position }) => ({ position, index: 0 }));
    return { decisions: shown.map(toSummary), next_cursor };
  }
}
