import fc from 'fast-check';
import { stateAfter } from '../../../test/support/given.js';
import { type TenantId } from '../../kernel/ids.js';
import { isRejection } from '../../kernel/rejection.js';
import { type Account, accountDecider } from './account.js';
import { type AccountCommand, IssueApiKey } from './account.commands.js';
import { type AccountEvent } from './account.events.js';
import { MEMBER_ROLES, type MemberRole, RIGHTS } from './member-roles.js';
import {
  AddPasskey,
  ChangeMember,
  InviteMember,
  InviteMemberAgain,
  JoinAccount,
  RemoveMember,
  RemovePasskey,
} from './member.commands.js';

const TENANT = 't01hzzzzzzzzzzzzzzzzzzzzzzz' as TenantId;
const AT = '2026-03-01T12:00:00.000Z';
const LATER = '2026-03-08T12:00:00.000Z';
const METADATA = { requestId: 'r', commandId: 'c', actor: { type: 'tenant', id: 'k' }, at: AT } as const;
const TEXT = { v: 1, alg: 'A256GCM', key: 'k', iv: 'i', ct: 'c' } as const;
const idOf = (name: string): string => `mbr_${name.padEnd(26, '0')}`;
const [ANN, BOB, EVE] = [idOf('ann'), idOf('bob'), idOf('eve')];

const CREATED: AccountEvent = {
  type: 'AccountCreated.v1',
  data: { tenantId: TENANT, environment: 'sandbox', name: 'Bank', tier: 'starter', contactEmail: TEXT, createdAt: AT },
};

const passkey = (credentialId: string) => ({ credentialId, publicKey: 'p', counter: 0, transports: [] });
const invite = (
  memberId: string,
  role: MemberRole,
  grantedBy: string | null,
  { invitationId = `i-${memberId}`, comparedWith = -1 } = {},
) => {
  const data = { memberId, role, name: TEXT, email: TEXT, invitationId, expiresAt: LATER, grantedBy, comparedWith };
  return new InviteMember(TENANT, data, METADATA);
};
const again = (memberId: string, grantedBy: string | null, invitationId: string) =>
  new InviteMemberAgain(TENANT, { memberId, grantedBy, invitationId, expiresAt: LATER }, METADATA);
const join = (memberId: string, invitationId = `i-${memberId}`, at = AT) =>
  new JoinAccount(TENANT, { memberId, invitationId, passkey: passkey(`first-${memberId}`) }, { ...METADATA, at });
const change = (memberId: string, role: MemberRole, grantedBy: string | null) =>
  new ChangeMember(TENANT, { memberId, role, grantedBy }, METADATA) as AccountCommand;
const remove = (memberId: string, grantedBy: string | null) =>
  new RemoveMember(TENANT, { memberId, grantedBy }, METADATA);

/** Folding changes an account in place, so each step begins with a copy. */
const apply = (account: Account, command: AccountCommand): Account => {
  const copy = { ...account, keys: new Map(account.keys), members: new Map(account.members) };
  const comparedWith = copy.members.size;
  const isUnbound = command.type === 'InviteMember' && command.data.comparedWith < 0;
  const present = isUnbound ? new InviteMember(TENANT, { ...command.data, comparedWith }, METADATA) : command;
  return accountDecider.decide(present, copy).reduce(accountDecider.evolve, copy);
};
const after = (...commands: readonly AccountCommand[]): Account =>
  commands.reduce(apply, stateAfter(accountDecider, [CREATED]));
const owners = () => after(invite(ANN, 'owner', null), join(ANN), invite(BOB, 'owner', ANN), join(BOB));
const refusing = (code: 'forbidden' | 'invalid_token' | 'account_state_conflict' | 'not_found', act: () => unknown) => {
  try {
    act();
  } catch (error) {
    expect([error, isRejection(error, code)]).toEqual([error, true]);
    return;
  }
  throw new Error(`not refused as ${code}`);
};

describe('an invitation', () => {
  it('is taken once, in time, and not after its member was removed', () => {
    const account = after(invite(ANN, 'owner', null));
    refusing('invalid_token', () => apply(account, join(ANN, 'another')));
    refusing('invalid_token', () => apply(account, join(ANN, `i-${ANN}`, LATER)));
    const joined = apply(account, join(ANN));
    expect(joined.members.get(ANN)).toMatchObject({ status: 'active', invitation: null });
    refusing('invalid_token', () => apply(joined, join(ANN)));
    const two = owners();
    refusing('not_found', () => apply(apply(apply(two, again(BOB, ANN, 'i2')), remove(BOB, ANN)), join(BOB, 'i2')));
  });

  it('ends the one before, and its passkey replaces the earlier ones', () => {
    const account = apply(apply(owners(), again(BOB, ANN, 'i2')), again(BOB, ANN, 'i3'));
    refusing('invalid_token', () => apply(account, join(BOB, 'i2')));
    expect(account.members.get(BOB)?.passkeys).toHaveLength(1);
    expect(apply(account, join(BOB, 'i3')).members.get(BOB)?.passkeys).toEqual([passkey(`first-${BOB}`)]);
    refusing('forbidden', () => apply(owners(), again(BOB, BOB, 'i2')));
  });
});

