import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Context, RequiresKey } from '../../http/access.js';
import { type RequestContext, type TenantPrincipal } from '../../http/request-context.js';
import { isRequestId } from '../../http/request-id.js';
import { RespondsWith } from '../../http/responses.js';
import { refuse } from '../../kernel/rejection.js';
import { RequestReader } from '../request-reader.js';
import {
  cursorOf,
  FollowedRequestResponse,
  placeIn,
  RequestCountsQuery,
  RequestCountsResponse,
  RequestsQuery,
  RequestsResponse,
  statusesIn,
  toCounts,
  toFollowedRequest,
  toRequest,
} from './requests.dto.js';

type Caller = RequestContext<TenantPrincipal>;

@ApiTags('Requests')
@Controller('api/v1/requests')
export class RequestsController {
  constructor(private readonly requests: RequestReader) {}

  @Get()
  @RequiresKey('keys')
  @RespondsWith(200, {
    summary: 'The account’s own requests, newest first, 30 days back',
    description:
      'Without bodies, addresses or persons. A request appears within a second or two. Filters look through 20,000 requests a page, so a page may be short and still have a `next_cursor`.',
    type: RequestsResponse,
  })
  async listRequests(@Query() query: RequestsQuery, @Context() context: Caller): Promise<RequestsResponse> {
    const { status, error_code: errorCode, key_id: actorId, actor_type: actorType, since, limit, cursor } = query;
    const { tenantId } = context.principal;
    const route = query.route?.replaceAll(/\{(\w+)\}/g, ':$1');
    const wanted = { tenantId, ...statusesIn(status), route, errorCode, actorId, actorType, since };
    const after = cursor === undefined ? undefined : placeIn(cursor);
    const page = await this.requests.page(wanted, limit, after);
    if (page === undefined) throw refuse('invalid_field', { field: 'cursor', detail: 'The next_cursor of a page' });
    return { requests: page.rows.map(toRequest), next_cursor: page.next === null ? null : cursorOf(page.next) };
  }

  @Get('summary')
  @RequiresKey('keys')
  @RespondsWith(200, {
    summary: 'How the account’s own requests ended, by hour or day',
    description: 'The newest 20,000 requests are counted; `since` says how far back they go.',
    type: RequestCountsResponse,
  })
  async summariseRequests(
    @Query() { hours, actor_type: actorType }: RequestCountsQuery,
    @Context() context: Caller,
  ): Promise<RequestCountsResponse> {
    return toCounts(await this.requests.counts(context.principal.tenantId, hours, actorType));
  }

  @Get(':request_id')
  @RequiresKey('keys')
  @RespondsWith(200, {
    summary: 'One request, with its charge, audit entries, events and deliveries',
    type: FollowedRequestResponse,
  })
  async getRequest(
    @Param('request_id') requestId: string,
    @Context() context: Caller,
  ): Promise<FollowedRequestResponse> {
    const { tenantId } = context.principal;
    const found = isRequestId(requestId) ? await this.requests.find(tenantId, requestId) : undefined;
    if (found === undefined) throw refuse('not_found');
    return toFollowedRequest(found);
  }
}
