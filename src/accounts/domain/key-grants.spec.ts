import fc from 'fast-check';
import { stateAfter } from '../../../test/support/given.js';
import { AddressRanges } from '../../kernel/address-ranges.js';
import { type TenantId } from '../../kernel/ids.js';
import { isRejection } from '../../kernel/rejection.js';
import { accountDecider } from './account.js';
import { type AccountCommand, IssueApiKey, LimitApiKey, RotateApiKey } from './account.commands.js';
import { type AccountEvent } from './account.events.js';
import { type ApiKey, capsOf, isUnused } from './key-grants.js';

const TENANT = 't01hzzzzzzzzzzzzzzzzzzzzzzz' as TenantId;
const AT = '2026-03-01T12:00:00.000Z';
const METADATA = { requestId: 'r', commandId: 'c', actor: { type: 'tenant', id: 'k' }, at: AT } as const;
const NAME = { v: 1, alg: 'A256GCM', key: 'k', iv: 'i', ct: 'c' } as const;

const CREATED: AccountEvent = {
  type: 'AccountCreated.v1',
  data: { tenantId: TENANT, environment: 'sandbox', name: 'Bank', tier: 'starter', contactEmail: NAME, createdAt: AT },
};

interface Limits {
  readonly creditCapPerDay?: number | null;
  readonly allowedAddresses?: readonly string[];
}

const newKey = (keyId: string) => ({ keyId, environment: 'sandbox', name: NAME, secretHash: `hash-${keyId}` });
const issue = (keyId: string, grantedBy: string | null, limits: Limits = {}): AccountCommand =>
  new IssueApiKey(TENANT, { key: { ...newKey(keyId), ...limits }, grantedBy }, METADATA);
const rotate = (keyId: string, successor: string, grantedBy: string | null): AccountCommand =>
  new RotateApiKey(
    TENANT,
    { keyId, successor: newKey(successor), name: NAME, overlapSeconds: 60, grantedBy },
    METADATA,
  );
const limit = (keyId: string, grantedBy: string | null, limits: Limits): AccountCommand =>
  new LimitApiKey(TENANT, { keyId, grantedBy, ...limits }, METADATA);

const accountAfter = (...commands: readonly AccountCommand[]) => {
  const events: AccountEvent[] = [CREATED];
  for (const command of commands) events.push(...accountDecider.decide(command, stateAfter(accountDecider, events)));
  return { events, account: stateAfter(accountDecider, events) };
};
const capsAfter = (keyId: string, ...commands: readonly AccountCommand[]) => {
  const { account } = accountAfter(...commands);
  const key = account.keys.get(keyId);
  return key === undefined ? undefined : capsOf(account, key);
};

describe('the caps of a key', () => {
  const capped = issue('a', null, { creditCapPerDay: 10 });

  it('are its own and those of the keys that made it', () => {
    const made = issue('b', 'a', { creditCapPerDay: 4 });
    expect(capsAfter('b', capped, made)).toEqual([
      { keyId: 'b', countsAs: 'b', creditsPerDay: 4 },
      { keyId: 'a', countsAs: 'a', creditsPerDay: 10 },
    ]);
    expect(capsAfter('b', capped, made, limit('a', null, { creditCapPerDay: null }))).toEqual([
      { keyId: 'b', countsAs: 'b', creditsPerDay: 4 },
    ]);
  });

  it('count a successor with the key that it replaced', () => {
    expect(capsAfter('b', capped, rotate('a', 'b', 'a'))).toEqual([{ keyId: 'b', countsAs: 'a', creditsPerDay: 10 }]);
  });

  it('follow the successor of a maker, and name the key that has them', () => {
    const line = [capped, issue('b', 'a'), rotate('a', 'c', 'a'), limit('b', null, { creditCapPerDay: null })];
    expect(capsAfter('b', ...line)).toEqual([{ keyId: 'c', countsAs: 'a', creditsPerDay: 10 }]);
    expect(capsAfter('b', ...line, limit('c', null, { creditCapPerDay: 3 }))).toEqual([
      { keyId: 'c', countsAs: 'a', creditsPerDay: 3 },
    ]);
  });

  it('bind a key to one that raises it, and let a key narrow its addresses under a lowered maker', () => {
    const two = [capped, issue('b', null, { creditCapPerDay: 2 })];
    expect(capsAfter('b', ...two, limit('b', 'a', { creditCapPerDay: 10 }))).toEqual([
      { keyId: 'b', countsAs: 'b', creditsPerDay: 10 },
      { keyId: 'a', countsAs: 'a', creditsPerDay: 10 },
    ]);
    const lowered = [capped, issue('b', 'a'), limit('a', null, { creditCapPerDay: 1 })];
    const { account } = accountAfter(...lowered);
    expect(accountDecider.decide(limit('b', 'b', { allowedAddresses: ['192.0.2.7'] }), account)).toHaveLength(1);
    expect(accountDecider.decide(rotate('b', 'c', 'b'), account)).toHaveLength(2);
  });

  it('come with nothing where no key has one', () => expect(capsAfter('a', issue('a', null))).toEqual([]));

  it.each<[string, AccountCommand, string]>([
    ['makes no key without a cap', issue('b', 'a', { creditCapPerDay: null }), 'credit_cap_per_day'],
    ['makes no key with a larger one', issue('b', 'a', { creditCapPerDay: 11 }), 'credit_cap_per_day'],
    ['does not raise its own', limit('a', 'a', { creditCapPerDay: 11 }), 'credit_cap_per_day'],
    ['does not end its own', limit('a', 'a', { creditCapPerDay: null }), 'credit_cap_per_day'],
  ])('a capped key %s', (_what, command, field) => {
    const { account } = accountAfter(capped);
    expect(() => accountDecider.decide(command, account)).toThrow(
      expect.objectContaining({ code: 'forbidden', info: expect.objectContaining({ field }) as object }),
    );
  });
});

