import fc from 'fast-check';
import { givenFor, stateAfter } from '../../../test/support/given.js';
import { type Envelope } from '../../kernel/envelope.js';
import { newTenantId } from '../../kernel/ids.js';
import { isRejection } from '../../kernel/rejection.js';
import { SCOPES } from '../../kernel/scopes.js';
import { type AccountMetadata } from './account-metadata.commands.js';
import {
  ChangeAccount,
  CreateAccount,
  IssueApiKey,
  ReinstateAccount,
  RevokeApiKey,
  RotateApiKey,
  SuspendAccount,
  type AccountCommand,
} from './account.commands.js';
import { type AccountEvent } from './account.events.js';
import { accountDecider, MAX_LIVE_KEYS } from './account.js';

const tenantId = newTenantId();
const AT = '2026-03-01T12:00:00.000Z';
const LATER = '2026-03-02T12:00:00.000Z';
const sealed: Envelope = { v: 1, alg: 'A256GCM', key: 'key', iv: 'iv', ct: 'ct' };
const metadata = (at = AT): AccountMetadata => ({
  requestId: 'r1',
  commandId: 'c1',
  actor: { type: 'operator', id: 'o1' },
  at,
});

const created: AccountEvent = {
  type: 'AccountCreated.v1',
  data: { tenantId, environment: 'sandbox', name: 'Bank', tier: 'starter', contactEmail: sealed, createdAt: AT },
};
const keyIssued = (
  keyId: string,
  scopes: readonly string[] = SCOPES,
  expiresAt: string | null = null,
  bound: { readonly countsAs?: string; readonly boundBy?: readonly string[] } = {},
): AccountEvent => ({
  type: 'ApiKeyIssued.v1',
  data: {
    keyId,
    environment: 'sandbox',
    name: sealed,
    scopes,
    secretHash: `hash-${keyId}`,
    createdAt: AT,
    expiresAt,
    creditCapPerDay: null,
    allowedAddresses: [],
    countsAs: keyId,
    boundBy: [],
    ...bound,
  },
});
const revoked = (keyId: string): AccountEvent => ({ type: 'ApiKeyRevoked.v1', data: { keyId, revokedAt: AT } });
const suspended: AccountEvent = { type: 'AccountSuspended.v1', data: { reason: null, suspendedAt: AT } };

const newKey = (keyId: string) => ({ keyId, environment: 'sandbox', name: sealed, secretHash: `hash-${keyId}` });
const create = () =>
  new CreateAccount(
    tenantId,
    { name: 'Bank', tier: 'starter', environment: 'sandbox', contactEmail: sealed, firstKey: newKey('first') },
    metadata(),
  );
const issue = (
  keyId: string,
  grantedBy: string | null,
  wanted: { scopes?: readonly string[]; expiresAt?: string } = {},
): AccountCommand => new IssueApiKey(tenantId, { key: { ...newKey(keyId), ...wanted }, grantedBy }, metadata());
const rotate = (keyId: string, successorId: string, grantedBy: string | null, overlapSeconds = 60): AccountCommand =>
  new RotateApiKey(
    tenantId,
    { keyId, successor: newKey(successorId), name: sealed, overlapSeconds, grantedBy },
    metadata(),
  );
const revoke = (keyId: string) => new RevokeApiKey(tenantId, { keyId }, metadata());
const suspend = () => new SuspendAccount(tenantId, { reason: sealed }, metadata());
const reinstate = () => new ReinstateAccount<Envelope>(tenantId, { reason: sealed }, metadata());
const change = (data: ChangeAccount<Envelope>['data']) => new ChangeAccount(tenantId, data, metadata());

const given = givenFor(accountDecider);

describe('opening an account', () => {
  it('creates it together with a first key that has every scope', () =>
    given().when(create()).then(created, keyIssued('first')));
  it('treats a retry as already done', () => given(created, keyIssued('first')).when(create()).thenNothing());
});

describe('an account that does not exist', () => {
  it.each([suspend(), reinstate(), change({}), issue('k', null), revoke('k'), rotate('k', 'l', null)])(
    'is not found',
    (command) => given().when(command).thenRejected('not_found'),
  );
});

