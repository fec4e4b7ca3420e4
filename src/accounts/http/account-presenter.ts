import { Inject, Injectable } from '@nestjs/common';
import { type Config } from '../../platform/config/config.js';
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

/** Presents an account to operators. It leaves out personal data and free text for those without access to them. */
@Injectable()
export class AccountPresenter {
  constructor(
    private readonly reader: AccountReader,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  async present(record: AccountRecord, unmasked: boolean): Promise<AccountResponse> {
    const { tenantId, account } = record;
    const { perMinute, perSecond } = effectiveLimits(account, this.config.environment);
    const email = await this.reader.open(record, record.contactEmail);
    return {
      tenant_id: tenantId,
      name: account.name,
      tier: tierOf(account),
      status: account.status,
      contact_email: email === null || unmasked ? email : maskEmail(email),
      rate_limit_per_minute: perMinute,
      burst_per_second: perSecond,
      alert_thresholds: account.alertThresholds,
      suspension_reason: unmasked ? await this.reader.open(record, record.suspensionReason) : null,
      created_at: account.createdAt,
    };
  }
}
