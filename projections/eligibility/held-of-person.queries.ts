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
