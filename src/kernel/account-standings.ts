import { type TenantId } from './ids.js';

export interface AccountStanding {
  readonly name: string;
  readonly suspended: boolean;
  /** Whether credentials of wallets may name it. */
  readonly isNamed: boolean;
}

/** How an account stands, at most a second old on every instance, as the authentication of its keys sees it. */
export abstract class AccountStandings {
  /** Undefined if there is no such account. Throws Unavailable. */
  abstract of(tenantId: TenantId): Promise<AccountStanding | undefined>;
}
