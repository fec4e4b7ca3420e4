import { type AccessRecord } from '../../kernel/access.js';
import { type KeyedRequest } from '../../kernel/charging.js';
import { type TenantId } from '../../kernel/ids.js';
import { type Scope } from '../../kernel/scopes.js';

export const ROLES = ['support', 'admin', 'security'] as const;
export type Role = (typeof ROLES)[number];

/** What limits an account: requests a minute and a second. */
export interface Limits {
  readonly perMinute: number;
  readonly perSecond: number;
}

/** An API key of an account that may be used now. */
export interface TenantPrincipal {
  readonly kind: 'tenant';
  readonly tenantId: TenantId;
  readonly keyId: string;
  readonly scopes: ReadonlySet<Scope>;
  readonly limits: Limits;
}

/** A bearer token of the deployment's identity provider that names an account (`issue`). */
export interface BearerPrincipal {
  readonly kind: 'bearer';
  readonly tenantId: TenantId;
  /** Keyed hash of the token's `sub`. */
  readonly subjectHash: string;
  readonly tokenScopes: ReadonlySet<string>;
  readonly limits: Limits;
}

/** A bearer token with roles (`/admin`). */
export interface OperatorPrincipal {
  readonly kind: 'operator';
  readonly subjectHash: string;
  readonly roles: ReadonlySet<Role>;
}

export type Principal = TenantPrincipal | BearerPrincipal | OperatorPrincipal;

/** Who calls a public path. */
export interface AnonymousPrincipal {
  readonly kind: 'anonymous';
}

/** What a controller is handed of its request, by the @Context() parameter decorator. */
export interface RequestContext<P extends Principal | AnonymousPrincipal = Principal> extends AccessRecord {
  readonly principal: P;
  /** Present where the caller sent an Idempotency-Key. */
  readonly keyed?: KeyedRequest;
}

/** What the caller of a path must show; set on each controller method by @RequiresKey, @RequiresToken, @RequiresRole or @Public. */
export type AccessRule =
  | { readonly kind: 'key'; readonly scope: Scope }
  | { readonly kind: 'token'; readonly scope: string }
  | { readonly kind: 'role'; readonly roles: readonly Role[] }
  /** `perMinute`: requests a minute that one IP address may make; default 60. */
  | { readonly kind: 'public'; readonly perMinute?: number };

/**
 * Finds out who calls, before the rate limit. The accounts slice implements it. Each method throws a Rejection:
 * invalid_api_key (malformed, unknown, other environment), expired_api_key (revoked or past its expiry), account_disabled; for
 * tokens invalid_token. Absence of credentials is the HTTP layer's affair.
 */
export abstract class Authenticator {
  /** Whose this key is, where that is known without asking anybody; undefined otherwise. Throws as byApiKey does. */
  abstract recognise(apiKey: string): TenantPrincipal | undefined;
  /** Whether this deployment can have made such a key, by its form and checksum alone. */
  abstract isWellFormed(apiKey: string): boolean;
  /** `beforeLookUp` is awaited before a store is asked about a well-formed key that was never found good here. */
  abstract byApiKey(apiKey: string, beforeLookUp: () => Promise<void>): Promise<TenantPrincipal>;
  /** A token with `roles` is an operator on paths that ask for a role, else it must name an account. */
  abstract byToken(token: string, wanted: 'token' | 'role'): Promise<BearerPrincipal | OperatorPrincipal>;
}
