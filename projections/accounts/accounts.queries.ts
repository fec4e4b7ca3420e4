import { type TenantId } from '../../src/kernel/ids.js';
import { type ReadModels } from '../../src/platform/projections/projection.js';

export const ACCOUNTS = 'accounts';

interface TenantRow {
  readonly tenant_id: TenantId;
}

/** Which accounts and keys there are. Everything throws Unavailable where Postgres does not answer. */
export class AccountQueries {
  constructor(private readonly readModels: ReadModels) {}

  /** The accounts that have a key of this id, revoked ones included. */
  async accountsWithKey(keyId: string): Promise<readonly TenantId[]> {
    const rows = await this.readModels.query<TenantRow>({
      name: 'accounts-with-key',
      text: 'SELECT tenant_id FROM api_keys WHERE key_id = $1',
      values: [keyId],
    });
    return rows.map(({ tenant_id }) => tenant_id);
  }

  /** Newest first. */
  async page(
    limit: number,
    offset: number,
  ): Promise<{ readonly tenantIds: readonly TenantId[]; readonly total: number }> {
    const [rows, totals] = await Promise.all([
      this.readModels.query<TenantRow>({
        name: 'accounts-page',
        text: 'SELECT tenant_id FROM accounts ORDER BY position DESC LIMIT $1 OFFSET $2',
        values: [limit, offset],
      }),
      this.readModels.query<{ total: string }>({
        name: 'accounts-total',
        text: 'SELECT count(*) AS total FROM accounts',
        values: [],
      }),
    ]);
    return { tenantIds: rows.map(({ tenant_id }) => tenant_id), total: Number(totals[0]?.total ?? 0) };
  }

  /** Waits until everything at or before this position is in the rows; tells whether it is. */
  reaches(position: bigint, budgetMs: number): Promise<boolean> {
    return this.readModels.waitFor(ACCOUNTS, position, budgetMs);
  }
}
