import { type TenantId } from '../../src/kernel/ids.js';
import { type ReadModels } from '../../src/log/project/projection.js';

export const ACCOUNTS = 'accounts';

export interface AccountPage {
  /** Newest account first. */
  readonly tenantIds: readonly TenantId[];
  /** Number of all accounts. */
  readonly total: number;
}

interface TenantRow {
  readonly tenant_id: TenantId;
}

/**
 * Answers questions about all accounts and keys, which no single account's stream can answer. Everything throws
 * Unavailable if Postgres does not respond.
 */
export class AccountQueries {
  constructor(private readonly readModels: ReadModels) {}

  /** For each key id, the accounts that have such a key, even a revoked one. It is usually one account, rarely several. */
  async accountsWithKeys(keyIds: readonly string[]): Promise<ReadonlyMap<string, readonly TenantId[]>> {
    const rows = await this.readModels.query<TenantRow & { readonly key_id: string }>({
      name: 'accounts-with-keys',
      text: 'SELECT key_id, tenant_id FROM api_keys WHERE key_id = ANY($1)',
      values: [keyIds],
    });
    const found = new Map<string, TenantId[]>(keyIds.map((keyId) => [keyId, []]));
    for (const { key_id, tenant_id } of rows) found.get(key_id)?.push(tenant_id);
    return found;
  }

  async exists(tenantId: TenantId): Promise<boolean> {
    const rows = await this.readModels.query<TenantRow>({
      name: 'account-exists',
      text: 'SELECT tenant_id FROM accounts WHERE tenant_id = $1',
      values: [tenantId],
    });
    return rows.length > 0;
  }

  /** The first account behind this one, in the order of their ids. '' is before all. */
  async after(tenantId: string): Promise<TenantId | undefined> {
    const rows = await this.readModels.query<TenantRow>({
      name: 'account-after',
      text: 'SELECT tenant_id FROM accounts WHERE tenant_id > $1 ORDER BY tenant_id LIMIT 1',
      values: [tenantId],
    });
    return rows[0]?.tenant_id;
  }

  /**
   * Newest first, with the total, from one snapshot. `search` is a part of the name in any case, or a whole id. There are few
   * accounts beside what they do, so a scan of them suffices.
   */
  async page(limit: number, offset: number, search: string | undefined): Promise<AccountPage> {
    if (search !== undefined) return this.found(limit, offset, search);
    const [row] = await this.readModels.query<{ tenant_ids: TenantId[]; total: string }>({
      name: 'accounts-page',
      text: `SELECT (SELECT count(*) FROM accounts) AS total, ARRAY(
               SELECT tenant_id FROM accounts ORDER BY position DESC LIMIT $1 OFFSET $2
             ) AS tenant_ids`,
      values: [limit, offset],
    });
    return { tenantIds: row?.tenant_ids ?? [], total: Number(row?.total ?? 0) };
  }

  private async found(limit: number, offset: number, search: string): Promise<AccountPage> {
    const [row] = await this.readModels.query<{ tenant_ids: TenantId[]; total: string }>({
      name: 'accounts-found',
      text: `WITH found AS (
               SELECT tenant_id, position FROM accounts WHERE strpos(lower(name), lower($3)) > 0 OR tenant_id = $3
             )
             SELECT (SELECT count(*) FROM found) AS total, ARRAY(
               SELECT tenant_id FROM found ORDER BY position DESC LIMIT $1 OFFSET $2
             ) AS tenant_ids`,
      values: [limit, offset, search],
    });
    return { tenantIds: row?.tenant_ids ?? [], total: Number(row?.total ?? 0) };
  }

  /** Waits until the rows include everything up to this position. Returns whether they do. */
  reaches(position: bigint, budgetMs: number): Promise<boolean> {
    return this.readModels.waitFor(ACCOUNTS, position, budgetMs);
  }
}
