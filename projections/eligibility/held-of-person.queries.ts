import { type TenantId } from '../../src/kernel/ids.js';
import { type ReadModels } from '../../src/log/project/projection.js';

export interface HeldIdentity {
  readonly tenantId: TenantId;
  readonly identityId: string;
}

/** The identities of this person at all accounts, whatever their status, deleted ones too. */
export const heldOfPerson = (readModels: ReadModels, identityHash: string): Promise<readonly HeldIdentity[]> =>
  readModels.query({
    name: 'held-of-person',
    text: `SELECT tenant_id AS "tenantId", identity_id AS "identityId" FROM attestations WHERE identity_hash = $1
           ORDER BY tenant_id`,
    values: [identityHash],
  });

/**
 * Whether the account has deleted this person's identity, until its erasure is complete. An erasure of ingestions that made no
 * identity counts too. Throws Unavailable.
 */
export const isDeletedAt = async (
  readModels: ReadModels,
  tenantId: TenantId,
  identityHash: string,
): Promise<boolean> => {
  const rows = await readModels.query({
    name: 'deleted-at',
    text: `SELECT 1 FROM attestations WHERE identity_hash = $1 AND tenant_id = $2 AND deleted UNION ALL
           SELECT 1 FROM retention_due WHERE identity_hash = $1 AND tenant_id = $2 AND kind = 'erasure'`,
    values: [identityHash, tenantId],
  });
  return rows.length > 0;
};
