import { Body, Controller, Delete, Get, Param, Patch, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { tenantMetadata } from '../../kernel/events.js';
import { newUuid } from '../../kernel/ids.js';
import { refuse } from '../../kernel/rejection.js';
import { Context, RequiresKey } from '../../http/access.js';
import { type RequestContext, type TenantPrincipal } from '../../http/request-context.js';
import { RespondsWith } from '../../http/responses.js';
import { ChangeEndpoint, DeleteEndpoint, RegisterEndpoint, RotateSecret } from '../commands.js';
import { Deliveries } from '../deliveries.js';
import { EndpointReader } from '../endpoint-reader.js';
import { TestDelivery } from '../test-delivery.js';
import { toEndpoint } from './endpoint.response.js';
import {
  ChangeEndpointBody,
  EndpointResponse,
  EndpointsResponse,
  NewEndpointResponse,
  RegisterEndpointBody,
  RotatedSecretResponse,
  RotateSecretBody,
  TestEndpointBody,
  TestResponse,
} from './endpoints.dto.js';

type Caller = RequestContext<TenantPrincipal>;

@ApiTags('Webhooks')
@Controller('api/v1/webhooks/endpoints')
export class EndpointsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly reader: EndpointReader,
    private readonly tests: TestDelivery,
    private readonly deliveries: Deliveries,
  ) {}

  @Post()
  @RequiresKey('webhooks')
  @RespondsWith(201, {
    summary: 'Register a receiver of events; 20 at most',
    type: NewEndpointResponse,
    refuses: ['CONFLICT'],
  })
  async createWebhookEndpoint(
    @Body() body: RegisterEndpointBody,
    @Context() context: Caller,
  ): Promise<NewEndpointResponse> {
    const { tenantId } = context.principal;
    const endpointId = context.keyed?.effectId('webhook_endpoint') ?? newUuid();
    const { url, description, events } = body;
    const metadata = tenantMetadata(context);
    const { secret } = await this.commands.execute(
      new RegisterEndpoint({ tenantId, endpointId, url, description, events, metadata }),
    );
    return Object.assign(await this.shown(context, endpointId), { secret });
  }

  @Get()
  @RequiresKey('webhooks')
  @RespondsWith(200, { summary: 'The registered endpoints, without their secrets', type: EndpointsResponse })
  async listWebhookEndpoints(@Context() context: Caller): Promise<EndpointsResponse> {
    const endpoints = await this.reader.list(context.principal.tenantId);
    const proven = await this.deliveries.provenUrls(endpoints.map(({ row }) => row.endpointId));
    return { endpoints: endpoints.map((endpoint) => toEndpoint(endpoint, proven)) };
  }

  @Get(':id')
  @RequiresKey('webhooks')
  @RespondsWith(200, { summary: 'One endpoint, without its secret', type: EndpointResponse })
  getWebhookEndpoint(@Param('id') id: string, @Context() context: Caller): Promise<EndpointResponse> {
    return this.shown(context, id);
  }

  @Patch(':id')
  @RequiresKey('webhooks')
  @RespondsWith(200, { summary: 'Change an endpoint; absent members stay as they are', type: EndpointResponse })
  async changeWebhookEndpoint(
    @Param('id') id: string,
    @Body() body: ChangeEndpointBody,
    @Context() context: Caller,
  ): Promise<EndpointResponse> {
    const { tenantId, endpointId } = await this.reader.require(context.principal.tenantId, id);
    const { url, events, is_active: active } = body;
    const description = body.description === '' ? null : body.description;
    const metadata = tenantMetadata(context);
    await this.commands.execute(
      new ChangeEndpoint({ tenantId, endpointId, url, description, events, active, metadata }),
    );
    return this.shown(context, id);
  }

  @Delete(':id')
  @RequiresKey('webhooks')
  @RespondsWith(204, { summary: 'Delete an endpoint with its secrets and deliveries' })
  async deleteWebhookEndpoint(@Param('id') id: string, @Context() context: Caller): Promise<void> {
    const { tenantId, endpointId } = await this.reader.require(context.principal.tenantId, id);
    await this.commands.execute(new DeleteEndpoint({ tenantId, endpointId, metadata: tenantMetadata(context) }));
  }

  @Post(':id/rotate-secret')
  @RequiresKey('webhooks')
  @RespondsWith(200, {
    summary: 'Replace the secret; the former one signs too for the overlap',
    type: RotatedSecretResponse,
  })
  async rotateWebhookSecret(
    @Param('id') id: string,
    @Body() body: RotateSecretBody,
    @Context() context: Caller,
  ): Promise<RotatedSecretResponse> {
    const { tenantId, endpointId } = await this.reader.require(context.principal.tenantId, id);
    const rotationId = context.keyed?.effectId('webhook_secret') ?? newUuid();
    const { overlap_seconds: overlapSeconds } = body;
    const metadata = tenantMetadata(context);
    const { secret, rotatedAt, overlapEndsAt } = await this.commands.execute(
      new RotateSecret({ tenantId, endpointId, rotationId, overlapSeconds, metadata }),
    );
    return { id: endpointId, secret, rotated_at: rotatedAt, overlap_ends_at: overlapEndsAt };
  }

  @Post(':id/test')
  @RequiresKey('webhooks')
  @RespondsWith(200, {
    summary: 'Send an example of an event type at once, in one try; 10 a minute',
    type: TestResponse,
    refuses: ['CONFLICT'],
  })
  async testWebhookEndpoint(
    @Param('id') id: string,
    @Body() body: TestEndpointBody,
    @Context() context: Caller,
  ): Promise<TestResponse> {
    const endpoint = await this.reader.require(context.principal.tenantId, id);
    if (!endpoint.active) throw refuse('webhook_endpoint_inactive');
    const { eventId, deliveryId, sent } = await this.tests.send(endpoint, body.event_type);
    return {
      event_id: eventId,
      delivery_id: deliveryId,
      status: sent.delivered ? 'delivered' : 'failed',
      response_status: sent.responseStatus,
      error: sent.error,
      duration_ms: sent.durationMs,
    };
  }

  private async shown(context: Caller, endpointId: string): Promise<EndpointResponse> {
    const row = await this.reader.require(context.principal.tenantId, endpointId);
    const [opened, proven] = await Promise.all([this.reader.open(row), this.deliveries.provenUrls([endpointId])]);
    return toEndpoint(opened, proven);
  }
}
