import { Controller, Inject, Post, Req } from '@nestjs/common';
import { ApiHeader, ApiProperty, ApiTags } from '@nestjs/swagger';
import { type FastifyRequest } from 'fastify';
import { RequiresSignature } from '../../http/access.js';
import { RespondsWith } from '../../http/responses.js';
import { LOGGER, type Logger } from '../../observability/logging.js';
import { Metrics } from '../../observability/metrics.js';
import { MalformedEvent, type PaymentNotice, Payments } from '../stripe/payments.js';
import { PaymentNotices } from '../payment-notices.js';
import { mapProviderErrors } from './provider-failures.js';

class Received {
  @ApiProperty({ example: true })
  received!: true;
}

@ApiTags('Billing')
@Controller('webhooks/payments')
export class PaymentWebhookController {
  private readonly countMalformed: (field: string) => void;

  constructor(
    private readonly payments: Payments,
    private readonly notices: PaymentNotices,
    metrics: Metrics,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    const help = 'Signed events of the payment provider that have another form, by the member at fault';
    this.countMalformed = metrics.counter('payment_events_malformed_total', help, 'field');
  }

  @Post()
  @RequiresSignature()
  @ApiHeader({
    name: 'Stripe-Signature',
    required: true,
    description: 'Time and HMAC-SHA256 of the body, as Stripe signs',
  })
  @RespondsWith(200, {
    summary: 'Receive an event of the payment provider',
    description: 'It answers once what follows is durable. An event counts once, however often it arrives.',
    type: Received,
    refuses: ['BAD_REQUEST'],
  })
  async receivePaymentEvent(@Req() request: FastifyRequest): Promise<Received> {
    return mapProviderErrors(() => this.take(request));
  }

  private async take(request: FastifyRequest): Promise<Received> {
    const notice = this.read(request);
    if (notice !== undefined) await this.notices.take(notice, request.id);
    return { received: true };
  }

  /** The provider repeats a malformed event for days, so someone can look at it. */
  private read(request: FastifyRequest): PaymentNotice | undefined {
    try {
      return this.payments.read(request.rawBody ?? Buffer.alloc(0));
    } catch (error) {
      if (error instanceof MalformedEvent) {
        this.countMalformed(error.field);
        this.logger.warn({ request_id: request.id, field: error.field }, 'a signed event of the provider is malformed');
      }
      throw error;
    }
  }
}
