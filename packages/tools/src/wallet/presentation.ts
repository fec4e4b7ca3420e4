import { SDJwtVcInstance } from '@sd-jwt/sd-jwt-vc';
import { hash, randomBytes } from 'node:crypto';
import { CompactSign, decodeJwt, decodeProtectedHeader, importJWK, type JWK } from 'jose';
import { type HeldCredential } from './wallet-client.js';

export interface Asked {
  /** The claims that the person shows. */
  readonly disclose: readonly string[];
  /** What the verifier gave, so that the presentation works there and once only. */
  readonly nonce: string;
  readonly audience: string;
}

const ALGORITHM = 'ES256';

const sha256 = (data: string | ArrayBuffer): Uint8Array =>
  hash('sha256', typeof data === 'string' ? data : new Uint8Array(data), 'buffer');

const instanceFor = (key: JWK | null): SDJwtVcInstance =>
  new SDJwtVcInstance({
    hasher: sha256,
    hashAlg: 'sha-256',
    saltGenerator: () => randomBytes(16).toString('base64url'),
    kbSignAlg: ALGORITHM,
    kbSigner: async (data: string) => {
      if (key === null) throw new Error('this credential is bound to no key');
      const [header = '', payload = ''] = data.split('.');
      const protectedHeader = decodeProtectedHeader(`${header}.${payload}.`);
      const text = Buffer.from(payload, 'base64url');
      const jwt = await new CompactSign(text)
        .setProtectedHeader({ ...protectedHeader, alg: ALGORITHM })
        .sign(await importJWK(key, ALGORITHM));
      return jwt.split('.')[2] ?? '';
    },
  });

/** Shows some claims to a verifier, with the proof that the wallet has the key (RFC 9901, section 4.3). */
export const present = ({ credential, key }: HeldCredential, { disclose, nonce, audience }: Asked): Promise<string> =>
  instanceFor(key).present<Record<string, unknown>>(
    credential,
    Object.fromEntries(disclose.map((name) => [name, true])),
    {
      kb: { payload: { iat: Math.floor(Date.now() / 1_000), aud: audience, nonce } },
    },
  );

/** All that the credential says, the claims that it may disclose included. */
export const claimsIn = async ({ credential }: HeldCredential): Promise<Record<string, unknown>> => {
  const isSdJwt = credential.includes('~');
  return isSdJwt ? ((await instanceFor(null).getClaims(credential)) as Record<string, unknown>) : decodeJwt(credential);
};
