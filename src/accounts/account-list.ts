import { Injectable } from '@nestjs/common';
import { AccountQueries } from '../../projections/accounts/accounts.queries.js';
import { AccountDirectory } from './account-directory.js';
import { type AccountRecord } from './domain/account-record.js';

const OWN_WRITES_BUDGET_MS = 1_000;

/** Lists accounts: the ids come from the index, the records from the accounts' own streams. */
@Injectable()
export class AccountList {
  constructor(
    private readonly index: AccountQueries,
    private readonly directory: AccountDirectory,
  ) {}

  /** Newest first. The page includes accounts that this instance has just opened. Throws Unavailable. */
  async page(
    limit: number,
    offset: number,
    search: string | undefined,
  ): Promise<{ records: AccountRecord[]; total: number }> {
    const written = this.directory.lastAppended;
    if (written !== undefined) await this.index.reaches(written, OWN_WRITES_BUDGET_MS);
    const { tenantIds, total } = await this.index.page(limit, offset, search);
    const records = await Promise.all(tenantIds.map((tenantId) => this.directory.find(tenantId)));
    return { records: records.filter((record) => record !== undefined), total };
  }
}
