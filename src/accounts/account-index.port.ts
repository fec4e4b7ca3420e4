import { type TenantId } from '../kernel/ids.js';

export interface AccountPage {
  /** Newest account first. */
  readonly tenantIds: readonly TenantId[];
  /** Of all accounts there are. */
  readonly total: number;
}

/** Which accounts and keys there are: what no single account's stream can tell. All throw Unavailable. */
export abstract class AccountIndex {
  /** Of each key id the accounts that have one, revoked ones included: one as a rule, several by rare chance. */
  abstract accountsWithKeys(keyIds: readonly string[]): Promise<ReadonlyMap<string, readonly TenantId[]>>;
  abstract page(limit: number, offset: number): Promise<AccountPage>;
  /** Waits until the index contains what lies at or before this position in the log; tells whether it does. */
  abstract reaches(position: bigint, budgetMs: number): Promise<boolean>;
}
