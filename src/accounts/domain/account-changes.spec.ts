import { type Envelope } from '../../kernel/envelope.js';
import { newTenantId } from '../../kernel/ids.js';
import { accountChanges } from './account-changes.js';
import { type AccountEvent } from './account.events.js';
import { accountDecider } from './account.js';

const AT = '2026-03-01T12:00:00.000Z';
const LATER = '2026-04-01T12:00:00.000Z';
const SECRET = 'must-not-be-told';
const sealed: Envelope = { v: 1, alg: 'A256GCM', key: SECRET, iv: SECRET, ct: SECRET };

const created: AccountEvent = {
  type: 'AccountCreated.v1',
  data: {
    tenantId: newTenantId(),
    environment: 'sandbox',
    name: SECRET,
    tier: 'starter',
    contactEmail: sealed,
    createdAt: AT,
  },
};
const issued = (keyId: string, expiresAt: string | null): AccountEvent => ({
  type: 'ApiKeyIssued.v1',
  data: {
    keyId,
    environment: 'sandbox',
    name: sealed,
    scopes: ['ingest'],
    secretHash: SECRET,
    createdAt: AT,
    expiresAt,
    creditCapPerDay: null,
    allowedAddresses: [],
    countsAs: keyId,
    boundBy: [],
  },
});

/** What the last of these events change, after the others. */
const changesOf = (before: readonly AccountEvent[], ...events: readonly AccountEvent[]) => {
  const account = before.reduce((state, event) => accountDecider.evolve(state, event), accountDecider.initialState());
  return accountChanges(account, events);
};

it.each<[string, readonly AccountEvent[], AccountEvent, object[]]>([
  [
    'an account is opened',
    [],
    created,
    [
      { field: 'status', from: null, to: 'active' },
      { field: 'name' },
      { field: 'tier', from: null, to: 'starter' },
      { field: 'contact_email' },
    ],
  ],
  [
    'it is suspended',
    [created],
    { type: 'AccountSuspended.v1', data: { reason: sealed, suspendedAt: AT } },
    [{ field: 'status', from: 'active', to: 'suspended' }, { field: 'suspension_reason' }],
  ],
  [
    'it is reinstated',
    [created],
    { type: 'AccountReinstated.v1', data: { reason: sealed, reinstatedAt: AT } },
    [{ field: 'status', from: 'suspended', to: 'active' }, { field: 'suspension_reason' }],
  ],
  [
    'one of its limits is set',
    [created],
    { type: 'AccountLimitsChanged.v1', data: { rateLimitPerMinute: 77, burstPerSecond: null, changedAt: AT } },
    [{ field: 'rate_limit_per_minute', from: null, to: 77 }],
  ],
  [
    'it gets another contact',
    [created],
    { type: 'AccountContactChanged.v1', data: { contactEmail: sealed, changedAt: AT } },
    [{ field: 'contact_email' }],
  ],
  [
    'it gets another name',
    [created],
    { type: 'AccountRenamed.v1', data: { name: SECRET, changedAt: AT } },
    [{ field: 'name' }],
  ],
  [
    'it gets another tier',
    [created],
    { type: 'AccountTierChanged.v1', data: { tier: 'growth', changedAt: AT } },
    [{ field: 'tier', from: 'starter', to: 'growth' }],
  ],
  [
    'its alerts change',
    [created],
    { type: 'AlertThresholdsChanged.v1', data: { percentages: [50], changedAt: AT } },
    [{ field: 'alert_thresholds', from: [20, 5, 0], to: [50] }],
  ],
  [
    'it lets credentials name it',
    [created],
    { type: 'AccountNamingChanged.v1', data: { isNamed: true, changedAt: AT } },
    [{ field: 'named_in_credentials', from: false, to: true }],
  ],
  [
    'it gets a key',
    [created],
    issued('abcd1234', LATER),
    [
      { field: 'keys[abcd1234].name' },
      { field: 'keys[abcd1234].scopes', from: null, to: ['ingest'] },
      { field: 'keys[abcd1234].expires_at', from: null, to: LATER },
    ],
  ],
  [
    'a key is rotated',
    [created, issued('abcd1234', LATER)],
    {
      type: 'ApiKeyRotated.v1',
      data: { keyId: 'abcd1234', successorKeyId: 'efgh5678', rotatedAt: AT, expiresAt: AT },
    },
    [
      { field: 'keys[abcd1234].successor_id', from: null, to: 'efgh5678' },
      { field: 'keys[abcd1234].expires_at', from: LATER, to: AT },
    ],
  ],
  [
    'a key is revoked',
    [created, issued('abcd1234', null)],
    { type: 'ApiKeyRevoked.v1', data: { keyId: 'abcd1234', revokedAt: LATER } },
    [{ field: 'keys[abcd1234].revoked_at', from: null, to: LATER }],
  ],
])(
  'tells from what to what each field changed, and only names what is personal, when %s',
  (_, before, event, changes) => {
    const actual = changesOf(before, event);
    expect(actual).toEqual(changes);
    expect(JSON.stringify(actual)).not.toContain(SECRET);
  },
);

it('tells the changes of all events of a command, against the account before it', () => {
  const events: AccountEvent[] = [
    { type: 'AccountTierChanged.v1', data: { tier: 'enterprise', changedAt: AT } },
    { type: 'AccountRenamed.v1', data: { name: 'Other', changedAt: AT } },
  ];
  expect(changesOf([created], ...events)).toEqual([
    { field: 'tier', from: 'starter', to: 'enterprise' },
    { field: 'name' },
  ]);
  expect(changesOf([created])).toEqual([]);
});
