import { Injectable } from '@nestjs/common';
import { type FastifyRequest } from 'fastify';
import { Payments } from './stripe/payments.js';
import { SignedSenders } from '../http/signed-senders.js';

const signatureOf = ({ headers }: Pick<FastifyRequest, 'headers'>): string | undefined =>
  [headers['stripe-signature']].flat()[0];

/** The payment provider's signature, over the bytes as they arrived. */
@Injectable()
export class PaymentSignatures extends SignedSenders {
  constructor(private readonly payments: Payments) {
    super();
  }

  override mayBeSigned({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
    return this.payments.mayBeSigned(signatureOf({ headers }));
  }

  override isSigned(request: Pick<FastifyRequest, 'headers' | 'rawBody'>): boolean {
    return this.payments.isSigned(request.rawBody ?? Buffer.alloc(0), signatureOf(request));
  }
}
