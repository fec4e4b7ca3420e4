import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { exportJWK, generateKeyPair, importJWK, type JSONWebKeySet, type JWK, SignJWT } from 'jose';
import { type Clock } from '../../kernel/clock.js';
import { newUuid } from '../../kernel/ids.js';
import { keyFinderOf } from './key-set.js';
import { type TrustedIssuer } from './token-verifier.js';

const ISSUER = 'urn:kyc-attestation-network:development';
const AUDIENCE = 'kyc-attestation-network';
const KEY_FILE = 'development-identity-provider.json';
const LIFETIME_SECONDS = 3_600;

export interface DevelopmentTokenRequest {
  readonly tenantId?: string | undefined;
  readonly scope?: string | undefined;
  readonly roles?: readonly string[] | undefined;
}

export interface AccessToken {
  readonly access_token: string;
  readonly token_type: 'Bearer';
  /** Seconds. */
  readonly expires_in: number;
}

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';

const makeKey = async (file: string): Promise<JWK> => {
  const { privateKey } = await generateKeyPair('Ed25519', { extractable: true });
  const jwk: JWK = { ...(await exportJWK(privateKey)), kid: newUuid() };
  // A crash in the middle must not leave half a key behind.
  await writeFile(`${file}.new`, JSON.stringify(jwk), { mode: 0o600 });
  await rename(`${file}.new`, file);
  return jwk;
};

const obtainKey = async (dataDir: string): Promise<JWK> => {
  const file = join(dataDir, KEY_FILE);
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw error;
  });
  return text === undefined ? makeKey(file) : (JSON.parse(text) as JWK);
};

/** Signs tokens for whoever asks on the same machine: stands in for an OIDC provider where none is configured. */
export class DevelopmentIdentityProvider {
  private constructor(
    private readonly privateKey: Awaited<ReturnType<typeof importJWK>>,
    private readonly publicKey: JWK,
    private readonly tenantClaim: string,
    private readonly clock: Clock,
  ) {}

  /** The key stands in `dataDir` (mode 0600), so that tokens outlive a restart. */
  static async open(dataDir: string, tenantClaim: string, clock: Clock): Promise<DevelopmentIdentityProvider> {
    const jwk = await obtainKey(dataDir);
    const { kty, crv, x, kid } = jwk;
    const publicKey = { kty, crv, x, kid, use: 'sig', alg: 'EdDSA' } as JWK;
    return new DevelopmentIdentityProvider(await importJWK(jwk, 'EdDSA'), publicKey, tenantClaim, clock);
  }

  /** Public keys (RFC 7517). */
  get keySet(): JSONWebKeySet {
    return { keys: [this.publicKey] };
  }

  get trusted(): TrustedIssuer {
    return { issuer: ISSUER, audience: AUDIENCE, keys: keyFinderOf(this.keySet) };
  }

  async issue({ tenantId, scope, roles }: DevelopmentTokenRequest): Promise<AccessToken> {
    const issuedAt = Math.floor(this.clock.now().getTime() / 1_000);
    const claims = {
      ...(tenantId === undefined ? {} : { [this.tenantClaim]: tenantId }),
      ...(scope === undefined ? {} : { scope }),
      ...(roles === undefined ? {} : { roles: [...roles] }),
    };
    const token = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'EdDSA', typ: 'JWT', kid: this.publicKey.kid ?? '' })
      .setIssuer(ISSUER)
      .setAudience(AUDIENCE)
      .setSubject(roles === undefined ? `development-user-${tenantId ?? ''}` : `development-${roles.join('-')}`)
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + LIFETIME_SECONDS)
      .setJti(newUuid())
      .sign(this.privateKey);
    return { access_token: token, token_type: 'Bearer', expires_in: LIFETIME_SECONDS };
  }
}
