import { Controller, Post, Req } from '@nestjs/common';
import { ApiHeader, ApiProperty, ApiTags } from '@nestjs/swagger';
import { type FastifyRequest } from 'fastify';
import { RequiresSignature } from '../../platform/http/access.js';
import { RespondsWith } from '../../platform/http/responses.js';
import { Payments } from '../../platform/payments/payments.js';
import { PaymentNotices } from '../payment-notices.js';
import { signatureOf } from '../payment-signatures.js';

class Received {
  @ApiProperty({ example: true })
  received!: true;
}

@ApiTags('Billing')
@Controller('webhooks/payments')
export class PaymentWebhookController {
  constructor(
    private readonly payments: Payments,
    private readonly notices: PaymentNotices,
  ) {}

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
  })
  async receive(@Req() request: FastifyRequest): Promise<Received> {
    const notice = this.payments.read(request.rawBody ?? Buffer.alloc(0), signatureOf(request));
    if (notice !== undefined) await this.notices.take(notice, request.id);
    return { received: true };
  }
}
