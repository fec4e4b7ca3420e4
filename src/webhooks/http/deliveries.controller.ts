import { Body, Controller, Get, Headers, Inject, Param, Post, Query, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type FastifyRequest } from 'fastify';
import { AuditTrail } from '../../kernel/access.js';
import { type Clock } from '../../kernel/clock.js';
import { isUuid, newUuid, type TenantId } from '../../kernel/ids.js';
import { refuse } from '../../kernel/rejection.js';
import { Context, RequiresKey } from '../../http/access.js';
import { EVENT_STREAM } from '../../http/event-streams.js';
import { type RequestContext, type TenantPrincipal } from '../../http/request-context.js';
import { type RawResponse, RespondsWith } from '../../http/responses.js';
import { CLOCK } from '../../platform/tokens.js';
import { DeliveryJobs } from '../delivery-jobs.js';
import { DeliveryRecord } from '../delivery-record.js';
import { type AnnouncedEvent, envelopeOf } from '../domain/envelope.js';
import { EndpointReader } from '../endpoint-reader.js';
import { Feed } from '../feed.js';
import { Responses } from '../responses.js';
import {
  AnsweredDeliveryResponse,
  toAnsweredDelivery,
  DeliveriesQuery,
  DeliveriesResponse,
  EndpointHealthResponse,
  EventResponse,
  FeedQuery,
  FeedResponse,
  RedeliveriesResponse,
  RedeliverFailedBody,
  RedeliveryResponse,
  StreamedFeedQuery,
  toDeliveryResponse,
} from './deliveries.dto.js';

type Caller = RequestContext<TenantPrincipal>;

/** Events that a stream sends at once. */
const STREAMED = 100;
const MAX_REPEATED = 1_000;

