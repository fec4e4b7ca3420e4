import { AT, TENANT, UUID } from '../contract/examples.js';
import { type SliceContract } from '../kernel/contract.js';

export const ACCOUNTS_CONTRACT = {
  tags: {
    Account: 'What the account says of itself.',
    'API keys': 'Create, rotate and revoke keys.',
    Members: 'People of an account, who sign in to the console.',
  },
  auditActions: {
    account_changed: 'changed what the account says of itself',
    member_invited: 'invited a member',
    member_changed: 'changed a member',
    member_removed: 'removed a member',
    member_joined: 'joined as a member',
    passkey_added: 'added a passkey',
    passkey_removed: 'removed a passkey',
    key_created: 'created an API key',
    key_changed: 'changed the limits of an API key',
    key_rotated: 'replaced an API key',
    key_revoked: 'revoked an API key',
  },
  rejections: {
    missing_api_key: { code: 'MISSING_API_KEY', detail: 'The header X-API-Key is required' },
    invalid_api_key: { code: 'INVALID_API_KEY', detail: 'The API key is not recognized' },
    expired_api_key: { code: 'EXPIRED_API_KEY', detail: 'The API key was revoked or has expired' },
    address_not_allowed: { code: 'ADDRESS_NOT_ALLOWED', detail: 'The API key may not be used from this address' },
    account_disabled: { code: 'ACCOUNT_DISABLED', detail: 'The account is suspended' },
    missing_token: { code: 'INVALID_TOKEN', detail: 'The header Authorization: Bearer <token> is required' },
    invalid_token: { code: 'INVALID_TOKEN', detail: 'A valid bearer token is required' },
    account_state_conflict: { code: 'CONFLICT', detail: 'The state of the account does not allow this' },
  },
  announcements: {
    'account.distrusted': {
      summary: 'What the account attests does not count any more, as an operator decided',
      example: { distrusted_at: AT },
    },
    'account.trusted': {
      summary: 'What the account attests counts again',
      example: { trusted_at: AT },
    },
  },
  pathIds: {
    accounts: [TENANT, 'The `tenant_id` of the account'],
    proposals: [UUID, 'The `proposal_id`'],
    members: ['mbr_01hzzzzzzzzzzzzzzzzzzzzzzz', 'The `member_id` of the member'],
    keys: ['HyBJKgiB', 'The id of the key: 8 characters that stand in it'],
  },
} as const satisfies SliceContract;

declare module '../kernel/contract.js' {
  interface ContractParts {
    readonly accounts: typeof ACCOUNTS_CONTRACT;
  }
}
