import { SDJwtVcInstance } from '@sd-jwt/sd-jwt-vc';
import { hash, randomBytes } from 'node:crypto';
import { CompactEncrypt, CompactSign, decodeJwt, decodeProtectedHeader, importJWK, type JWK } from 'jose';
import { type HeldCredential } from './wallet-client.js';

export interface Asked {
  /** The claims that the person shows: names, or paths into them. */
  readonly disclose: readonly (string | readonly string[])[];
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

interface Frame {
  [name: string]: Frame | true;
}

const frameOf = (paths: Asked['disclose']): Frame => {
  const frame: Frame = {};
  for (const path of paths) {
    const names = [path].flat();
    let place = frame;
    for (const name of names.slice(0, -1)) {
      const next = place[name];
      place = typeof next === 'object' ? next : (place[name] = {});
    }
    place[names.at(-1) ?? ''] = true;
  }
  return frame;
};

/** Shows some claims to a verifier, with the proof that the wallet has the key (RFC 9901, section 4.3). */
export const present = ({ credential, key }: HeldCredential, { disclose, nonce, audience }: Asked): Promise<string> =>
  instanceFor(key).present<Record<string, unknown>>(credential, frameOf(disclose), {
    kb: { payload: { iat: Math.floor(Date.now() / 1_000), aud: audience, nonce } },
  });

/** All that the credential says, the claims that it may disclose included. */
export const claimsIn = async ({ credential }: HeldCredential): Promise<Record<string, unknown>> => {
  const isSdJwt = credential.includes('~');
  return isSdJwt ? ((await instanceFor(null).getClaims(credential)) as Record<string, unknown>) : decodeJwt(credential);
};

/** What a verifier asks for, as `deep_link` has it (OpenID4VP 1.0, section 5). */
interface AskedByLink {
  readonly client_id: string;
  readonly response_uri: string;
  readonly nonce: string;
  readonly dcql_query: string;
  readonly client_metadata: string;
}

const asked = (link: string): AskedByLink =>
  Object.fromEntries(new URLSearchParams(link.slice(link.indexOf('?') + 1))) as unknown as AskedByLink;

interface Query {
  readonly credentials: readonly {
    readonly id: string;
    readonly claims: readonly { readonly path: readonly string[] }[];
  }[];
}

/** Shows a verifier what its link asks for, or these claims, encrypted for it. Returns the answer's status. */
export const presentTo = async (held: HeldCredential, link: string, shown?: readonly string[]): Promise<number> => {
  const { client_id: audience, response_uri: uri, nonce, dcql_query: query, client_metadata: metadata } = asked(link);
  const [credential] = (JSON.parse(query) as Query).credentials;
  const disclose = shown ?? (credential?.claims ?? []).map(({ path }) => path);
  const presentation = await present(held, { disclose, nonce, audience });
  const [key] = (JSON.parse(metadata) as { readonly jwks: { readonly keys: readonly JWK[] } }).jwks.keys;
  const answer = JSON.stringify({ vp_token: { [credential?.id ?? '']: [presentation] } });
  const response = await new CompactEncrypt(new TextEncoder().encode(answer))
    .setProtectedHeader({ alg: 'ECDH-ES', enc: 'A256GCM', kid: key?.kid ?? '' })
    .encrypt(await importJWK(key ?? {}, 'ECDH-ES'));
  return (await fetch(uri, { method: 'POST', body: new URLSearchParams({ response }) })).status;
};
