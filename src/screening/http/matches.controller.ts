import { Readable } from 'node:stream';
import { Controller, Get, Inject, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  MATCH_STATES,
  type MatchState,
  type ScreeningCursor,
} from '../../../projections/screening/screening.queries.js';
import { EXAMPLE_MEMBER, MEMBER_ID } from '../../kernel/audit-actors.js';
import { type Clock } from '../../kernel/clock.js';
import { refuse } from '../../kernel/rejection.js';
import { Context, RequiresKey } from '../../http/access.js';
import { ScoreField } from '../../http/fields/score.js';
import { CLOCK } from '../../platform/tokens.js';
import { BooleanField, EnumField, IntegerField, RangeEdgeField, TextField } from '../../http/fields.js';
import { IdentityIdField } from '../../http/fields/identity-id.js';
import { type RequestContext, type TenantPrincipal } from '../../http/request-context.js';
import { RawResponse, RespondsWith } from '../../http/responses.js';
import { caseFile } from './case-file.js';
import { LIST_ID, SCREENING_KINDS, type ScreeningKind } from '../domain/screening-list.js';
import { MatchDisclosures } from './match-disclosures.js';
import { MatchReader } from '../review/match-reader.js';
import {
  DecisionsResponse,
  MatchesResponse,
  MatchSummaryResponse,
  ReviewedMatchResponse,
  toMatchSummary,
  toStep,
  toSummary,
} from './match.response.js';

type Caller = RequestContext<TenantPrincipal>;

class ScreeningPageQuery {
  @RangeEdgeField('start', { optional: true, description: 'Inclusive; default the first' })
  since?: Date;

  @IdentityIdField('Of screening this identity in the background')
  identity_id?: string;

  @IntegerField({ min: 1, max: 200, default: 50 })
  limit?: number;

  @TextField({
    optional: true,
    max: 64,
    description: 'The next_cursor of the page before; what is new does not shift it',
  })
  cursor?: string;
}

const PDF = 'application/pdf';

/** Matches that one answer reveals. */
const MAX_REVEALED = 50;

class MatchesQuery extends ScreeningPageQuery {
  @EnumField(MATCH_STATES, {
    optional: true,
    description: 'open: not judged, and still found; proposed: waits for a second person; default all',
  })
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

  @ScoreField({ description: 'Least score' })
  min_score?: number;

  @TextField({
    optional: true,
    pattern: MEMBER_ID,
    max: 30,
    takes: 'The id of a member',
    example: EXAMPLE_MEMBER,
    description: 'Those that a member is to judge',
  })
  assigned_to?: string;

  @BooleanField({ optional: true, description: 'Only those that wait, found more than due_days ago' })
  overdue?: boolean;

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
    private readonly disclosures: MatchDisclosures,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  @Get('matches')
  @RequiresKey('compliance')
  @RespondsWith(200, {
    summary:
      'Matches with lists of sanctions and of office holders, of checks and of screening in the background, newest first',
    type: MatchesResponse,
  })
  async listMatches(@Query() query: MatchesQuery, @Context() context: Caller): Promise<MatchesResponse> {
    const {
      since,
      identity_id,
      limit = 50,
      cursor,
      status,
      kind,
      list,
      min_score,
      assigned_to,
      overdue = false,
      reveal = false,
    } = query;
    const { tenantId } = context.principal;
    if (reveal && limit > MAX_REVEALED)
      throw refuse('invalid_field', { field: 'limit', detail: `At most ${MAX_REVEALED} with reveal=true` });
    const filters = {
      since,
      identityId: identity_id,
      status,
      kind,
      list,
      minScore: min_score,
      assignedTo: assigned_to,
      dueBefore: overdue ? this.clock.now() : undefined,
    };
    const wanted = { tenantId, ...filters, before: placeOf(cursor), limit: limit + 1 };
    const found = await this.reader.matches(wanted);
    const { shown, next_cursor } = pageOf(found, limit, ({ row }) => row);
    const matches = reveal
      ? await this.disclosures.reveal(shown, context)
      : await this.disclosures.show(shown, context);
    return { matches, next_cursor };
  }

  @Get('matches/summary')
  @RequiresKey('compliance')
  @RespondsWith(200, { summary: 'How many matches wait, in all and by member', type: MatchSummaryResponse })
  async summariseMatches(@Context() { principal: { tenantId } }: Caller): Promise<MatchSummaryResponse> {
    return toMatchSummary(await this.reader.counts(tenantId, this.clock.now()));
  }

  @Get('matches/:match_id')
  @RequiresKey('compliance')
  @RespondsWith(200, { summary: 'One match, with the history of its review', type: ReviewedMatchResponse })
  async getMatch(
    @Param('match_id') id: string,
    @Query() { reveal = false }: MatchQuery,
    @Context() context: Caller,
  ): Promise<ReviewedMatchResponse> {
    return this.reviewed(id, context, reveal);
  }

  @Get('matches/:match_id/file')
  @RequiresKey('compliance')
  @RespondsWith(200, {
    summary: 'The case file of one match: what was compared, what agrees, and how it was judged',
    content: [{ type: PDF, format: 'binary' }],
  })
  async getCaseFile(@Param('match_id') id: string, @Context() context: Caller): Promise<RawResponse> {
    const { tenantId } = context.principal;
    const file = caseFile(await this.reviewed(id, context, true), { tenantId, madeAt: this.clock.now() });
    const headers = { 'Content-Disposition': `attachment; filename="match-${id}.pdf"` };
    return new RawResponse(200, Readable.from(file), headers, PDF);
  }

  @Get('decisions')
  @RequiresKey('compliance')
  @RespondsWith(200, {
    summary: 'Decisions of checks and of screening in the background, newest first',
    type: DecisionsResponse,
  })
  async listDecisions(
    @Query() { since, identity_id: identityId, limit = 50, cursor }: ScreeningPageQuery,
    @Context() { principal: { tenantId } }: Caller,
  ): Promise<DecisionsResponse> {
    const wanted = { tenantId, since, identityId, before: placeOf(cursor), limit: limit + 1 };
    const found = await this.reader.decisionsOf(wanted);
    const { shown, next_cursor } = pageOf(found, limit, ({ position }) => ({ position, index: 0 }));
    return { decisions: shown.map(toSummary), next_cursor };
  }

  private async reviewed(id: string, context: Caller, reveal: boolean): Promise<ReviewedMatchResponse> {
    const match = await this.reader.match(id, context.principal.tenantId);
    const shown = await this.disclosures.one(match, context, reveal);
    return Object.assign(shown, { history: match.history.map(toStep) });
  }
}
