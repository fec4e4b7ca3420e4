import { Inject, Injectable } from '@nestjs/common';
import { decodeProtectedHeader } from 'jose';
import { createHash } from 'node:crypto';
import { type Configuration } from 'openid-client';
import { isTenantId, type TenantId } from '../../kernel/ids.js';
import { isRejection, refuse } from '../../kernel/rejection.js';
import { Unavailable } from '../../kernel/unavailable.js';
import { describeError, LOGGER, type Logger } from '../../observability/logging.js';
import { type Config } from '../../platform/config/config.js';
import { type Role, ROLES } from '../../http/request-context.js';
import { CONFIG } from '../../platform/tokens.js';
import { TokenVerifier } from '../tokens/token-verifier.js';

/** What the browser keeps between leaving for the provider and coming back. */
export interface Departure {
  readonly state: string;
  readonly nonce: string;
  /** Of PKCE (RFC 7636). */
  readonly verifier: string;
}

interface Until {
  /** When the access token ends, and the session with it. */
  readonly until: Date;
}

export type SignedIn =
  | (Until & { readonly kind: 'operator'; readonly subject: string; readonly roles: readonly Role[] })
  | (Until & { readonly kind: 'member'; readonly tenantId: TenantId; readonly email: string });

/** Paths under the public URL. */
const CALLBACK = '/console/session/oidc/callback';
const HOME = '/console';

const isRole = (text: string): text is Role => (ROLES as readonly string[]).includes(text);

interface Granted {
  readonly access_token: string;
  readonly id_token?: string;
  claims(): { readonly sub: string; readonly at_hash?: unknown } | undefined;
}

/** The left half of the hash that the ID token's algorithm ends with, or SHA-512 for EdDSA (OpenID Connect Core, 3.1.3.6). */
const accessTokenHash = ({ access_token: token, id_token: idToken = '' }: Granted): string => {
  const [bits = '512'] = /(?:256|384|512)$/.exec(decodeProtectedHeader(idToken).alg ?? '') ?? [];
  const hash = createHash(`sha${bits}`).update(token).digest();
  return hash.subarray(0, hash.length / 2).toString('base64url');
};

/** Providers may give each client another subject of a person (pairwise), so a hash of the access token counts for more. */
const isOfOneGrant = (granted: Granted, subject: string): boolean => {
  const { sub, at_hash: bound } = granted.claims() ?? {};
  return bound === undefined ? sub === subject : bound === accessTokenHash(granted);
};

/**
 * Signs operators and members in at the deployment's OpenID provider: authorization code flow with PKCE, state and nonce. Operators'
 * roles are those of the access token, as in the API.
 */
@Injectable()
export class OidcSignIn {
  private discovered: Promise<Configuration> | undefined;

  constructor(
    private readonly tokens: TokenVerifier,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  get isOffered(): boolean {
    return this.config.consoleClient !== undefined;
  }

  async begin(): Promise<{ readonly url: URL; readonly departure: Departure }> {
    const client = await import('openid-client');
    const [state, nonce, verifier] = [client.randomState(), client.randomNonce(), client.randomPKCECodeVerifier()];
    const url = client.buildAuthorizationUrl(await this.provider(), {
      redirect_uri: this.at(CALLBACK),
      scope: this.config.consoleClient?.scope ?? 'openid',
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state,
      nonce,
    });
    return { url, departure: { state, nonce, verifier } };
  }

  /** `search`: the query that the provider sent the browser back with. Throws a Rejection: invalid_token or forbidden. */
  async finish(search: string, { state, nonce, verifier }: Departure): Promise<SignedIn> {
    const client = await import('openid-client');
    const back = new URL(`${this.at(CALLBACK)}${search}`);
    const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true };
    const granted = await client.authorizationCodeGrant(await this.provider(), back, checks).catch((error: unknown) => {
      this.logger.warn({ error: describeError(error) }, 'the identity provider did not confirm a sign-in');
      throw refuse('invalid_token', { detail: 'The provider did not confirm the sign-in' });
    });
    const { subject, roles, claims } = await this.tokens.verify(granted.access_token);
    if (!isOfOneGrant(granted, subject))
      throw refuse('invalid_token', { detail: 'The ID token and the access token are not of one sign-in' });
    const own = roles.filter(isRole);
    const until = new Date(1_000 * (claims.exp ?? 0));
    if (own.length > 0) return { kind: 'operator', subject, roles: own, until };
    // Who is a member of which account: the access token names the account, and the ID token the verified address.
    const tenantId = claims[this.config.tenantClaim];
    const idToken = granted.claims();
    const [email, isVerified] = [idToken?.['email'], idToken?.['email_verified']];
    if (typeof tenantId === 'string' && isTenantId(tenantId) && typeof email === 'string' && isVerified === true)
      return { kind: 'member', tenantId, email, until };
    throw refuse('forbidden', { detail: 'The tokens name no operator’s role, and no account with a verified e-mail' });
  }

  /** Where the provider ends its own session. Without such an endpoint: the console. */
  async end(): Promise<string> {
    const client = await import('openid-client');
    const provider = await this.provider();
    if (provider.serverMetadata().end_session_endpoint === undefined) return this.at(HOME);
    return client.buildEndSessionUrl(provider, { post_logout_redirect_uri: this.at(HOME) }).href;
  }

  /** Looked up once; again after a failure. */
  private provider(): Promise<Configuration> {
    this.discovered ??= this.discover().catch((cause: unknown) => {
      this.discovered = undefined;
      throw isRejection(cause) ? cause : new Unavailable('identity_provider', { cause });
    });
    return this.discovered;
  }

  private async discover(): Promise<Configuration> {
    const { consoleClient, identityProvider } = this.config;
    if (consoleClient === undefined || identityProvider === undefined) throw refuse('not_found');
    const client = await import('openid-client');
    // The signature of the ID token is checked, though TLS would do by the specification.
    return client.discovery(new URL(identityProvider.issuer), consoleClient.id, consoleClient.secret, undefined, {
      execute: [client.enableNonRepudiationChecks],
    });
  }

  private at(path: string): string {
    return `${this.config.publicUrl ?? ''}${path}`;
  }
}