describe('suspending and reinstating', () => {
  it('suspends an active account', () => given(created).when(suspend()).thenTypes('AccountSuspended.v1'));
  it('treats a second suspension as already done', () => given(created, suspended).when(suspend()).thenNothing());
  it('reinstates a suspended account', () =>
    given(created, suspended).when(reinstate()).thenTypes('AccountReinstated.v1'));
  it('has nothing to reinstate in an active account', () => given(created).when(reinstate()).thenNothing());
});

describe('changing an account', () => {
  it('stores nothing where nothing changes', () =>
    given(created)
      .when(change({ alertThresholds: [0, 5, 20] }))
      .thenNothing());
  it('keeps the other limit as it was', () =>
    given(created, {
      type: 'AccountLimitsChanged.v1',
      data: { rateLimitPerMinute: 500, burstPerSecond: 50, changedAt: AT },
    })
      .when(change({ burstPerSecond: 60 }))
      .then({
        type: 'AccountLimitsChanged.v1',
        data: { rateLimitPerMinute: 500, burstPerSecond: 60, changedAt: AT },
      }));
  it('orders thresholds, highest first, and drops duplicates', () =>
    given(created)
      .when(change({ alertThresholds: [5, 50, 5] }))
      .then({ type: 'AlertThresholdsChanged.v1', data: { percentages: [50, 5], changedAt: AT } }));
  it('changes contact, limits and thresholds by one event each', () =>
    given(created)
      .when(change({ contactEmail: sealed, rateLimitPerMinute: 1_000, alertThresholds: [] }))
      .thenTypes('AccountLimitsChanged.v1', 'AccountContactChanged.v1', 'AlertThresholdsChanged.v1'));
});

describe('renaming an account, and agreeing on another tier', () => {
  it('stores each by an event of its own', () =>
    given(created)
      .when(change({ name: 'Another Bank', tier: 'enterprise' }))
      .then(
        { type: 'AccountRenamed.v1', data: { name: 'Another Bank', changedAt: AT } },
        { type: 'AccountTierChanged.v1', data: { tier: 'enterprise', changedAt: AT } },
      ));
  it('treats a retry as already done', () =>
    given(
      created,
      { type: 'AccountRenamed.v1', data: { name: 'Another Bank', changedAt: AT } },
      { type: 'AccountTierChanged.v1', data: { tier: 'enterprise', changedAt: AT } },
    )
      .when(change({ name: 'Another Bank', tier: 'enterprise' }))
      .thenNothing());
});

describe('issuing a key', () => {
  const limited = keyIssued('granter', ['keys', 'billing'], LATER);

  it('gives every scope and no expiry on an operator’s word', () =>
    given(created).when(issue('k', null)).then(keyIssued('k')));
  it('passes on the granting key’s own scopes and expiry by default', () =>
    given(created, limited)
      .when(issue('k', 'granter'))
      .then(keyIssued('k', ['keys', 'billing'], LATER, { boundBy: ['granter'] })));
  it('never grants a scope that the granting key lacks', () =>
    given(created, limited)
      .when(issue('k', 'granter', { scopes: ['billing', 'data'] }))
      .thenRejected('forbidden'));
  it('never grants a later expiry', () =>
    given(created, limited)
      .when(issue('k', 'granter', { expiresAt: '2026-03-02T12:00:00.001Z' }))
      .thenRejected('forbidden'));
  it('does not let a revoked key grant', () =>
    given(created, limited, revoked('granter')).when(issue('k', 'granter')).thenRejected('expired_api_key'));
  it('does not let a key grant from its expiry on', () => {
    given(created, keyIssued('granter', ['keys'], AT))
      .when(issue('k', 'granter'))
      .thenRejected('expired_api_key');
  });
  it('refuses an expiry that has passed', () =>
    given(created)
      .when(issue('k', null, { expiresAt: AT }))
      .thenRejected('invalid_field'));
  it('treats a retry as already done', () => given(created, keyIssued('k')).when(issue('k', null)).thenNothing());
  it('keeps the number of live keys bounded', () => {
    const keys = Array.from({ length: MAX_LIVE_KEYS }, (_, index) => keyIssued(`k${index}`));
    given(created, ...keys)
      .when(issue('k', null))
      .thenRejected('account_state_conflict');
    given(created, ...keys, revoked('k0'))
      .when(issue('k', null))
      .then(keyIssued('k'));
  });
});

