import { Controller, Get, Inject, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Clock } from '../../kernel/clock.js';
import { isUuid, newUuid } from '../../kernel/ids.js';
import { refuse } from '../../kernel/rejection.js';
import { Context, RequiresKey } from '../../platform/http/access.js';
import { type RequestContext, type TenantPrincipal } from '../../platform/http/request-context.js';
import { RespondsWith } from '../../platform/http/responses.js';
import { CLOCK } from '../../platform/tokens.js';
import { DeliveryJobs } from '../delivery-jobs.js';
import { DeliveryRecord } from '../delivery-record.js';
import { envelopeOf } from '../domain/envelope.js';
import { EndpointReader } from '../endpoint-reader.js';
import { Feed } from '../feed.js';
import {
  DeliveriesQuery,
  DeliveriesResponse,
  FeedQuery,
  FeedResponse,
  RedeliveryResponse,
  toDeliveryResponse,
} from './deliveries.dto.js';

type Caller = RequestContext<TenantPrincipal>;

@ApiTags('Webhooks')
@Controller('api/v1')
export class DeliveriesController {
  constructor(
    private readonly reader: EndpointReader,
    private readonly record: DeliveryRecord,
    private readonly jobs: DeliveryJobs,
    private readonly feed: Feed,
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
    const { status, before, limit } = query;
    const rows = await this.record.list({ endpointId, status, before, limit: limit + 1 });
    return { deliveries: rows.slice(0, limit).map(toDeliveryResponse), has_more: rows.length > limit };
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

  @Get('events')
  @RequiresKey('webhooks')
  @RespondsWith(200, {
    summary: 'Every event of the last 30 days, whether or not an endpoint got it',
    type: FeedResponse,
  })
  async listEvents(@Query() { after, limit }: FeedQuery, @Context() context: Caller): Promise<FeedResponse> {
    const events = await this.feed.list(context.principal.tenantId, after, limit + 1);
    if (events === undefined)
      throw refuse('invalid_field', { field: 'after', detail: 'after: the id of an event of the last 30 days' });
    return { events: events.slice(0, limit).map(envelopeOf), has_more: events.length > limit };
  }
}
