import { Injectable } from '@nestjs/common';
import { deriveUuid, type TenantId } from '../kernel/ids.js';
import { type CommandMetadata } from '../kernel/events.js';
import { type Marks } from './stripe/payments.js';
import { type HoldPayment } from './domain/payment.commands.js';
import { PaymentLedger } from './payment-ledger.js';

/** Holds what names no tenant of ours. It has the shape of a tenant id, but no tenant has it. */
export const NOBODY = 't00000000000000000000000000' as TenantId;
const UNKNOWN_PURCHASES = 'b7f7f0c2-61cf-4f0e-9c79-8e0a5a0f5f0d';

/** The stream that a payment belongs to, by what it says of itself. */
export const placeOfPayment = (
  { tenantId, purchaseId }: Marks,
  providerId: string,
): { readonly tenantId: TenantId; readonly purchaseId: string } => ({
  tenantId: tenantId ?? NOBODY,
  purchaseId: purchaseId ?? deriveUuid(UNKNOWN_PURCHASES, providerId),
});

@Injectable()
export class HeldPayments {
  constructor(private readonly ledger: PaymentLedger) {}

  async hold(
    marks: Marks,
    fault: Pick<HoldPayment, 'reason' | 'amountMinor' | 'currency' | 'providerId'>,
    metadata: CommandMetadata,
  ): Promise<void> {
    const { tenantId, purchaseId } = placeOfPayment(marks, fault.providerId);
    await this.ledger.execute(tenantId, { type: 'HoldPayment', purchaseId, ...fault }, metadata);
  }
}