describe('rotating a key', () => {
  const rotated = (expiresAt: string): AccountEvent => ({
    type: 'ApiKeyRotated.v1',
    data: { keyId: 'old', successorKeyId: 'new', rotatedAt: AT, expiresAt },
  });

  it('issues a successor with the same scopes and expiry and ends the old key after the overlap', () =>
    given(created, keyIssued('old', ['keys'], LATER))
      .when(rotate('old', 'new', 'old', 60))
      .then(keyIssued('new', ['keys'], LATER, { countsAs: 'old' }), rotated('2026-03-01T12:01:00.000Z')));
  it('does not let the overlap outlive the old key’s expiry', () =>
    given(created, keyIssued('old', ['keys'], LATER))
      .when(rotate('old', 'new', null, 10 * 86_400))
      .then(keyIssued('new', ['keys'], LATER, { countsAs: 'old' }), rotated(LATER)));
  it('does not hand a mightier key’s successor to a lesser key', () =>
    given(created, keyIssued('old'), keyIssued('lesser', ['keys']))
      .when(rotate('old', 'new', 'lesser'))
      .thenRejected('forbidden'));
  it('treats a retry as already done', () =>
    given(created, keyIssued('old'), keyIssued('new'), rotated(LATER))
      .when(rotate('old', 'new', null))
      .thenNothing());
  it('rotates a key once only', () =>
    given(created, keyIssued('old'), keyIssued('new'), rotated(LATER))
      .when(rotate('old', 'other', null))
      .thenRejected('account_state_conflict'));
  it('does not rotate a revoked key', () =>
    given(created, keyIssued('old'), revoked('old'))
      .when(rotate('old', 'new', null))
      .thenRejected('account_state_conflict'));
  it('does not find an unknown key', () =>
    given(created)
      .when(rotate('old', 'new', null))
      .thenRejected('not_found'));
});

describe('revoking a key', () => {
  it('revokes once', () => {
    given(created, keyIssued('k')).when(revoke('k')).then(revoked('k'));
    given(created, keyIssued('k'), revoked('k')).when(revoke('k')).thenNothing();
  });
  it('does not find an unknown key', () => given(created).when(revoke('k')).thenRejected('not_found'));
});

describe('any chain of grants', () => {
  it('never ends in a key that may do more, or live longer, than the first', () => {
    const scopes = fc.subarray([...SCOPES]);
    const expiry = fc.option(
      fc.integer({ min: 1, max: 1_000 }).map((s) => new Date(Date.parse(AT) + s * 1_000).toISOString()),
    );
    const step = fc.record({ scopes: fc.option(scopes), expiresAt: expiry, by: fc.nat(), rotating: fc.boolean() });
    fc.assert(
      fc.property(scopes, expiry, fc.array(step, { maxLength: 20 }), (first, firstExpiry, steps) => {
        const events: AccountEvent[] = [created, keyIssued('mighty'), keyIssued('k0', first, firstExpiry)];
        const reachable = ['k0'];
        for (const [index, { scopes: wanted, expiresAt, by, rotating }] of steps.entries()) {
          const granter = reachable[by % reachable.length] ?? 'k0';
          const keyId = `k${index + 1}`;
          const target = index % 2 === 0 ? 'mighty' : granter;
          const options = { ...(wanted && { scopes: wanted }), ...(expiresAt && { expiresAt }) };
          const command = rotating ? rotate(target, keyId, granter) : issue(keyId, granter, options);
          try {
            events.push(...accountDecider.decide(command, stateAfter(accountDecider, events)));
            reachable.push(keyId);
          } catch (error) {
            expect(isRejection(error)).toBe(true);
          }
        }
        const keys = stateAfter(accountDecider, events).keys;
        for (const keyId of reachable) {
          const key = keys.get(keyId);
          expect(key?.scopes.every((scope) => first.includes(scope as never))).toBe(true);
          expect(firstExpiry === null || (key?.expiresAt ?? '9') <= firstExpiry).toBe(true);
        }
      }),
    );
  });
});
