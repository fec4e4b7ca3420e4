import { Body, Controller, Get, Headers, Param, Post, Query } from '@nestjs/common';
import { ApiHeader, ApiTags } from '@nestjs/swagger';
import {
  MATCH_STATES,
  type MatchState,
  type ScreeningCursor,
} from '../../../projections/screening/screening.queries.js';
import { refuse } from '../../kernel/rejection.js';
import { Context, RequiresKey } from '../../http/access.js';
import { BooleanField, EnumField, IntegerField, RangeEdgeField, TextField } from '../../http/fields.js';
import { type RequestContext, type TenantPrincipal } from '../../http/request-context.js';
import { RespondsWith } from '../../http/responses.js';
import { LIST_ID, SCREENING_KINDS, type ScreeningKind } from '../domain/screening-list.js';
import { MatchDisclosures } from './match-disclosures.js';
import { MatchReader } from '../review/match-reader.js';
import { MatchReviews } from '../review/match-reviews.js';
import {
  AssignmentResponse,
  ConfirmationResponse,
  DecisionsResponse,
  DismissalResponse,
  MatchesResponse,
  ReopeningResponse,
  ReviewedMatchResponse,
  toStep,
  toSummary,
} from './match.response.js';
import { AssignBody, ConfirmBody, DismissBody, ReopenBody } from './screening.dto.js';

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

/** Matches that one answer reveals. */
const MAX_REVEALED = 50;

class MatchesQuery extends ScreeningPageQuery {
  @EnumField(MATCH_STATES, { optional: true, description: 'open: not judged, and still found; default all' })
  status?: MatchState;

  @EnumField(SCREENING_KINDS, { optional: true, description: 'Default both' })
  kind?: ScreeningKind;

  @TextField({
    optional: true,
    pattern: LIST_ID,
    max: 32,
    takes: 'The id of a list, such as OFAC_SDN',
    example: 'OFAC_SDN',
    description: 'Default all',
  })
  list?: string;

  @BooleanField({
    optional: true,
    description: `With the person that was screened and the entry that was found: at most ${MAX_REVEALED} matches`,
  })
  reveal?: boolean;
}

class MatchQuery {
  @BooleanField({ optional: true, description: 'With the person that was screened and the entry that was found' })
  reveal?: boolean;
}

/** `If-Match` as the member `version` of the body. Throws a 422 for what is neither a version nor `*`, and for two that differ. */
const versionOf = (ifMatch: string | undefined, version: number | undefined): number | undefined => {
  if (ifMatch === undefined || ifMatch.trim() === '*') return version;
  const [, digits] = /^\s*"(\d{1,9})"\s*$/.exec(ifMatch) ?? [];
  const detail = 'The version of the match in quotes, or *';
  if (digits === undefined) throw refuse('invalid_field', { field: 'If-Match', detail });
  if (version !== undefined && version !== Number(digits))
    throw refuse('invalid_field', { field: 'version', detail: 'The same version as If-Match' });
  return Number(digits);
};

const TakesVersion = (): MethodDecorator =>
  ApiHeader({ name: 'If-Match', required: false, description: 'The version that was read, in quotes', example: '"1"' });

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
    private readonly disclosures: MatchDisclosures,
  ) {}

  @Get('matches')
  @RequiresKey('compliance')
  @RespondsWith(200, {
    summary:
      'Matches with lists of sanctions and of office holders, of checks and of screening in the background, newest first',
    type: MatchesResponse,
  })
  async listMatches(
    @Query() { since, limit = 50, cursor, status, kind, list, reveal = false }: MatchesQuery,
    @Context() context: Caller,
  ): Promise<MatchesResponse> {
    const { tenantId } = context.principal;
    if (reveal && limit > MAX_REVEALED)
      throw refuse('invalid_field', { field: 'limit', detail: `At most ${MAX_REVEALED} with reveal=true` });
    const wanted = { tenantId, since, before: placeOf(cursor), limit: limit + 1, status, kind, list };
    const found = await this.reader.matches(wanted);
    const { shown, next_cursor } = pageOf(found, limit, ({ row }) => row);
    const matches = reveal
      ? await this.disclosures.reveal(shown, context)
      : await this.disclosures.show(shown, context);
    return { matches, next_cursor };
  }

  @Get('matches/:match_id')
  @RequiresKey('compliance')
  @RespondsWith(200, { summary: 'One match, with the history of its review', type: ReviewedMatchResponse })
  async getMatch(
    @Param('match_id') id: string,
    @Query() { reveal = false }: MatchQuery,
    @Context() context: Caller,
  ): Promise<ReviewedMatchResponse> {
    const match = await this.reader.match(id, context.principal.tenantId);
    const shown = await this.disclosures.one(match, context, reveal);
    return Object.assign(shown, { history: match.history.map(toStep) });
  }

  @Post('matches/:match_id/confirm')
  @RequiresKey('compliance')
  @TakesVersion()
  @RespondsWith(200, {
    summary: 'Confirm that an open match is the listed person',
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
    return { match_id: id, confirmed: true, version: await this.reviews.review(id, 'confirm', input, context) };
  }

  @Post('matches/:match_id/dismiss')
  @RequiresKey('compliance')
  @TakesVersion()
  @RespondsWith(200, {
    summary: 'Dismiss an open match as another person: later checks of the same query do not count it',
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
    return { match_id: id, dismissed: true, version: await this.reviews.review(id, 'dismiss', input, context) };
  }

  @Post('matches/:match_id/reopen')
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
    return { match_id: id, reopened: true, version: await this.reviews.review(id, 'reopen', input, context) };
  }

  @Post('matches/:match_id/assign')
  @RequiresKey('compliance')
  @TakesVersion()
  @RespondsWith(200, {
    summary: 'Give an open match to somebody who is to judge it',
    type: AssignmentResponse,
    refuses: ['CONFLICT'],
  })
  async assignMatch(
    @Param('match_id') id: string,
    @Body() { to, version }: AssignBody,
    @Headers('if-match') ifMatch: string | undefined,
    @Context() context: Caller,
  ): Promise<AssignmentResponse> {
    const input = { text: to, version: versionOf(ifMatch, version) };
    return { match_id: id, assigned: true, version: await this.reviews.review(id, 'assign', input, context) };
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