@ApiTags('Webhooks')
@Controller('api/v1')
export class DeliveriesController {
  constructor(
    private readonly reader: EndpointReader,
    private readonly record: DeliveryRecord,
    private readonly jobs: DeliveryJobs,
    private readonly responses: Responses,
    private readonly feed: Feed,
    private readonly audit: AuditTrail,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  @Get('webhooks/endpoints/:id/deliveries')
  @RequiresKey('webhooks')
  @RespondsWith(200, {
    summary: 'The deliveries of an endpoint and their tries, 30 days back',
    type: DeliveriesResponse,
  })
  async listWebhookDeliveries(
    @Param('id') id: string,
    @Query() query: DeliveriesQuery,
    @Context() context: Caller,
  ): Promise<DeliveriesResponse> {
    const { endpointId } = await this.reader.require(context.principal.tenantId, id);
    const { status, event_type: type, since, before, limit } = query;
    const rows = await this.record.list({ endpointId, status, type, since, before, limit: limit + 1 });
    return { deliveries: rows.slice(0, limit).map(toDeliveryResponse), has_more: rows.length > limit };
  }

  @Get('webhooks/endpoints/:id/health')
  @RequiresKey('webhooks')
  @RespondsWith(200, {
    summary: 'How deliveries to an endpoint ended, by the hour of the last 24',
    type: EndpointHealthResponse,
  })
  async getWebhookEndpointHealth(@Param('id') id: string, @Context() context: Caller): Promise<EndpointHealthResponse> {
    const { endpointId } = await this.reader.require(context.principal.tenantId, id);
    const { hours, isPart } = await this.record.health(endpointId, this.clock.now());
    return { is_part: isPart, hours: hours.map(({ hour, ...counts }) => ({ hour: hour.toISOString(), ...counts })) };
  }

  @Get('webhooks/deliveries/:id')
  @RequiresKey('webhooks')
  @RespondsWith(200, {
    summary: 'One delivery, with what the receiver answered to each try',
    type: AnsweredDeliveryResponse,
  })
  async getWebhookDelivery(@Param('id') id: string, @Context() context: Caller): Promise<AnsweredDeliveryResponse> {
    const { tenantId } = context.principal;
    const row = isUuid(id) ? await this.record.find(tenantId, id) : undefined;
    if (row === undefined) throw refuse('not_found');
    const responses = await Promise.all(
      row.attempts.map(({ attempt, response }) => this.responses.open(tenantId, id, attempt, response)),
    );
    const records = responses.some((response) => response !== null) ? 1 : 0;
    await this.audit.disclosed({ tenantId, action: 'events_read', records, access: context });
    return toAnsweredDelivery(row, responses);
  }

  @Post('webhooks/deliveries/:id/redeliver')
  @RequiresKey('webhooks')
  @RespondsWith(200, { summary: 'Deliver an event again', type: RedeliveryResponse, refuses: ['CONFLICT'] })
  async redeliverWebhook(@Param('id') id: string, @Context() context: Caller): Promise<RedeliveryResponse> {
    const { tenantId } = context.principal;
    const endpointId = isUuid(id) ? await this.record.endpointOf(tenantId, id) : undefined;
    if (endpointId === undefined) throw refuse('not_found');
    const { active } = await this.reader.require(tenantId, endpointId);
    if (!active) throw refuse('webhook_endpoint_inactive');
    const deliveryId = context.keyed?.effectId('redelivery') ?? newUuid();
    await this.record.repeat(id, deliveryId, this.clock.now());
    void this.jobs.wake([endpointId]);
    return { delivery_id: deliveryId, status: 'pending' };
  }

  @Post('webhooks/endpoints/:id/redeliver-failed')
  @RequiresKey('webhooks')
  @RespondsWith(200, {
    summary: 'Deliver again what an endpoint failed to take',
    description: `Each event whose last delivery failed, the oldest first, at most ${MAX_REPEATED}: ask again for more.`,
    type: RedeliveriesResponse,
    refuses: ['CONFLICT'],
  })
  async redeliverFailedWebhooks(
    @Param('id') id: string,
    @Body() { since }: RedeliverFailedBody,
    @Context() context: Caller,
  ): Promise<RedeliveriesResponse> {
    const { endpointId, active } = await this.reader.require(context.principal.tenantId, id);
    if (!active) throw refuse('webhook_endpoint_inactive');
    const now = this.clock.now();
    const deliveries = await this.record.repeatFailed(endpointId, since, now, MAX_REPEATED);
    void this.jobs.wake([endpointId]);
    return { deliveries, has_more: deliveries === MAX_REPEATED };
  }

  @Get('events')
  @RequiresKey('webhooks')
  @RespondsWith(200, {
    summary: 'Every event of the last 30 days, whether or not an endpoint got it',
    type: FeedResponse,
  })
  async listEvents(@Query() { after, limit }: FeedQuery, @Context() context: Caller): Promise<FeedResponse> {
    const events = await this.feed.list(context.principal.tenantId, after, limit + 1);
    if (events === undefined) throw unknownEvent();
    const shown = events.slice(0, limit);
    await this.disclose(shown, context);
    return { events: shown.map(envelopeOf), has_more: events.length > limit };
  }

  @Get('events/:event_id')
  @RequiresKey('webhooks')
  @RespondsWith(200, { summary: 'One event, as a receiver gets it', type: EventResponse })
  async getEvent(@Param('event_id') id: string, @Context() context: Caller): Promise<EventResponse> {
    const event = isUuid(id) ? await this.feed.find(context.principal.tenantId, id) : undefined;
    if (event === undefined) throw refuse('not_found');
    await this.disclose([event], context);
    return envelopeOf(event);
  }

  @Get('events/stream')
  @RequiresKey('webhooks')
  @RespondsWith(200, {
    summary: 'The same events as they happen, as server-sent events',
    description:
      'Begins after the event that `after` or the header Last-Event-ID names, otherwise with what happens from now on. Where that event is not known (any more), it says so first by an event `reset`, whose `oldest` is the id of the oldest event that is kept.',
    content: [{ type: EVENT_STREAM }],
  })
  async streamEvents(
    @Query() { after, seconds }: StreamedFeedQuery,
    @Headers('last-event-id') lastSeen: string | undefined,
    @Context() context: Caller,
    @Req() request: FastifyRequest,
  ): Promise<RawResponse> {
    const { tenantId } = context.principal;
    const named = lastSeen === undefined || lastSeen === '' ? after : lastSeen;
    const known = named === undefined ? undefined : await this.named(tenantId, named);
    const begin = known ?? (await this.feed.newest(tenantId));
    let place = begin?.place ?? '0';
    let isReset = named !== undefined && known === undefined;
    const next = async () => {
      if (isReset) {
        isReset = false;
        return [{ event: 'reset', data: { oldest: (await this.feed.oldest(tenantId)) ?? null } }];
      }
      const { events, place: last } = await this.feed.after(tenantId, place, STREAMED);
      await this.disclose(events, context);
      place = last;
      return events.map((event) => ({ id: event.id, data: envelopeOf(event) }));
    };
    return request.eventStream(seconds, next, begin?.id);
  }

  private disclose(events: readonly AnnouncedEvent[], context: Caller): Promise<void> {
    const records = events.filter(({ isOpened }) => isOpened === true).length;
    return this.audit.disclosed({
      tenantId: context.principal.tenantId,
      action: 'events_read',
      records,
      access: context,
    });
  }

  private async named(
    tenantId: TenantId,
    id: string,
  ): Promise<{ readonly id: string; readonly place: string } | undefined> {
    const place = isUuid(id) ? await this.feed.placeOf(tenantId, id) : undefined;
    return place === undefined ? undefined : { id, place };
  }
}

const unknownEvent = (): Error =>
  refuse('invalid_field', { field: 'after', detail: 'after: no event of the account in 90 days: start without after' });
