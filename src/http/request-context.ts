import { type Limits } from '../kernel/rate-limits.js';
import { type AccessRecord } from '../kernel/access.js';
import { type AddressRanges } from '../kernel/address-ranges.js';
import { type KeyCap, type KeyedRequest } from '../kernel/charging.js';
import { type FieldChange } from '../kernel/field-change.js';
import { type TenantId } from '../kernel/ids.js';
import { type Scope } from '../kernel/scopes.js';

export const ROLES = ['support', 'admin', 'security'] as const;
export type Role = (typeof ROLES)[number];

/** A valid API key of an account, or a member who is signed in to the console. */
export interface TenantPrincipal {
  readonly kind: 'tenant';
  readonly tenantId: TenantId;
  /** The id of the key or the member. */
  readonly actorId: string;
  readonly scopes: ReadonlySet<Scope>;
  /** Scopes of which it may only read. Absent: none. */
  readonly reads?: ReadonlySet<Scope>;
  readonly limits: Limits;
  /** What it may spend on one UTC day. Absent: as much as the account has. */
  readonly caps?: readonly KeyCap[];
  /** Absent: it may be used from anywhere. */
  readonly allowedAddresses?: AddressRanges;
}

/** A bearer token of the deployment's identity provider that names an account (`issue`). */
export interface BearerPrincipal {
  readonly kind: 'bearer';
  readonly tenantId: TenantId;
  /** Keyed hash of the token's `sub`. */
  readonly subjectHash: string;
  readonly tokenScopes: ReadonlySet<string>;
  /** The claims that were looked at for them. */
  readonly scopeClaims: readonly string[];
  readonly limits: Limits;
}

/** A bearer token with roles (`/admin`). */
export interface OperatorPrincipal {
  readonly kind: 'operator';
  /** The token's `sub`, which no log line and no event holds in the clear. */
  readonly subject: string;
  readonly subjectHash: string;
  readonly roles: ReadonlySet<Role>;
}

export type Principal = TenantPrincipal | BearerPrincipal | OperatorPrincipal;

/** The caller of a public path. */
export interface AnonymousPrincipal {
  readonly kind: 'anonymous';
}

/** The request data that a controller gets through the @Context() parameter decorator. */
export interface RequestContext<P extends Principal | AnonymousPrincipal = Principal> extends AccessRecord {
  readonly principal: P;
  /** Present if the caller sent an Idempotency-Key. */
  readonly keyed?: KeyedRequest;
  /** What an operator's request changed so far. Absent for other callers. */
  readonly changes?: FieldChange[];
}

/**
 * The credentials that a path requires. @RequiresKey, @RequiresToken, @RequiresRole or @Public sets them on each controller
 * method.
 */
export type AccessRule =
  /** `isRead`: it changes nothing, though it is a POST: what it names stands in no URL. */
  | { readonly kind: 'key'; readonly scope: Scope; readonly isRead?: true }
  | { readonly kind: 'token'; readonly scope: string }
  | { readonly kind: 'role'; readonly roles: readonly Role[] }
  /** `perMinute`: requests per minute that one IP address may make; default 60. */
  | { readonly kind: 'public'; readonly perMinute?: number }
  /** A sender that signs its bodies. It is not limited; what is not signed counts per IP address. */
  | { readonly kind: 'signed' };

/**
 * Identifies the caller, before the rate limit. The accounts slice implements it. For keys, throws a Rejection: invalid_api_key
 * (malformed, unknown, other environment), expired_api_key (revoked or past its expiry) or account_disabled. For tokens, throws
 * invalid_token. The HTTP layer handles absent credentials.
 */
export abstract class Authenticator {
  /** The owner of this key, if this process knows it without a look-up; undefined otherwise. Throws as byApiKey does. */
  abstract recognise(apiKey: string): TenantPrincipal | undefined;
  /** Whether this deployment can have created such a key, judged only by its form and checksum. */
  abstract isWellFormed(apiKey: string): boolean;
  /** Awaits `beforeLookUp` before it looks up a well-formed key that this process has not found valid yet. */
  abstract byApiKey(apiKey: string, beforeLookUp: () => Promise<void>): Promise<TenantPrincipal>;
  /** Notes that a key was used from an address that it allows. Null: the address cannot be read. Never waits. */
  abstract noteUse(principal: TenantPrincipal, address: string | null): void;
  /** The token of the console's session among these cookies. */
  abstract sessionTokenIn(cookies: string | undefined): string | undefined;
  /**
   * Who is signed in to the console by this token, with the rights of now. Throws a Rejection where no one is. Awaits
   * `beforeLookUp` before it looks up a token that this process has not found valid yet. `isUse`: false where it is only looked at,
   * which does not make it last.
   */
  abstract bySession(
    token: string,
    beforeLookUp: () => Promise<void>,
    isUse?: boolean,
  ): Promise<TenantPrincipal | OperatorPrincipal>;
  /** On a path that asks for a role, a token with `roles` is an operator. Any other token must name an account. */
  abstract byToken(token: string, wanted: 'token' | 'role'): Promise<BearerPrincipal | OperatorPrincipal>;
}
