import { errors, type JWTPayload, jwtVerify, type JWTVerifyGetKey } from 'jose';
import { type Clock } from '../../kernel/clock.js';
import { refuse } from '../../kernel/rejection.js';

const ALGORITHMS = ['EdDSA', 'Ed25519', 'ES256', 'RS256'];
const CLOCK_SKEW_SECONDS = 60;
const MAX_TOKEN_LENGTH = 16 * 1024;

/** Claims that providers send scopes in: RFC 9068 section 2.2.3, and `scp` of Okta and Entra. */
const SCOPE_CLAIMS: readonly string[] = ['scope', 'scp'];

/** The trusted issuer. Issuer and audience are pinned. */
export interface TrustedIssuer {
  readonly issuer: string;
  readonly audience: string;
  readonly keys: JWTVerifyGetKey;
  /** The one claim that scopes stand in; without it, scope or scp. */
  readonly scopeClaim?: string | undefined;
}

/** The claims of a valid token. */
export interface VerifiedToken {
  readonly subject: string;
  readonly scopes: ReadonlySet<string>;
  /** The claims that were looked at for scopes. */
  readonly scopeClaims: readonly string[];
  readonly roles: readonly string[];
  readonly claims: JWTPayload;
}

/** A claim is a list, or a text with blanks between its parts. */
const textsOf = (claim: unknown): string[] => {
  const parts: readonly unknown[] = typeof claim === 'string' ? claim.split(' ') : Array.isArray(claim) ? claim : [];
  return parts.filter((part): part is string => typeof part === 'string' && part !== '');
};

/** Of an access token: RFC 9068 section 2.1, and what providers from before it write. Case does not count (RFC 7515, 4.1.9). */
const TYPES: ReadonlySet<string> = new Set(['jwt', 'at+jwt']);

/** Throws for a signed token that says that it is another kind, and for an ID token: OpenID Connect Core, 3.1.3.6. */
const assertAccessToken = (typ: string | undefined, claims: JWTPayload): void => {
  const type = typ?.toLowerCase().replace(/^application\//, '') ?? 'jwt';
  if (!TYPES.has(type) || 'at_hash' in claims)
    throw refuse('invalid_token', { detail: 'The token is no access token.' });
};

/** Checks a bearer JWT (RFC 8725): type, algorithm, signature, `iss`, `aud`, `exp`, `nbf`, with 60 s of clock skew. */
export class TokenVerifier {
  constructor(
    private readonly trusted: TrustedIssuer | undefined,
    private readonly clock: Clock,
  ) {}

  /** Throws Rejection `invalid_token`, or Unavailable if the provider's keys are unknown. */
  async verify(token: string): Promise<VerifiedToken> {
    if (this.trusted === undefined || token.length > MAX_TOKEN_LENGTH) throw refuse('invalid_token');
    const claims = await this.claimsOf(token, this.trusted);
    // A valid signature does not guarantee a claim's type.
    const subject: unknown = claims.sub;
    if (typeof subject !== 'string' || subject === '')
      throw refuse('invalid_token', { detail: 'The token names no subject.' });
    const { scopeClaim } = this.trusted;
    const scopeClaims = scopeClaim === undefined ? SCOPE_CLAIMS : [scopeClaim];
    const scopes = scopeClaims.map((claim) => textsOf(claims[claim])).find((texts) => texts.length > 0) ?? [];
    return { subject, scopes: new Set(scopes), scopeClaims, roles: textsOf(claims['roles']), claims };
  }

  private async claimsOf(token: string, { issuer, audience, keys }: TrustedIssuer): Promise<JWTPayload> {
    try {
      const { payload, protectedHeader } = await jwtVerify(token, keys, {
        issuer,
        audience,
        algorithms: ALGORITHMS,
        clockTolerance: CLOCK_SKEW_SECONDS,
        currentDate: this.clock.now(),
        requiredClaims: ['exp', 'sub'],
      });
      assertAccessToken(protectedHeader.typ, payload);
      return payload;
    } catch (error) {
      if (error instanceof errors.JWTExpired) throw refuse('invalid_token', { detail: 'The token has expired.' });
      if (error instanceof errors.JOSEError) throw refuse('invalid_token');
      throw error;
    }
  }
}
