import { SDJwtVcInstance } from '@sd-jwt/sd-jwt-vc';
import { hash, randomBytes, X509Certificate } from 'node:crypto';
import { CompactEncrypt, CompactSign, decodeJwt, decodeProtectedHeader, importJWK, type JWK, jwtVerify } from 'jose';
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

/** What a verifier asks for (OpenID4VP 1.0, section 5). */
export interface PresentationRequest {
  readonly client_id: string;
  readonly response_uri: string;
  readonly nonce: string;
  readonly dcql_query: Query;
  readonly client_metadata: { readonly jwks: { readonly keys: readonly JWK[] } };
}

/** The holder of the certificate signed it, and the link names that certificate. Whether an authority stands behind it is not looked at. */
const signedBy = async (clientId: string, request: string): Promise<PresentationRequest> => {
  const { typ, x5c = [] } = decodeProtectedHeader(request);
  const certificate = new X509Certificate(Buffer.from(x5c[0] ?? '', 'base64'));
  if (typ !== 'oauth-authz-req+jwt' || clientId !== `x509_hash:${hash('sha256', certificate.raw, 'base64url')}`)
    throw new Error('this request is not signed by whoever the link names');
  const { payload } = await jwtVerify<PresentationRequest>(request, certificate.publicKey, {
    audience: 'https://self-issued.me/v2',
  });
  if (payload.client_id !== clientId) throw new Error('this request is of another verifier than the link');
  return payload;
};

/** What a link asks for. Throws where its request cannot be fetched, or is of another verifier. */
export const askedBy = async (link: string): Promise<PresentationRequest> => {
  const parameters = Object.fromEntries(new URLSearchParams(link.slice(link.indexOf('?') + 1)));
  const { client_id: clientId = '', request_uri: uri, dcql_query: query, client_metadata: metadata } = parameters;
  if (uri === undefined)
    return {
      ...(parameters as unknown as PresentationRequest),
      dcql_query: JSON.parse(query ?? '') as Query,
      client_metadata: JSON.parse(metadata ?? '') as PresentationRequest['client_metadata'],
    };
  const answer = await fetch(uri);
  if (!answer.ok) throw new Error(`the verifier does not say what it asks for: ${answer.status}`);
  return signedBy(clientId, await answer.text());
};

interface Query {
  readonly credentials: readonly {
    readonly id: string;
    readonly claims: readonly { readonly path: readonly string[] }[];
  }[];
}

/** Shows a verifier what its link asks for, or these claims, encrypted for it. Returns the answer's status. */
export const presentTo = async (held: HeldCredential, link: string, shown?: readonly string[]): Promise<number> => {
  const {
    client_id: audience,
    response_uri: uri,
    nonce,
    dcql_query: query,
    client_metadata: metadata,
  } = await askedBy(link);
  const [credential] = query.credentials;
  const disclose = shown ?? (credential?.claims ?? []).map(({ path }) => path);
  const presentation = await present(held, { disclose, nonce, audience });
  const [key] = metadata.jwks.keys;
  const answer = JSON.stringify({ vp_token: { [credential?.id ?? '']: [presentation] } });
  const response = await new CompactEncrypt(new TextEncoder().encode(answer))
    .setProtectedHeader({ alg: 'ECDH-ES', enc: 'A256GCM', kid: key?.kid ?? '' })
    .encrypt(await importJWK(key ?? {}, 'ECDH-ES'));
  return (await fetch(uri, { method: 'POST', body: new URLSearchParams({ response }) })).status;
};
