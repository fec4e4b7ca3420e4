import { AddressRanges } from '../../kernel/address-ranges.js';
import { type KeyCap } from '../../kernel/charging.js';
import { refuse } from '../../kernel/rejection.js';
import { isMemberId } from '../../kernel/audit-actors.js';
import { type Members } from './members.js';
import { RIGHTS } from './member-roles.js';
import { SCOPES } from '../../kernel/scopes.js';

export interface ApiKey {
  readonly keyId: string;
  readonly environment: string;
  readonly scopes: readonly string[];
  /** HMAC of the secret, hexadecimal. */
  readonly secretHash: string;
  readonly createdAt: string;
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
  readonly successorKeyId: string | null;
  /** Credits on one UTC day. Null: no cap of its own. */
  readonly creditCapPerDay: number | null;
  /** Empty: from anywhere. */
  readonly allowedAddresses: readonly string[];
  readonly countsAs: string;
  readonly boundBy: readonly string[];
}

/** ISO times in UTC with milliseconds sort as text. */
export const isLive = (key: ApiKey, at: string): boolean =>
  key.revokedAt === null && (key.expiresAt === null || at < key.expiresAt);

/** Whether a live key was last used before `since`. One that was never used counts from its creation. */
export const isUnused = (key: ApiKey, lastUse: Date | undefined, since: Date, now: Date): boolean =>
  isLive(key, now.toISOString()) && (lastUse?.toISOString() ?? key.createdAt) < since.toISOString();

export interface WithKeys {
  readonly keys: ReadonlyMap<string, ApiKey>;
  readonly members: Members;
}

/** What a key may do, and may grant. */
export interface Grant {
  readonly scopes: readonly string[];
  readonly expiresAt: string | null;
  readonly creditCapPerDay: number | null;
  readonly allowedAddresses: readonly string[];
}

export const OPERATORS_GRANT: Grant = { scopes: SCOPES, expiresAt: null, creditCapPerDay: null, allowedAddresses: [] };

/** The last of those that replaced a key, or the key itself. */
const presentOf = (keys: WithKeys['keys'], key: ApiKey): ApiKey => {
  const successor = key.successorKeyId === null ? undefined : keys.get(key.successorKeyId);
  return successor === undefined ? key : presentOf(keys, successor);
};

/**
 * The caps of a key: its own, and those of the keys that made it, revoked or not. So a key that makes or replaces others spends no
 * more by all of them than by itself. A maker that was replaced has the cap of its successor.
 */
export const capsOf = ({ keys }: Pick<WithKeys, 'keys'>, key: ApiKey): readonly KeyCap[] => {
  const caps = new Map<string, KeyCap>();
  const seen = new Set<string>();
  const visit = ({ keyId, creditCapPerDay, countsAs, boundBy }: ApiKey): void => {
    if (seen.has(keyId)) return;
    seen.add(keyId);
    if (creditCapPerDay !== null && creditCapPerDay < (caps.get(countsAs)?.creditsPerDay ?? Infinity))
      caps.set(countsAs, { keyId, countsAs, creditsPerDay: creditCapPerDay });
    for (const makerId of boundBy) {
      const maker = keys.get(makerId);
      if (maker !== undefined) visit(presentOf(keys, maker));
    }
  };
  visit(key);
  visit(presentOf(keys, key));
  return [...caps.values()];
};

/** The keys that bind a key once `grantedBy` made, raised or rotated it. Operators bind none, and no key binds itself. */
export const boundTo = (boundBy: readonly string[], grantedBy: string | null, keyId: string): readonly string[] =>
  grantedBy === null || grantedBy === keyId ? boundBy : [...new Set([...boundBy, grantedBy])];

/** A member may grant what the role may do. */
const grantOfMember = ({ members }: WithKeys, memberId: string): Grant => {
  const member = members.get(memberId);
  if (member?.status !== 'active') throw refuse('invalid_token', { detail: 'The member was removed' });
  return { ...OPERATORS_GRANT, scopes: RIGHTS[member.role].scopes };
};

/** An operator may grant everything. A key may grant its own scopes, lifetime and limits. */
export const grantOf = (account: WithKeys, grantedBy: string | null, at: string): Grant => {
  if (grantedBy === null) return OPERATORS_GRANT;
  if (isMemberId(grantedBy)) return grantOfMember(account, grantedBy);
  const key = account.keys.get(grantedBy);
  if (key === undefined || !isLive(key, at)) throw refuse('expired_api_key');
  const caps = capsOf(account, key).map(({ creditsPerDay }) => creditsPerDay);
  return { ...key, creditCapPerDay: caps.length === 0 ? null : Math.min(...caps) };
};

type Limits = Pick<Grant, 'creditCapPerDay' | 'allowedAddresses'>;

/** Whether one cap lets more be spent than the other. */
export const isLooser = (cap: number | null, than: number | null): boolean =>
  than !== null && (cap === null || cap > than);

export const refuseLooserLimits = (grant: Limits, { creditCapPerDay, allowedAddresses }: Limits): void => {
  if (isLooser(creditCapPerDay, grant.creditCapPerDay)) {
    throw refuse('forbidden', { detail: 'A key grants at most its own cap.', field: 'credit_cap_per_day' });
  }
  if (grant.allowedAddresses.length === 0) return;
  const own = AddressRanges.of(grant.allowedAddresses);
  if (allowedAddresses.length === 0 || !allowedAddresses.every((range) => own.hold(range))) {
    throw refuse('forbidden', { detail: 'A key grants no addresses beyond its own.', field: 'allowed_addresses' });
  }
};

export const refuseBeyond = (grant: Grant, wanted: Grant): void => {
  if (!wanted.scopes.every((scope) => grant.scopes.includes(scope))) {
    throw refuse('forbidden', { detail: 'A key grants at most its own scopes.', field: 'scopes' });
  }
  if (grant.expiresAt !== null && (wanted.expiresAt === null || wanted.expiresAt > grant.expiresAt)) {
    throw refuse('forbidden', { detail: 'A key grants no later expiry than its own.', field: 'expires_at' });
  }
  refuseLooserLimits(grant, wanted);
};
