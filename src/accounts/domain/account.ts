import { DEFAULT_ALERT_THRESHOLDS } from '../../kernel/alert-thresholds.js';
import { type BillingAccount, isLive as isLiveSubscription } from '../../kernel/billing-accounts.js';
import { type Decider } from '../../kernel/decider.js';
import { type Envelope } from '../../kernel/envelope.js';
import { refuse } from '../../kernel/rejection.js';
import {
  type AccountCommand,
  type ChangeAccount,
  type CreateAccount,
  type IssueApiKey,
  type JudgeAccount,
  type LimitApiKey,
  type NewApiKey,
  type ReinstateAccount,
  type RevokeApiKey,
  type RotateApiKey,
  type SuspendAccount,
} from './account.commands.js';
import { type AccountEvent, type AccountTier, type ApiKeyIssued } from './account.events.js';
import {
  type ApiKey,
  boundTo,
  type Grant,
  grantOf,
  isLive,
  isLooser,
  OPERATORS_GRANT,
  refuseBeyond,
  refuseLooserLimits,
} from './key-grants.js';
import { answerAct, applyOperatorAct, failAct, type OperatorProposal, proposeAct } from './operator-acts.js';
import { applyMember, decideMembers, type Member } from './members.js';
import { billingAfter, keepCustomer, lapse, noBilling, observe } from './subscription.js';

export interface Account {
  readonly status: 'absent' | 'active' | 'suspended';
  /** Whether what it attests counts for no one. */
  readonly distrusted: boolean;
  readonly name: string;
  readonly tier: AccountTier;
  readonly createdAt: string;
  readonly rateLimitPerMinute: number | null;
  readonly burstPerSecond: number | null;
  /** Whether credentials of wallets may name it among those that attest a person. */
  readonly isNamed: boolean;
  /** Percentages, highest first. */
  readonly alertThresholds: readonly number[];
  readonly keys: Map<string, ApiKey>;
  readonly members: Map<string, Member>;
  /** What operators proposed, by id. */
  readonly proposals: Map<string, OperatorProposal>;
  readonly billing: BillingAccount;
}

/** The tier of the live subscription, else the one that an operator agreed. */
export const tierOf = ({ tier, billing }: Pick<Account, 'tier' | 'billing'>): AccountTier =>
  isLiveSubscription(billing.subscription) ? billing.subscription.tier : tier;

/** Most keys of one account that are neither revoked nor expired. */
export const MAX_LIVE_KEYS = 100;

const initialState = (): Account => ({
  status: 'absent',
  distrusted: false,
  name: '',
  tier: 'starter',
  createdAt: '',
  rateLimitPerMinute: null,
  burstPerSecond: null,
  isNamed: false,
  alertThresholds: DEFAULT_ALERT_THRESHOLDS,
  keys: new Map(),
  members: new Map(),
  proposals: new Map(),
  billing: noBilling,
});

const issued = (
  key: NewApiKey<Envelope>,
  { scopes, expiresAt, creditCapPerDay, allowedAddresses }: Grant,
  { countsAs = key.keyId, boundBy }: { readonly countsAs?: string; readonly boundBy: readonly string[] },
  at: string,
): ApiKeyIssued => ({
  type: 'ApiKeyIssued.v1',
  data: {
    keyId: key.keyId,
    environment: key.environment,
    name: key.name,
    scopes: [...scopes],
    secretHash: key.secretHash,
    createdAt: at,
    expiresAt,
    creditCapPerDay,
    allowedAddresses: [...allowedAddresses],
    countsAs,
    boundBy: [...boundBy],
  },
});

const refuseFurtherKeys = (account: Account, at: string): void => {
  const live = [...account.keys.values()].filter((key) => isLive(key, at)).length;
  if (live >= MAX_LIVE_KEYS) {
    throw refuse('account_state_conflict', { detail: `An account has at most ${MAX_LIVE_KEYS} live keys.` });
  }
};

const wantedOf = (key: NewApiKey<Envelope>, grant: Grant): Grant => ({
  scopes: key.scopes ?? grant.scopes,
  expiresAt: key.expiresAt ?? grant.expiresAt,
  creditCapPerDay: key.creditCapPerDay === undefined ? grant.creditCapPerDay : key.creditCapPerDay,
  allowedAddresses: key.allowedAddresses ?? grant.allowedAddresses,
});

