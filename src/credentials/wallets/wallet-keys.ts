import { type JwtSigner } from '@openid4vc/oauth2';
import { type JWK } from 'jose';
import { type PROOF_ALGORITHMS } from './issuer-metadata.js';

const DID_JWK = 'did:jwk:';

/** A JWK of the public key alone. Undefined if it has private parts, or a form that proofs may not have. */
export const publicPart = ({ kty, crv, x, y, d }: JWK): JWK | undefined => {
  if (d !== undefined || typeof x !== 'string') return undefined;
  if (kty === 'EC' && typeof y === 'string' && (crv === 'P-256' || crv === 'P-384')) return { kty, crv, x, y };
  return kty === 'OKP' && crv === 'Ed25519' ? { kty, crv, x } : undefined;
};

/** The key that a proof names: in its header, or in a did:jwk. Undefined if it names none that proofs may have. */
export const keyOf = (signer: JwtSigner): JWK | undefined => {
  if (signer.method === 'jwk') return publicPart(signer.publicJwk as JWK);
  if (signer.method !== 'did' || !signer.didUrl.startsWith(DID_JWK)) return undefined;
  const [encoded = ''] = signer.didUrl.slice(DID_JWK.length).split('#');
  try {
    return publicPart(JSON.parse(Buffer.from(encoded, 'base64url').toString('utf8')) as JWK);
  } catch {
    return undefined;
  }
};

/** The one algorithm that such a key signs with. */
export const algorithmOf = ({ kty, crv }: JWK): (typeof PROOF_ALGORITHMS)[number] =>
  kty === 'OKP' ? 'EdDSA' : crv === 'P-384' ? 'ES384' : 'ES256';
