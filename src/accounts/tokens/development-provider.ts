import { readFile, rename, writeFile } from 'node:fs/promises';
import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { join } from 'node:path';
import { exportJWK, generateKeyPair, importJWK, type JSONWebKeySet, type JWK, SignJWT } from 'jose';
import { type Clock } from '../../kernel/clock.js';
import { newUuid } from '../../kernel/ids.js';
import { StartupError } from '@kyc/embedded-runtime/startup-error';
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

/**
 * The signing key and the secret that authorises signing. One file holds both, so that they are lost together or not
 * at all.
 */
interface Material extends JWK {
  readonly dev_secret: string;
}

const newSecret = (): string => randomBytes(32).toString('base64url');

const write = async (file: string, material: Material): Promise<Material> => {
  // A crash of the process or the machine must not leave a truncated key.
  await writeFile(`${file}.new`, JSON.stringify(material), { mode: 0o600, flush: true });
  await rename(`${file}.new`, file);
  return material;
};

const makeKey = async (file: string): Promise<Material> => {
  const { privateKey } = await generateKeyPair('Ed25519', { extractable: true });
  return write(file, { ...(await exportJWK(privateKey)), kid: newUuid(), dev_secret: newSecret() });
};

type Kept = JWK & Partial<Material>;

/** The parser's message for a damaged file would reveal part of the key. */
const parse = (file: string, text: string): Kept => {
  try {
    const kept: unknown = JSON.parse(text);
    if (typeof (kept as Kept | null)?.d === 'string') return kept as Kept;
  } catch {
    // The code below reports the fault.
  }
  throw new StartupError(
    `${file} does not hold the development identity provider's key: remove it, and the next start makes one.`,
  );
};

const obtainKey = async (dataDir: string): Promise<Material> => {
  const file = join(dataDir, KEY_FILE);
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw error;
  });
  if (text === undefined) return makeKey(file);
  const kept = parse(file, text);
  const { dev_secret } = kept;
  return dev_secret === undefined ? write(file, { ...kept, dev_secret: newSecret() }) : { ...kept, dev_secret };
};

const digestOf = (text: string): Buffer => hash('sha256', text, 'buffer');

/** Signs tokens for callers with its secret. It replaces an OIDC provider if none is configured. */
export class DevelopmentIdentityProvider {
  private constructor(
    private readonly privateKey: Awaited<ReturnType<typeof importJWK>>,
    private readonly publicKey: JWK,
    private readonly tenantClaim: string,
    private readonly clock: Clock,
    /** A caller with this secret may have any token signed. */
    readonly secret: string,
  ) {}

  /** `dataDir` keeps the key and the secret (mode 0600), so that they survive a restart. */
  static async open(dataDir: string, tenantClaim: string, clock: Clock): Promise<DevelopmentIdentityProvider> {
    const jwk = await obtainKey(dataDir);
    const { kty, crv, x, kid, dev_secret: secret } = jwk;
    const publicKey = { kty, crv, x, kid, use: 'sig', alg: 'EdDSA' } as JWK;
    return new DevelopmentIdentityProvider(await importJWK(jwk, 'EdDSA'), publicKey, tenantClaim, clock, secret);
  }

  /** Compares in constant time. */
  admits(secret: string): boolean {
    return timingSafeEqual(digestOf(secret), digestOf(this.secret));
  }

  /** Signs in to the console, on this machine. It is another secret, since it stands in a link. */
  get link(): string {
    return hash('sha256', `console ${this.secret}`, 'base64url');
  }

  admitsLink(link: string): boolean {
    return timingSafeEqual(digestOf(link), digestOf(this.link));
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