const create = ({ tenantId, data, metadata }: CreateAccount<Envelope>, account: Account): AccountEvent[] => {
  // The tenant id belongs to this request alone, so an existing account is this request's own.
  if (account.status !== 'absent') return [];
  return [
    {
      type: 'AccountCreated.v1',
      data: {
        tenantId,
        environment: data.environment,
        name: data.name,
        tier: data.tier,
        contactEmail: data.contactEmail,
        createdAt: metadata.at,
      },
    },
    issued(data.firstKey, wantedOf(data.firstKey, OPERATORS_GRANT), { boundBy: [] }, metadata.at),
  ];
};

const suspend = ({ data, metadata }: SuspendAccount<Envelope>, account: Account): AccountEvent[] => {
  if (account.status === 'suspended') return [];
  return [{ type: 'AccountSuspended.v1', data: { reason: data.reason, suspendedAt: metadata.at } }];
};

const reinstate = ({ data, metadata }: ReinstateAccount<Envelope>, account: Account): AccountEvent[] => {
  if (account.status === 'active') return [];
  return [{ type: 'AccountReinstated.v1', data: { reason: data.reason, reinstatedAt: metadata.at } }];
};

const judge = ({ data, metadata }: JudgeAccount<Envelope>, { distrusted }: Account): AccountEvent[] => {
  const { trusted, reason } = data;
  if (trusted !== distrusted) return [];
  return trusted
    ? [{ type: 'AccountTrusted.v1', data: { reason, trustedAt: metadata.at } }]
    : [{ type: 'AccountDistrusted.v1', data: { reason, distrustedAt: metadata.at } }];
};

const change = ({ data, metadata }: ChangeAccount<Envelope>, account: Account): AccountEvent[] => {
  const events: AccountEvent[] = [];
  const rateLimitPerMinute = data.rateLimitPerMinute ?? account.rateLimitPerMinute;
  const burstPerSecond = data.burstPerSecond ?? account.burstPerSecond;
  if (rateLimitPerMinute !== account.rateLimitPerMinute || burstPerSecond !== account.burstPerSecond) {
    const limits = { rateLimitPerMinute, burstPerSecond, changedAt: metadata.at };
    events.push({ type: 'AccountLimitsChanged.v1', data: limits });
  }
  if (data.contactEmail !== undefined) {
    const contact = { contactEmail: data.contactEmail, changedAt: metadata.at };
    events.push({ type: 'AccountContactChanged.v1', data: contact });
  }
  if (data.name !== undefined && data.name !== account.name) {
    events.push({ type: 'AccountRenamed.v1', data: { name: data.name, changedAt: metadata.at } });
  }
  if (data.tier !== undefined && data.tier !== account.tier) {
    events.push({ type: 'AccountTierChanged.v1', data: { tier: data.tier, changedAt: metadata.at } });
  }
  const percentages = [...new Set(data.alertThresholds ?? account.alertThresholds)].sort((left, right) => right - left);
  if (percentages.join() !== account.alertThresholds.join()) {
    events.push({ type: 'AlertThresholdsChanged.v1', data: { percentages, changedAt: metadata.at } });
  }
  if (data.isNamed !== undefined && data.isNamed !== account.isNamed) {
    events.push({ type: 'AccountNamingChanged.v1', data: { isNamed: data.isNamed, changedAt: metadata.at } });
  }
  return events;
};

const issueKey = ({ data, metadata }: IssueApiKey<Envelope>, account: Account): AccountEvent[] => {
  const { key, grantedBy } = data;
  // On a retry, the first attempt's key already exists.
  if (account.keys.get(key.keyId)?.secretHash === key.secretHash) return [];
  if (account.keys.has(key.keyId)) throw refuse('account_state_conflict', { detail: 'Please try again.' });
  const grant = grantOf(account, grantedBy, metadata.at);
  const wanted = wantedOf(key, grant);
  refuseBeyond(grant, wanted);
  if (wanted.expiresAt !== null && wanted.expiresAt <= metadata.at) {
    throw refuse('invalid_field', { field: 'expires_at', detail: 'expires_at must lie in the future.' });
  }
  refuseFurtherKeys(account, metadata.at);
  return [issued(key, wanted, { boundBy: boundTo([], grantedBy, key.keyId) }, metadata.at)];
};

