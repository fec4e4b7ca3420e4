import { type AccountMetadata } from '../accounts/domain/account-metadata.commands.js';
import {
  KeepPaymentCustomer,
  LapseSubscription,
  ObserveSubscription,
} from '../accounts/domain/subscription.commands.js';
import { newUuid, type TenantId } from '../kernel/ids.js';

const metadataAt = (requestId: string, at: Date): AccountMetadata => ({
  requestId,
  commandId: newUuid(),
  actor: { type: 'system', id: 'payments' },
  at: at.toISOString(),
});

/** What billing asks of a tenant's account. `requestId` is that of the request that led to it. */
export const observeSubscription = (
  tenantId: TenantId,
  observed: ObserveSubscription['data'],
  requestId: string,
  at: Date,
): ObserveSubscription => new ObserveSubscription(tenantId, observed, metadataAt(requestId, at));

export const keepPaymentCustomer = (
  tenantId: TenantId,
  customer: KeepPaymentCustomer['data'],
  requestId: string,
  at: Date,
): KeepPaymentCustomer => new KeepPaymentCustomer(tenantId, customer, metadataAt(requestId, at));

export const lapseSubscription = (tenantId: TenantId, subscriptionId: string, at: Date): LapseSubscription =>
  new LapseSubscription(tenantId, { subscriptionId }, metadataAt(newUuid(), at));