it('changes a limit once, and leaves the other as it is', () => {
  const ADDRESSES = ['192.0.2.0/24'];
  const made = issue('a', null, { creditCapPerDay: 10, allowedAddresses: ADDRESSES });
  const { account } = accountAfter(made);
  expect(accountDecider.decide(limit('a', null, { creditCapPerDay: 10 }), account)).toEqual([]);
  expect(accountDecider.decide(limit('a', 'a', { creditCapPerDay: 5 }), account)).toEqual([
    {
      type: 'ApiKeyLimited.v1',
      data: { keyId: 'a', creditCapPerDay: 5, allowedAddresses: ADDRESSES, boundBy: [], changedAt: AT },
    },
  ]);
  expect(() => accountDecider.decide(limit('a', 'a', { allowedAddresses: [] }), account)).toThrow(
    'no addresses beyond',
  );
});

describe('an unused key', () => {
  const now = new Date('2026-03-01T12:00:00Z');
  const since = new Date('2026-02-01T12:00:00Z');
  const key = (createdAt: string, more: Partial<ApiKey> = {}): ApiKey =>
    ({ createdAt, expiresAt: null, revokedAt: null, ...more }) as ApiKey;
  const old = '2026-01-01T00:00:00.000Z';

  it.each([
    ['was never used since it was made', true, key(old), undefined],
    ['was last used before', true, key(old), new Date('2026-01-15T00:00:00Z')],
    ['was used since', false, key(old), new Date('2026-02-15T00:00:00Z')],
    ['is young', false, key('2026-02-15T00:00:00.000Z'), undefined],
    ['is revoked', false, key(old, { revokedAt: old }), undefined],
    ['has expired', false, key(old, { expiresAt: '2026-02-20T00:00:00.000Z' }), undefined],
  ])('one that %s: %s', (_, expected, given, lastUse) => expect(isUnused(given, lastUse, since, now)).toBe(expected));
});

describe('whatever a capped key makes, replaces and changes', () => {
  it('spends against its cap, and only from its addresses', () => {
    const limits = fc.record(
      {
        creditCapPerDay: fc.option(fc.integer({ min: 1, max: 20 }), { nil: null }),
        allowedAddresses: fc.subarray(['192.0.2.7', '192.0.2.0/25', '192.0.2.0/24', '198.51.100.0/24']),
      },
      { requiredKeys: [] },
    );
    const step = fc.record({ kind: fc.constantFrom('issue', 'rotate', 'limit'), by: fc.nat(), of: fc.nat(), limits });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
        const first = issue('leaked', null, { creditCapPerDay: 10, allowedAddresses: ['192.0.2.0/24'] });
        const { events } = accountAfter(issue('mighty', null), first);
        const theirs = ['leaked'];
        for (const [index, { kind, by, of, limits: wanted }] of steps.entries()) {
          const granter = theirs[by % theirs.length] ?? 'leaked';
          const target = ['mighty', ...theirs][of % (theirs.length + 1)] ?? 'mighty';
          const keyId = `k${index}`;
          const commands = {
            issue: issue(keyId, granter, wanted),
            rotate: rotate(target, keyId, granter),
            limit: limit(target, granter, wanted),
          };
          try {
            events.push(...accountDecider.decide(commands[kind as 'issue'], stateAfter(accountDecider, events)));
            if (kind !== 'limit') theirs.push(keyId);
          } catch (error) {
            if (!isRejection(error)) throw error;
          }
        }
        const account = stateAfter(accountDecider, events);
        for (const keyId of theirs) {
          const key = account.keys.get(keyId);
          const cap = key && capsOf(account, key).find(({ countsAs }) => countsAs === 'leaked');
          expect(cap?.creditsPerDay).toBeLessThanOrEqual(10);
          const own = AddressRanges.of(['192.0.2.0/24']);
          expect(key?.allowedAddresses.length).toBeGreaterThan(0);
          expect(key?.allowedAddresses.every((range) => own.hold(range))).toBe(true);
        }
      }),
      { numRuns: 300 },
    );
  });
});