const rotateKey = ({ data, metadata }: RotateApiKey<Envelope>, account: Account): AccountEvent[] => {
  const old = account.keys.get(data.keyId);
  if (old === undefined) throw refuse('not_found');
  if (old.successorKeyId === data.successor.keyId) return [];
  if (old.successorKeyId !== null) throw refuse('account_state_conflict', { detail: 'The key was rotated already.' });
  if (!isLive(old, metadata.at))
    throw refuse('account_state_conflict', { detail: 'The key was revoked or has expired.' });
  // The caller of a rotation learns the successor's secret, so a rotation is a grant. By itself a key gets no more than it has.
  const grant = grantOf(account, data.grantedBy, metadata.at);
  if (data.grantedBy !== old.keyId) refuseBeyond(grant, old);
  refuseFurtherKeys(account, metadata.at);
  const boundBy = boundTo(old.boundBy, data.grantedBy, old.keyId);
  const overlapEnds = new Date(Date.parse(metadata.at) + data.overlapSeconds * 1_000).toISOString();
  const expiresAt = old.expiresAt !== null && old.expiresAt < overlapEnds ? old.expiresAt : overlapEnds;
  return [
    issued({ ...data.successor, name: data.name }, old, { countsAs: old.countsAs, boundBy }, metadata.at),
    {
      type: 'ApiKeyRotated.v1',
      data: { keyId: old.keyId, successorKeyId: data.successor.keyId, rotatedAt: metadata.at, expiresAt },
    },
  ];
};

const limitKey = ({ data, metadata }: LimitApiKey, account: Account): AccountEvent[] => {
  const { keyId, grantedBy } = data;
  const key = account.keys.get(keyId);
  if (key === undefined) throw refuse('not_found');
  // Keys that it made count against its cap after its end, too, so operators may change it.
  if (!isLive(key, metadata.at) && grantedBy !== null)
    throw refuse('account_state_conflict', { detail: 'The key was revoked or has expired.' });
  const creditCapPerDay = data.creditCapPerDay === undefined ? key.creditCapPerDay : data.creditCapPerDay;
  const allowedAddresses = data.allowedAddresses ?? key.allowedAddresses;
  const hasOtherCap = creditCapPerDay !== key.creditCapPerDay;
  const hasOtherAddresses = allowedAddresses.join() !== key.allowedAddresses.join();
  if (!hasOtherCap && !hasOtherAddresses) return [];
  const grant = grantOf(account, grantedBy, metadata.at);
  refuseLooserLimits(
    {
      creditCapPerDay: hasOtherCap ? grant.creditCapPerDay : null,
      allowedAddresses: hasOtherAddresses ? grant.allowedAddresses : [],
    },
    { creditCapPerDay, allowedAddresses },
  );
  // What a key raises counts against its own cap, as what it makes does.
  const isRaised = isLooser(creditCapPerDay, key.creditCapPerDay);
  const boundBy = isRaised ? boundTo(key.boundBy, grantedBy, keyId) : key.boundBy;
  const limits = { creditCapPerDay, allowedAddresses: [...allowedAddresses], boundBy: [...boundBy] };
  return [{ type: 'ApiKeyLimited.v1', data: { keyId, ...limits, changedAt: metadata.at } }];
};

const revokeKey = ({ data, metadata }: RevokeApiKey, account: Account): AccountEvent[] => {
  const key = account.keys.get(data.keyId);
  if (key === undefined) throw refuse('not_found');
  if (key.revokedAt !== null) return [];
  return [{ type: 'ApiKeyRevoked.v1', data: { keyId: key.keyId, revokedAt: metadata.at } }];
};

const decide = (command: AccountCommand, account: Account): AccountEvent[] => {
  if (command.type === 'CreateAccount') return create(command, account);
  if (account.status === 'absent') throw refuse('not_found');
  switch (command.type) {
    case 'SuspendAccount':
      return suspend(command, account);
    case 'ReinstateAccount':
      return reinstate(command, account);
    case 'JudgeAccount':
      return judge(command, account);
    case 'ChangeAccount':
      return change(command, account);
    case 'IssueApiKey':
      return issueKey(command, account);
    case 'RotateApiKey':
      return rotateKey(command, account);
    case 'LimitApiKey':
      return limitKey(command, account);
    case 'RevokeApiKey':
      return revokeKey(command, account);
    case 'ObserveSubscription':
      return observe(command, account.billing);
    case 'LapseSubscription':
      return lapse(command, account.billing);
    case 'KeepPaymentCustomer':
      return keepCustomer(command, account.billing);
    case 'ProposeOperatorAct':
      return proposeAct(command, account);
    case 'AnswerOperatorAct':
      return answerAct(command, account);
    case 'FailOperatorAct':
      return failAct(command, account);
    case 'InviteMember':
    case 'InviteMemberAgain':
    case 'JoinAccount':
    case 'AddPasskey':
    case 'RemovePasskey':
    case 'ChangeMember':
    case 'RemoveMember':
      return decideMembers(command, account);
  }
};

