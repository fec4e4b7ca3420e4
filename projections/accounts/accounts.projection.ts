import { ACCOUNT_STREAM_PREFIX, type AccountEvent } from '../../src/accounts/domain/account.events.js';
import { type Recorded, type StoredEvent, tenantOfStream } from '../../src/kernel/events.js';
import { defineProjection } from '../../src/log/project/define-projection.js';
import { type Statement } from '../../src/log/project/projection.js';

const SUSPEND = 'UPDATE accounts SET suspended = $2 WHERE tenant_id = $1';
const RENAME = 'UPDATE accounts SET name = $2 WHERE tenant_id = $1';
const CHANGE_TIER = 'UPDATE accounts SET tier = $2 WHERE tenant_id = $1';
const EXPIRE_KEY = 'UPDATE api_keys SET expires_at = $3 WHERE key_id = $2 AND tenant_id = $1';
const REVOKE_KEY = 'UPDATE api_keys SET revoked_at = $3 WHERE key_id = $2 AND tenant_id = $1';

/** Accounts change rarely, so each event gets its own statement. */
const statementOf = (event: Recorded<AccountEvent>): Statement | undefined => {
  const tenantId = tenantOfStream(event.stream);
  switch (event.type) {
    case 'AccountCreated.v1': {
      const { name, tier, createdAt } = event.data;
      return {
        text: `INSERT INTO accounts (tenant_id, name, tier, suspended, created_at, position) VALUES ($1, $2, $3, false, $4, $5)`,
        values: [tenantId, name, tier, createdAt, event.position],
      };
    }
    case 'AccountSuspended.v1':
      return { text: SUSPEND, values: [tenantId, true] };
    case 'AccountReinstated.v1':
      return { text: SUSPEND, values: [tenantId, false] };
    case 'AccountRenamed.v1':
      return { text: RENAME, values: [tenantId, event.data.name] };
    case 'AccountTierChanged.v1':
      return { text: CHANGE_TIER, values: [tenantId, event.data.tier] };
    case 'ApiKeyIssued.v1':
      return {
        text: `INSERT INTO api_keys (key_id, tenant_id, created_at, expires_at) VALUES ($2, $1, $3, $4)`,
        values: [tenantId, event.data.keyId, event.data.createdAt, event.data.expiresAt],
      };
    case 'ApiKeyRotated.v1':
      return { text: EXPIRE_KEY, values: [tenantId, event.data.keyId, event.data.expiresAt] };
    case 'ApiKeyRevoked.v1':
      return { text: REVOKE_KEY, values: [tenantId, event.data.keyId, event.data.revokedAt] };
    case 'ApiKeyLimited.v1':
    case 'OperatorActProposed.v1':
    case 'OperatorActApproved.v1':
    case 'OperatorActRejected.v1':
    case 'OperatorActFailed.v1':
    case 'MemberInvited.v1':
    case 'MemberInvitedAgain.v1':
    case 'MemberJoined.v1':
    case 'PasskeyAdded.v1':
    case 'PasskeyRemoved.v1':
    case 'MemberRoleChanged.v1':
    case 'MemberRenamed.v1':
    case 'MemberRemoved.v1':
    case 'AccountDistrusted.v1':
    case 'AccountTrusted.v1':
    case 'AccountContactChanged.v1':
    case 'AccountLimitsChanged.v1':
    case 'AccountNamingChanged.v1':
    case 'AlertThresholdsChanged.v1':
    case 'PaymentCustomerKept.v1':
    case 'SubscriptionStarted.v1':
    case 'SubscriptionRenewed.v1':
    case 'SubscriptionChanged.v1':
    case 'SubscriptionPastDue.v1':
    case 'SubscriptionLapsed.v1':
    case 'SubscriptionEnded.v1':
      return undefined;
  }
};

const project = (events: readonly StoredEvent[]): Statement[] =>
  events.flatMap((event) => statementOf(event as Recorded<AccountEvent>) ?? []);

/** All accounts, and the owners of API key ids. */
export const accounts = defineProjection(import.meta.url, {
  name: 'accounts',
  version: 2,
  tables: ['accounts', 'api_keys'],
  streamPrefixes: [ACCOUNT_STREAM_PREFIX],
  project,
});
