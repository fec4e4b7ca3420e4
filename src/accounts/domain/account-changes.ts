import { type FieldChange } from '../../kernel/field-change.js';
import { type AccountEvent, type ApiKeyIssued } from './account.events.js';
import { type Account } from './account.js';

const keyField = (keyId: string, field: string): string => `keys[${keyId}].${field}`;

const memberField = (memberId: string, field: string): string => `members[${memberId}].${field}`;

const issued = ({
  keyId,
  scopes,
  expiresAt,
  creditCapPerDay,
  allowedAddresses,
}: ApiKeyIssued['data']): FieldChange[] => [
  { field: keyField(keyId, 'name') },
  { field: keyField(keyId, 'scopes'), from: null, to: scopes },
  ...(expiresAt === null ? [] : [{ field: keyField(keyId, 'expires_at'), from: null, to: expiresAt }]),
  ...(creditCapPerDay === null
    ? []
    : [{ field: keyField(keyId, 'credit_cap_per_day'), from: null, to: creditCapPerDay }]),
  ...(allowedAddresses.length === 0
    ? []
    : [{ field: keyField(keyId, 'allowed_addresses'), from: [], to: allowedAddresses }]),
];

const STATUS = {
  'OperatorActProposed.v1': 'open',
  'OperatorActApproved.v1': 'approved',
  'OperatorActRejected.v1': 'rejected',
  'OperatorActFailed.v1': 'failed',
} as const;

const changesOf = (account: Account, event: AccountEvent): FieldChange[] => {
  switch (event.type) {
    case 'AccountCreated.v1':
      return [
        { field: 'status', from: null, to: 'active' },
        { field: 'name' },
        { field: 'tier', from: null, to: event.data.tier },
        { field: 'contact_email' },
      ];
    case 'AccountSuspended.v1':
      return [{ field: 'status', from: 'active', to: 'suspended' }, { field: 'suspension_reason' }];
    case 'AccountReinstated.v1':
      return [{ field: 'status', from: 'suspended', to: 'active' }, { field: 'suspension_reason' }];
    case 'AccountDistrusted.v1':
      return [{ field: 'distrusted', from: false, to: true }, { field: 'reason' }];
    case 'AccountTrusted.v1':
      return [{ field: 'distrusted', from: true, to: false }, { field: 'reason' }];
    case 'AccountLimitsChanged.v1': {
      const { rateLimitPerMinute, burstPerSecond } = event.data;
      const limits = [
        { field: 'rate_limit_per_minute', from: account.rateLimitPerMinute, to: rateLimitPerMinute },
        { field: 'burst_per_second', from: account.burstPerSecond, to: burstPerSecond },
      ];
      return limits.filter(({ from, to }) => from !== to);
    }
    case 'AccountContactChanged.v1':
      return [{ field: 'contact_email' }];
    case 'AccountRenamed.v1':
      return [{ field: 'name' }];
    case 'AccountTierChanged.v1':
      return [{ field: 'tier', from: account.tier, to: event.data.tier }];
    case 'AccountNamingChanged.v1':
      return [{ field: 'named_in_credentials', from: account.isNamed, to: event.data.isNamed }];
    case 'AlertThresholdsChanged.v1':
      return [{ field: 'alert_thresholds', from: account.alertThresholds, to: event.data.percentages }];
    case 'OperatorActProposed.v1':
    case 'OperatorActApproved.v1':
    case 'OperatorActRejected.v1':
    case 'OperatorActFailed.v1': {
      const { proposalId } = event.data;
      const field = `proposals[${proposalId}]`;
      return [{ field, from: account.proposals.get(proposalId)?.status ?? null, to: STATUS[event.type] }];
    }
    case 'MemberInvited.v1': {
      const { memberId, role } = event.data;
      const field = memberField(memberId, 'role');
      return [{ field, from: null, to: role }, { field: memberField(memberId, 'email') }];
    }
    case 'MemberInvitedAgain.v1':
      return [{ field: memberField(event.data.memberId, 'invitation') }];
    case 'MemberJoined.v1':
    case 'PasskeyAdded.v1':
    case 'PasskeyRemoved.v1':
      return [{ field: memberField(event.data.memberId, 'passkeys') }];
    case 'MemberRoleChanged.v1': {
      const { memberId, role } = event.data;
      return [{ field: memberField(memberId, 'role'), from: account.members.get(memberId)?.role ?? null, to: role }];
    }
    case 'MemberRenamed.v1':
      return [{ field: memberField(event.data.memberId, 'name') }];
    case 'MemberRemoved.v1': {
      const { memberId } = event.data;
      const field = memberField(memberId, 'status');
      return [{ field, from: account.members.get(memberId)?.status ?? null, to: 'removed' }];
    }
    case 'ApiKeyIssued.v1':
      return issued(event.data);
    case 'ApiKeyLimited.v1': {
      const { keyId, creditCapPerDay, allowedAddresses } = event.data;
      const before = account.keys.get(keyId);
      const limits = [
        { field: keyField(keyId, 'credit_cap_per_day'), from: before?.creditCapPerDay ?? null, to: creditCapPerDay },
        { field: keyField(keyId, 'allowed_addresses'), from: before?.allowedAddresses ?? [], to: allowedAddresses },
      ];
      return limits.filter(({ from, to }) => String(from) !== String(to));
    }
    case 'ApiKeyRotated.v1': {
      const { keyId, successorKeyId, expiresAt } = event.data;
      const from = account.keys.get(keyId)?.expiresAt ?? null;
      return [
        { field: keyField(keyId, 'successor_id'), from: null, to: successorKeyId },
        { field: keyField(keyId, 'expires_at'), from, to: expiresAt },
      ];
    }
    case 'ApiKeyRevoked.v1':
      return [{ field: keyField(event.data.keyId, 'revoked_at'), from: null, to: event.data.revokedAt }];
    // The payment provider's, never an operator's.
    case 'PaymentCustomerKept.v1':
    case 'SubscriptionStarted.v1':
    case 'SubscriptionRenewed.v1':
    case 'SubscriptionChanged.v1':
    case 'SubscriptionPastDue.v1':
    case 'SubscriptionLapsed.v1':
    case 'SubscriptionEnded.v1':
      return [];
  }
};

/**
 * What a command's events change of the account before them, by the API's names of the fields. The account's name, its contact,
 * reasons and names of keys are only named. A limit of null is the tier's own.
 */
export const accountChanges = (before: Account, events: readonly AccountEvent[]): FieldChange[] =>
  events.flatMap((event) => changesOf(before, event));
