import { Attempts } from '../kernel/attempts.js';
import { type TenantId } from '../kernel/ids.js';
import { chunk } from '../kernel/chunk.js';

/** Most rows in one sweep. The others wait for the next. */
export const ROWS_A_SWEEP = 10_000;
const ACCOUNTS_AT_ONCE = 8;

/** Works on the rows of each account, several accounts at once. Throws the first fault after all accounts are done. */
export const forEachAccount = async <Row extends { readonly tenantId: TenantId }>(
  rows: readonly Row[],
  work: (tenantId: TenantId, rows: readonly Row[]) => Promise<void>,
): Promise<void> => {
  const attempts = new Attempts();
  for (const group of chunk([...groupByTenant(rows)], ACCOUNTS_AT_ONCE)) {
    // An unreadable account must not delay the others.
    await Promise.all(group.map(([tenantId, its]) => attempts.make(() => work(tenantId, its))));
  }
  attempts.end();
};

const groupByTenant = <Row extends { readonly tenantId: TenantId }>(rows: readonly Row[]): Map<TenantId, Row[]> => {
  const groups = new Map<TenantId, Row[]>();
  for (const row of rows) {
    const group = groups.get(row.tenantId);
    if (group === undefined) groups.set(row.tenantId, [row]);
    else group.push(row);
  }
  return groups;
};

/**
 * Returns pages of rows in key order and starts again after the last one. So rows that cannot be handled yet do not
 * delay the others.
 */
export class Rotation<Row> {
  private after: Row | undefined;

  constructor(private readonly page: (limit: number, after?: Row) => Promise<readonly Row[]>) {}

  async next(): Promise<readonly Row[]> {
    const rows = await this.page(ROWS_A_SWEEP, this.after);
    this.after = rows.length < ROWS_A_SWEEP ? undefined : rows.at(-1);
    return rows;
  }
}
