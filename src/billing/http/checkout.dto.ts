import { ApiProperty } from '@nestjs/swagger';
import {
  CREDIT_PACKAGES,
  type CreditPackage,
  SUBSCRIPTION_TIERS,
  type SubscriptionTier,
} from '../../kernel/pricing.js';
import { EnumField, TextField, UrlField } from '../../http/fields.js';
import { LabelsField } from './labels.field.js';

const MAX_URL_LENGTH = 2_048;

class ReturnPagesBody {
  @UrlField({
    max: MAX_URL_LENGTH,
    description: 'Where the page leads after the payment; never fetched by the service',
  })
  success_url!: string;

  @UrlField({
    max: MAX_URL_LENGTH,
    description: 'Where the page leads without a payment; never fetched by the service',
  })
  cancel_url!: string;
}

export class LeftCheckoutQuery {
  @TextField()
  account!: string;

  @UrlField({ max: MAX_URL_LENGTH, description: 'The cancel_url of the checkout' })
  to!: string;

  @TextField({ description: 'The signature of the link' })
  sig!: string;
}

export class CreditsCheckoutBody extends ReturnPagesBody {
  @EnumField(Object.keys(CREDIT_PACKAGES))
  package!: CreditPackage;

  @LabelsField()
  metadata?: Record<string, string>;
}

export class SubscriptionCheckoutBody extends ReturnPagesBody {
  @EnumField(Object.keys(SUBSCRIPTION_TIERS))
  tier!: SubscriptionTier;
}

export class PortalBody {
  @UrlField({ max: MAX_URL_LENGTH, description: 'Where the portal leads back to; never fetched by the service' })
  return_url!: string;
}

export class CheckoutPage {
  @ApiProperty({
    format: 'uri',
    description: 'The hosted payment page',
    example: 'https://checkout.stripe.com/c/pay/cs_test_a1b2c3',
  })
  checkout_url!: string;
}

export class CreditsCheckoutPage extends CheckoutPage {
  @ApiProperty({ format: 'uuid', description: 'What became of it: /billing/purchases/{id}' })
  purchase_id!: string;
}

export class PortalPage {
  @ApiProperty({
    format: 'uri',
    description: 'The hosted portal',
    example: 'https://billing.stripe.com/p/session/test_a1b2c3',
  })
  portal_url!: string;
}
