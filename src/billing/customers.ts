import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { type BillingAccount, BillingAccounts } from '../kernel/billing-accounts.js';
import { type Clock } from '../kernel/clock.js';
import { type TenantId } from '../kernel/ids.js';
import { refuse } from '../kernel/rejection.js';
import { Payments } from './stripe/payments.js';
import { CLOCK } from '../platform/tokens.js';
import { keepPaymentCustomer } from './account-commands.process.js';

/** The tenants' customers at the payment provider. They carry the tenant's id, and no personal data. */
@Injectable()
export class Customers {
  constructor(
    private readonly accounts: BillingAccounts,
    private readonly payments: Payments,
    private readonly commands: CommandBus,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async accountOf(tenantId: TenantId): Promise<BillingAccount> {
    const account = await this.accounts.read(tenantId);
    if (account === undefined) throw refuse('not_found');
    return account;
  }

  /** The customer of this account, created at first need. */
  async customerOf(tenantId: TenantId, { customerId }: BillingAccount, requestId: string): Promise<string> {
    if (customerId !== null) return customerId;
    const created = await this.payments.createCustomer(tenantId);
    await this.keep(tenantId, created, null, requestId);
    return created;
  }

  /** Remembers customer and card for payments without the person. */
  async keep(tenantId: TenantId, customerId: string, paymentMethodId: string | null, requestId: string): Promise<void> {
    const customer = { customerId, paymentMethodId };
    await this.commands.execute(keepPaymentCustomer(tenantId, customer, requestId, this.clock.now()));
  }
}
