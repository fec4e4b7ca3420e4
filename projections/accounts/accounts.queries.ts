import { type TenantId } from '../../src/kernel/ids.js';
import { type ReadModels } from '../../src/platform/projections/projection.js';

export const ACCOUNTS = 'accounts';

interface TenantRow {
  readonly tenant_id: TenantId;
}

/** Which accounts and keys there are. Everything throws Unavailable where Postgres does not answer. */
export class AccountQueries {
  constructor(private readonly readModels: ReadModels) {}

  /** Of each key id the accounts that have one, revoked ones included. */
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

  /** Newest first, with the total, from one snapshot. */
  async page(
    limit: number,
    offset: number,
  ): Promise<{ readonly tenantIds: readonly TenantId[]; readonly total: number }> {
    const [row] = await this.readModels.query<{ tenant_ids: TenantId[]; total: string }>({
      name: 'accounts-page',
      text: `SELECT (SELECT count(*) FROM accounts) AS total, ARRAY(
               SELECT tenant_id FROM accounts ORDER BY position DESC LIMIT $1 OFFSET $2
             ) AS tenant_ids`,
      values: [limit, offset],
    });
    return { tenantIds: row?.tenant_ids ?? [], total: Number(row?.total ?? 0) };
  }

  /** Waits until everything at or before this position is in the rows; tells whether it is. */
  reaches(position: bigint, budgetMs: number): Promise<boolean> {
    return this.readModels.waitFor(ACCOUNTS, position, budgetMs);
  }
}
