import { Injectable } from '@nestjs/common';
import { AccountTiers } from '../kernel/account-tiers.js';
import { type TenantId } from '../kernel/ids.js';
import { type SubscriptionTier } from '../kernel/pricing.js';
import { AccountDirectory } from './account-directory.js';
import { tierOf } from './domain/account.js';

@Injectable()
export class DirectoryTiers extends AccountTiers {
  constructor(private readonly directory: AccountDirectory) {
    super();
  }

  override async tierOf(tenantId: TenantId): Promise<SubscriptionTier | undefined> {
    const record = await this.directory.find(tenantId);
    return record && tierOf(record.account);
  }
}
