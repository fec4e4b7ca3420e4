import { defineCategory } from '../../kernel/category.js';
import { paymentStream } from './payment.events.js';
import { paymentDecider } from './payment.js';

export const paymentCategory = defineCategory({
  name: 'payment',
  stream: paymentStream,
  decider: paymentDecider,
  events: {
    'PaymentOpened.v1': { personal: { labels: 'texts' } },
    'SubscriptionCheckoutOpened.v1': {},
    'PaymentReceived.v1': {},
    'PaymentFailed.v1': {},
    'CheckoutEnded.v1': {},
    'PaymentHeld.v1': {},
    'HeldPaymentReleased.v1': {},
    'HeldPaymentRefused.v1': {},
    'PaymentRefunded.v1': {},
    'RefundFailed.v1': {},
    'PaymentDisputed.v1': {},
    'DisputeWon.v1': {},
    'DisputeLost.v1': {},
  },
  kept: 'records',
});
