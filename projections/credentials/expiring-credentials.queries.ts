import { type ExpiryNotice } from '../../src/kernel/expiry-notices.js';
import { type TenantId } from '../../src/kernel/ids.js';
import { type ReadModels } from '../../src/log/project/projection.js';

export interface ExpiringCredential {
  readonly tenantId: TenantId;
  readonly credentialId: string;
  readonly expiresAt: Date;
}

const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/** Credentials that expire after `now` and by `until`, whose issuer has not had this notice or a later one. The soonest come first. */
export const credentialsExpiring = (
  readModels: ReadModels,
  { notice, now, until }: { readonly notice: ExpiryNotice; readonly now: Date; readonly until: Date },
  after: ExpiringCredential | undefined,
  limit: number,
): Promise<readonly ExpiringCredential[]> =>
  readModels.query({
    name: `credentials-expiring-${notice}`,
    text: `SELECT tenant_id AS "tenantId", credential_id AS "credentialId", expires_at AS "expiresAt" FROM credentials
           WHERE NOT revoked AND noticed IS DISTINCT FROM 'last' AND ($1 = 'last' OR noticed IS NULL)
             AND expires_at > $2 AND expires_at <= $3 AND (expires_at, credential_id) > ($4, $5)
           ORDER BY expires_at, credential_id LIMIT $6`,
    values: [notice, now, until, after?.expiresAt ?? '-infinity', after?.credentialId ?? FIRST_ID, limit],
  });