describe('a repeat of a request to invite', () => {
  it('makes no link work again that was taken or replaced', () => {
    const asked = again(BOB, ANN, 'i2');
    const taken = apply(apply(owners(), asked), join(BOB, 'i2'));
    expect(apply(taken, asked).members.get(BOB)).toMatchObject({ status: 'active', invitation: null });
    const replaced = [asked, again(BOB, ANN, 'i3'), asked].reduce(apply, owners());
    expect(replaced.members.get(BOB)?.invitation).toMatchObject({ invitationId: 'i3' });
  });

  it('is refused where another person was invited since the addresses were compared', () => {
    refusing('account_state_conflict', () => apply(owners(), invite(EVE, 'viewer', ANN, { comparedWith: 1 })));
    expect(apply(owners(), invite(EVE, 'viewer', ANN, { comparedWith: 2 })).members.get(EVE)?.status).toBe('invited');
  });
});

describe('the role of a member', () => {
  it('is not given by a key with a cap, an expiry or addresses, which a member has not', () => {
    const key = (limits: object) => {
      const data = { keyId: 'AAAAAAA1', environment: 'sandbox', name: TEXT, secretHash: 'h', ...limits };
      return new IssueApiKey(TENANT, { key: data, grantedBy: null }, METADATA);
    };
    for (const limits of [{ creditCapPerDay: 5 }, { expiresAt: LATER }, { allowedAddresses: ['192.0.2.1'] }])
      refusing('forbidden', () => apply(apply(owners(), key(limits)), invite(EVE, 'viewer', 'AAAAAAA1')));
    expect(apply(apply(owners(), key({})), invite(EVE, 'owner', 'AAAAAAA1')).members.has(EVE)).toBe(true);
  });

  it('is given and taken by who has all its rights: an owner, an operator, a key with every scope', () => {
    const account = apply(apply(owners(), invite(EVE, 'officer', BOB)), join(EVE));
    for (const role of MEMBER_ROLES) refusing('forbidden', () => apply(account, invite(idOf('new'), role, EVE)));
    refusing('forbidden', () => apply(account, change(EVE, 'owner', EVE)));
    refusing('forbidden', () => apply(account, remove(BOB, EVE)));
    refusing('invalid_token', () => apply(apply(account, remove(EVE, ANN)), invite(idOf('new'), 'viewer', EVE)));
    expect(apply(account, change(EVE, 'owner', ANN)).members.get(EVE)?.role).toBe('owner');
  });

  it('leaves an owner, however the last one would go', () => {
    const account = apply(owners(), remove(BOB, ANN));
    refusing('account_state_conflict', () => apply(account, remove(ANN, ANN)));
    refusing('account_state_conflict', () => apply(account, change(ANN, 'viewer', null)));
    refusing('account_state_conflict', () => apply(apply(account, invite(EVE, 'owner', ANN)), remove(ANN, ANN)));
  });

  it('bounds the keys that the member makes', () => {
    const account = apply(apply(owners(), invite(EVE, 'developer', ANN)), join(EVE));
    const key = (scopes?: readonly string[]) => {
      const data = {
        keyId: 'AAAAAAA1',
        environment: 'sandbox',
        name: TEXT,
        secretHash: 'h',
        ...(scopes && { scopes }),
      };
      return new IssueApiKey(TENANT, { key: data, grantedBy: EVE }, METADATA);
    };
    refusing('forbidden', () => apply(account, key(['compliance'])));
    const made = apply(account, key()).keys.get('AAAAAAA1');
    expect(made).toMatchObject({ scopes: RIGHTS.developer.scopes, boundBy: [EVE] });
  });
});

it('a passkey is added once and removed, and the last one stays', () => {
  const add = (id: string) => new AddPasskey(TENANT, { memberId: ANN, passkey: passkey(id) }, METADATA);
  const drop = (credentialId: string) => new RemovePasskey(TENANT, { memberId: ANN, credentialId }, METADATA);
  const account = [add('second'), add('second')].reduce(apply, owners());
  expect(account.members.get(ANN)?.passkeys.map(({ credentialId }) => credentialId)).toEqual([
    `first-${ANN}`,
    'second',
  ]);
  const one = apply(account, drop(`first-${ANN}`));
  refusing('account_state_conflict', () => apply(one, drop('second')));
  refusing('not_found', () => apply(one, drop('unknown')));
});

it('an account that has an owner keeps one, and no one rises by themselves, in any order of acts', () => {
  const ids = [ANN, BOB, EVE];
  const member = fc.constantFrom(...ids);
  const role = fc.constantFrom(...MEMBER_ROLES);
  const command = fc.oneof(
    fc.tuple(member, role, member).map(([id, wanted, by]) => invite(id, wanted, by)),
    member.map((id) => join(id)),
    fc.tuple(member, role, member).map(([id, wanted, by]) => change(id, wanted, by)),
    fc.tuple(member, member).map(([id, by]) => remove(id, by)),
  ) as fc.Arbitrary<AccountCommand>;
  fc.assert(
    fc.property(fc.array(command, { maxLength: 40 }), (commands) => {
      let account = after(invite(ANN, 'owner', null), join(ANN));
      for (const each of commands) {
        const roles = new Map([...account.members].map(([id, known]) => [id, known.role]));
        try {
          account = apply(account, each);
        } catch (error) {
          if (!isRejection(error)) throw error;
          continue;
        }
        const present = [...account.members.values()].filter(({ status }) => status === 'active');
        expect(present.some((known) => known.role === 'owner')).toBe(true);
        const by = 'grantedBy' in each.data ? each.data.grantedBy : undefined;
        const rose = [...account.members].some(([id, known]) => roles.get(id) !== known.role);
        if (rose) expect(roles.get(by ?? '')).toBe('owner');
      }
    }),
    { numRuns: 300, seed: 1 },
  );
});
