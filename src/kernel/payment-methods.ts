import { type TenantId } from './ids.js';

/** The interface through which other slices ask about stored payment methods. */
export abstract class PaymentMethods {
  /** Whether a payment may be taken without the account's presence. Throws Unavailable. */
  abstract hasPaymentMethod(tenantId: TenantId): Promise<boolean>;
}
