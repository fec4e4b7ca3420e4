import { type TenantId } from '../kernel/ids.js';

export const groupByTenant = <Row extends { readonly tenantId: TenantId }>(
  rows: readonly Row[],
): Map<TenantId, Row[]> => {
  const groups = new Map<TenantId, Row[]>();
  for (const row of rows) {
    const group = groups.get(row.tenantId);
    if (group === undefined) groups.set(row.tenantId, [row]);
    else group.push(row);
  }
  return groups;
};
