import { Inject, Injectable } from '@nestjs/common';
import { balancesOf } from '../../../projections/ledger/billing.queries.js';
import { invariant } from '../../kernel/invariant.js';
import { Unavailable } from '../../kernel/unavailable.js';
import { type Config } from '../../platform/config/config.js';
import { ReadModels } from '../../log/project/projection.js';
import { CONFIG } from '../../platform/tokens.js';
import { AccountReader } from '../account-reader.js';
import { tierOf } from '../domain/account.js';
import { type AccountRecord } from '../domain/account-record.js';
import { effectiveLimits } from '../domain/limits.js';
import { type AccountResponse } from './account.dto.js';

/** Masks as `m***@***.org`: enough to recognise a known address, too little to write to it. */
export const maskEmail = (email: string): string => {
  const topLevel = email.slice(email.lastIndexOf('.') + 1);
  return `${email.charAt(0)}***@***.${topLevel}`;
};

const ifAway = (error: unknown): undefined => {
  if (!(error instanceof Unavailable)) throw error;
};

/** Presents an account to operators. It leaves out personal data and free text for those without access to them. */
@Injectable()
export class AccountPresenter {
  constructor(
    private readonly reader: AccountReader,
    private readonly readModels: ReadModels,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  async present(record: AccountRecord, unmasked: boolean): Promise<AccountResponse> {
    const [response] = await this.presentAll([record], unmasked);
    invariant(response !== undefined, 'one account has one answer');
    return response;
  }

  /**
   * The balances of all of them take one query. Without read models, as while they are rebuilt, an account is shown all the same:
   * what an operator has just done to it is done.
   */
  async presentAll(records: readonly AccountRecord[], unmasked: boolean): Promise<AccountResponse[]> {
    const tenantIds = records.map(({ tenantId }) => tenantId);
    const balances = tenantIds.length === 0 ? undefined : await balancesOf(this.readModels, tenantIds).catch(ifAway);
    const balanceOf = ({ tenantId }: AccountRecord): number | null => (balances ? (balances.get(tenantId) ?? 0) : null);
    return Promise.all(records.map((record) => this.presentOne(record, balanceOf(record), unmasked)));
  }

  private async presentOne(record: AccountRecord, balance: number | null, unmasked: boolean): Promise<AccountResponse> {
    const { tenantId, account } = record;
    const { environment, sandboxRateLimit } = this.config;
    const { perMinute, perSecond } = effectiveLimits(account, { environment, sandboxRateLimit });
    const email = await this.reader.open(record, record.contactEmail);
    return {
      tenant_id: tenantId,
      name: account.name,
      tier: tierOf(account),
      status: account.status,
      distrusted: account.distrusted,
      contact_email: email === null || unmasked ? email : maskEmail(email),
      balance,
      rate_limit_per_minute: perMinute,
      burst_per_second: perSecond,
      alert_thresholds: account.alertThresholds,
      suspension_reason: unmasked ? await this.reader.open(record, record.suspensionReason) : null,
      created_at: account.createdAt,
    };
  }
}
