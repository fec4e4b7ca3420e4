import { Inject, Injectable } from '@nestjs/common';
import {
  BILLING,
  creditsByDay,
  type DayOfCredits,
  type Transaction,
  transactionAt,
  type TransactionPage,
  transactionPage,
  type Usage,
  usageBetween,
  type WantedPage,
} from '../../projections/ledger/billing.queries.js';
import {
  type FilteredPage,
  filteredTransactions,
  type TransactionFilter,
} from '../../projections/ledger/filtered-transactions.queries.js';
import { type TenantId } from '../kernel/ids.js';
import { type Config } from '../platform/config/config.js';
import { ReadModels } from '../log/project/projection.js';
import { CONFIG } from '../platform/tokens.js';
import { CreditRepository } from './credit-repository.js';
import { type CreditAccount } from './domain/credit-account.js';

/** How long a read waits for what this instance has appended itself. */
const OWN_EVENTS_BUDGET_MS = 1_000;

/** Reads of one account. The balance comes from the log; everything else from the ledger's rows. All throw Unavailable. */
@Injectable()
export class BillingReader {
  constructor(
    private readonly ledger: CreditRepository,
    private readonly readModels: ReadModels,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  async account(tenantId: TenantId, requestId: string): Promise<CreditAccount> {
    return (await this.ledger.current(tenantId, requestId, this.config.timing.storeBudget)).state;
  }

  async transactions(tenantId: TenantId, page: WantedPage): Promise<TransactionPage> {
    await this.catchUp(tenantId);
    return transactionPage(this.readModels, tenantId, page);
  }

  async filteredTransactions(
    tenantId: TenantId,
    filter: TransactionFilter,
    page: { readonly limit: number; readonly below?: number | undefined },
  ): Promise<FilteredPage> {
    await this.catchUp(tenantId);
    return filteredTransactions(this.readModels, tenantId, filter, page);
  }

  /** Throws Unavailable where the rows are late: one that was just made would be missed. */
  async transaction(tenantId: TenantId, revision: number): Promise<Transaction | undefined> {
    const found = await transactionAt(this.readModels, tenantId, revision);
    const written = this.ledger.lastPosition(tenantId);
    if (found !== undefined || written === undefined) return found;
    await this.readModels.reach(BILLING, written, OWN_EVENTS_BUDGET_MS);
    return transactionAt(this.readModels, tenantId, revision);
  }

  /** Days are YYYY-MM-DD, in UTC, both included. */
  async usage(tenantId: TenantId, first: string, last: string): Promise<readonly Usage[]> {
    await this.catchUp(tenantId);
    return usageBetween(this.readModels, tenantId, first, last);
  }

  /** At the end of each of these days, which are in order; the last one is today. */
  async balances(tenantId: TenantId, dates: readonly string[]): Promise<readonly DayOfCredits[]> {
    await this.catchUp(tenantId);
    return creditsByDay(this.readModels, tenantId, dates);
  }

  private async catchUp(tenantId: TenantId): Promise<void> {
    const written = this.ledger.lastPosition(tenantId);
    if (written !== undefined) await this.readModels.waitFor(BILLING, written, OWN_EVENTS_BUDGET_MS);
  }
}