const changeKey = (account: Account, keyId: string, changed: Partial<ApiKey>): Account => {
  const key = account.keys.get(keyId);
  if (key !== undefined) account.keys.set(keyId, { ...key, ...changed });
  return account;
};

/** The keys change in place, so that folding a stream with many keys takes linear time. */
const evolve = (account: Account, event: AccountEvent): Account => {
  switch (event.type) {
    case 'AccountCreated.v1': {
      const { name, tier, createdAt } = event.data;
      return { ...account, status: 'active', name, tier, createdAt };
    }
    case 'AccountSuspended.v1':
      return { ...account, status: 'suspended' };
    case 'AccountReinstated.v1':
      return { ...account, status: 'active' };
    case 'AccountDistrusted.v1':
      return { ...account, distrusted: true };
    case 'AccountTrusted.v1':
      return { ...account, distrusted: false };
    case 'AccountLimitsChanged.v1': {
      const { rateLimitPerMinute, burstPerSecond } = event.data;
      return { ...account, rateLimitPerMinute, burstPerSecond };
    }
    case 'AccountContactChanged.v1':
      return account;
    case 'AccountRenamed.v1':
      return { ...account, name: event.data.name };
    case 'AccountTierChanged.v1':
      return { ...account, tier: event.data.tier };
    case 'AccountNamingChanged.v1':
      return { ...account, isNamed: event.data.isNamed };
    case 'AlertThresholdsChanged.v1':
      return { ...account, alertThresholds: event.data.percentages };
    case 'ApiKeyIssued.v1': {
      const { keyId, environment, scopes, secretHash, createdAt, expiresAt } = event.data;
      const { creditCapPerDay, allowedAddresses, countsAs, boundBy } = event.data;
      const life = { createdAt, expiresAt, revokedAt: null, successorKeyId: null };
      const limits = { creditCapPerDay, allowedAddresses, countsAs, boundBy };
      account.keys.set(keyId, { keyId, environment, scopes, secretHash, ...life, ...limits });
      return account;
    }
    case 'ApiKeyRotated.v1': {
      const { keyId, successorKeyId, expiresAt } = event.data;
      return changeKey(account, keyId, { successorKeyId, expiresAt });
    }
    case 'ApiKeyLimited.v1': {
      const { keyId, creditCapPerDay, allowedAddresses, boundBy } = event.data;
      return changeKey(account, keyId, { creditCapPerDay, allowedAddresses, boundBy });
    }
    case 'ApiKeyRevoked.v1':
      return changeKey(account, event.data.keyId, { revokedAt: event.data.revokedAt });
    case 'OperatorActProposed.v1':
    case 'OperatorActApproved.v1':
    case 'OperatorActRejected.v1':
    case 'OperatorActFailed.v1':
      applyOperatorAct(account.proposals, event);
      return account;
    case 'MemberInvited.v1':
    case 'MemberInvitedAgain.v1':
    case 'MemberJoined.v1':
    case 'PasskeyAdded.v1':
    case 'PasskeyRemoved.v1':
    case 'MemberRoleChanged.v1':
    case 'MemberRenamed.v1':
    case 'MemberRemoved.v1':
      applyMember(account.members, event);
      return account;
    case 'PaymentCustomerKept.v1':
    case 'SubscriptionStarted.v1':
    case 'SubscriptionRenewed.v1':
    case 'SubscriptionChanged.v1':
    case 'SubscriptionPastDue.v1':
    case 'SubscriptionLapsed.v1':
    case 'SubscriptionEnded.v1':
      return { ...account, billing: billingAfter(account.billing, event) };
    default:
      return account;
  }
};

export const accountDecider: Decider<Account, AccountCommand, AccountEvent> = { initialState, decide, evolve };
