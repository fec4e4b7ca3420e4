import {
  FailAutoRecharge,
  PurchaseCredits,
  RestoreCredits,
  ReverseCredits,
} from '../credits/domain/credits.commands.js';
import { RECHARGE_FAILURES, type RechargeFailure } from '../credits/domain/credits.events.js';
import { type CommandMetadata, type Recorded } from '../kernel/events.js';
import { type TenantId } from '../kernel/ids.js';
import { type PaymentEvent } from './domain/payment.events.js';

export type CreditEffect = PurchaseCredits | ReverseCredits | RestoreCredits | FailAutoRecharge;

/** The credit account knows fewer reasons than the provider. */
const rechargeFailureOf = (reason: string): RechargeFailure =>
  RECHARGE_FAILURES.find((known) => known === reason) ?? 'declined';

/** What follows for the tenant's credits. Each counts once by its reference, however often it is sent. */
export const creditEffectOf = (tenantId: TenantId, event: Recorded<PaymentEvent>): CreditEffect | undefined => {
  const metadata: CommandMetadata = {
    requestId: event.metadata.$correlationId,
    causationId: event.id,
    actor: { type: 'system', id: 'payments' },
  };
  switch (event.type) {
    case 'PaymentReceived.v1': {
      const { reference, package: name, credits, amountMinor, origin } = event.data;
      return new PurchaseCredits(tenantId, { reference, package: name, credits, amountMinor, origin }, metadata);
    }
    case 'PaymentRefunded.v1': {
      const { purchaseId: purchaseReference, reference, credits } = event.data;
      if (credits === 0) return undefined;
      return new ReverseCredits(tenantId, { reference, purchaseReference, credits }, metadata);
    }
    case 'PaymentDisputed.v1': {
      const { purchaseId: purchaseReference, reference, credits } = event.data;
      if (credits === 0) return undefined;
      return new ReverseCredits(tenantId, { reference, purchaseReference, credits, dispute: true }, metadata);
    }
    case 'DisputeWon.v1': {
      const { reference, reversalReference, credits } = event.data;
      return credits === 0 ? undefined : new RestoreCredits(tenantId, { reference, reversalReference }, metadata);
    }
    case 'RefundFailed.v1': {
      const { reference, reversalReference } = event.data;
      if (reversalReference === null) return undefined;
      return new RestoreCredits(tenantId, { reference, reversalReference }, metadata);
    }
    case 'PaymentFailed.v1': {
      const { purchaseId, origin } = event.data;
      const reason = rechargeFailureOf(event.data.reason);
      return origin === 'auto_recharge' ? new FailAutoRecharge(tenantId, { purchaseId, reason }, metadata) : undefined;
    }
    // A recharge stays in flight while what was paid is held. Nothing is in flight of any other purchase.
    case 'HeldPaymentRefused.v1':
      return new FailAutoRecharge(tenantId, { purchaseId: event.data.purchaseId, reason: 'refused' }, metadata);
    case 'PaymentOpened.v1':
    case 'SubscriptionCheckoutOpened.v1':
    case 'CheckoutEnded.v1':
    case 'PaymentHeld.v1':
    case 'HeldPaymentReleased.v1':
    case 'DisputeLost.v1':
    default:
      return undefined;
  }
};
