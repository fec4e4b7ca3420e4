import { Body, Controller, Get, Inject, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type AuditCursor, type WantedEntries } from '../../../projections/ledger/audit-log.queries.js';
import { type Clock } from '../../kernel/clock.js';
import { EventProofs, MAX_PROOFS } from '../../kernel/event-proofs.js';
import { refuse } from '../../kernel/rejection.js';
import { Accepted } from '../../http/accept.js';
import { Context, RequiresKey } from '../../http/access.js';
import { CSV, ENTRY_FORMATS, NDJSON, streamed } from '../../http/entry-files.js';
import { type FieldFault } from '../../http/failure.js';
import { type RequestContext, type TenantPrincipal } from '../../http/request-context.js';
import { type RawResponse, RespondsWith } from '../../http/responses.js';
import { asFailure } from '../../http/validate.js';
import { CLOCK } from '../../platform/tokens.js';
import { AuditLogReader, type OpenedEntry, type WantedLog } from '../audit-log-reader.js';
import { formatCursor, parseCursor } from './audit-cursor.js';
import { provenPage } from './audit-log-proofs.js';
import { AUDIT_LOG_TABLE } from './audit-log-table.js';
import { AuditLogQuery, AuditLogSearch } from './audit-log.dto.js';
import { AuditSummaryAnswer, AuditSummaryQuery, summarisedDays, toAuditSummary } from './audit-summary.dto.js';
import { AuditLogAnswer, type AuditLogEntryAnswer, toAuditLogEntry } from './audit-log.response.js';

type Caller = RequestContext<TenantPrincipal>;

const DEFAULT_LIMIT = 100;

const placeOf = ({ limit, offset, cursor }: AuditLogQuery, defaultLimit: number): WantedEntries => {
  if (cursor === undefined) return { limit: limit ?? defaultLimit, offset: offset ?? 0 };
  const after = parseCursor(cursor);
  if (after === undefined) throw refuse('invalid_field', { field: 'cursor', detail: 'The next_cursor of a page' });
  if ((offset ?? 0) > 0)
    throw refuse('invalid_field', { field: 'offset', detail: '0, or no offset, together with cursor' });
  return { limit: limit ?? defaultLimit, after };
};

const wantedBy = ({ principal }: Caller, query: AuditLogQuery): WantedLog => ({
  tenantId: principal.tenantId,
  start: query.start_date,
  end: query.end_date,
  actions: query.action,
  results: query.result,
  actor: query.actor,
  requestId: query.request_id,
  identityId: query.identity_id,
});

const lacks = (field: string): FieldFault => ({
  field,
  code: 'MISSING_FIELD',
  detail: 'email and phone_number name a person together',
});

/** A person by e-mail and phone number together, and not by an id as well. */
const personIn = ({ email, phone_number: phone, identity_id: id }: AuditLogSearch): WantedLog['person'] => {
  if (email === undefined && phone === undefined) return undefined;
  if (email === undefined) throw asFailure([lacks('email')]);
  if (phone === undefined) throw asFailure([lacks('phone_number')]);
  if (id !== undefined)
    throw refuse('invalid_field', { field: 'identity_id', detail: 'Either identity_id, or email and phone_number' });
  return { email, phone };
};

const answered = (logs: readonly OpenedEntry[]): AuditLogEntryAnswer[] =>
  logs.map(({ entry, access }) => toAuditLogEntry(entry, access));

/** `next`: the last entry of the page, if others follow. */
const asPage = (
  logs: AuditLogEntryAnswer[],
  range: { readonly total: number; readonly limit: number; readonly offset: number },
  next: AuditCursor | undefined,
): AuditLogAnswer => {
  const next_cursor = next === undefined ? null : formatCursor(next);
  return { logs, pagination: { ...range, has_more: next_cursor !== null, next_cursor } };
};

@ApiTags('Compliance')
@Controller('api/v1/compliance/audit-log')
export class AuditLogController {
  constructor(
    private readonly log: AuditLogReader,
    private readonly proofs: EventProofs,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  @Get()
  @RequiresKey('compliance')
  @RespondsWith(200, {
    summary: 'Who looked at what, newest first',
    description:
      'With Accept: text/csv or application/x-ndjson all matching entries are streamed, or the first `limit`.',
    type: AuditLogAnswer,
    content: [{ type: CSV }, { type: NDJSON }],
  })
  getAuditLog(
    @Query() query: AuditLogQuery,
    @Context() context: Caller,
    @Accepted(ENTRY_FORMATS) format: string,
  ): Promise<AuditLogAnswer> | RawResponse {
    return this.answer(wantedBy(context, query), query, format);
  }

  @Get('summary')
  @RequiresKey('compliance')
  @RespondsWith(200, { summary: 'How many entries each day has, by action and result', type: AuditSummaryAnswer })
  async summariseAuditLog(@Query() query: AuditSummaryQuery, @Context() context: Caller): Promise<AuditSummaryAnswer> {
    const days = summarisedDays(query, this.clock.now());
    return toAuditSummary(days, await this.log.days(context.principal.tenantId, days));
  }

  @Post('search')
  @RequiresKey('compliance', { isRead: true })
  @RespondsWith(200, {
    summary: 'The same, also for a person by e-mail and phone number',
    description: 'As GET /api/v1/compliance/audit-log. What a search names stands in no URL.',
    type: AuditLogAnswer,
    content: [{ type: CSV }, { type: NDJSON }],
  })
  searchAuditLog(
    @Body() body: AuditLogSearch,
    @Context() context: Caller,
    @Accepted(ENTRY_FORMATS) format: string,
  ): Promise<AuditLogAnswer> | RawResponse {
    return this.answer({ ...wantedBy(context, body), person: personIn(body) }, body, format);
  }

  private answer(wanted: WantedLog, query: AuditLogQuery, format: string): Promise<AuditLogAnswer> | RawResponse {
    const [json] = ENTRY_FORMATS;
    if (query.proof === true && format !== json)
      throw refuse('invalid_field', { field: 'proof', detail: 'true only together with Accept: application/json' });
    return format === json
      ? this.pageOf(wanted, placeOf(query, DEFAULT_LIMIT), query.proof === true)
      : streamed(this.answers(wanted, placeOf(query, Infinity)), format, AUDIT_LOG_TABLE);
  }

  private async pageOf(wanted: WantedLog, place: WantedEntries, proven: boolean): Promise<AuditLogAnswer> {
    const { limit, offset = 0 } = place;
    if (proven && limit > MAX_PROOFS)
      throw refuse('invalid_field', { field: 'limit', detail: `At most ${MAX_PROOFS} with proof=true` });
    const { total, next, logs: opened } = await this.log.page(wanted, place);
    const logs = answered(opened);
    if (!proven) return asPage(logs, { total, limit, offset }, next);
    const entries = opened.map(({ entry }) => entry);
    const proofs = await provenPage(this.proofs, wanted.tenantId, entries);
    const shown = logs.slice(0, proofs.length).map((entry, at) => Object.assign(entry, proofs[at]));
    if (shown.length === logs.length) return asPage(shown, { total, limit, offset }, next);
    return asPage(shown, { total, limit: shown.length, offset }, entries[shown.length - 1]?.place);
  }

  private async *answers(wanted: WantedLog, place: WantedEntries): AsyncGenerator<AuditLogEntryAnswer[]> {
    for await (const page of this.log.pages(wanted, place)) yield answered(page);
  }
}
