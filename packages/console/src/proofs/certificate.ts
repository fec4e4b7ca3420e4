import { compactVerify, createLocalJWKSet } from 'jose';
import { answer, api } from '../api.js';

type Claims = Readonly<Record<string, unknown>>;

const openedBy = async (certificate: string): Promise<Claims> => {
  const keys = await answer(api.GET('/.well-known/jwks.json'));
  try {
    const { payload } = await compactVerify(certificate.trim(), createLocalJWKSet({ keys: [...keys.keys] }), {
      algorithms: ['EdDSA', 'Ed25519'],
    });
    return JSON.parse(new TextDecoder().decode(payload)) as Claims;
  } catch (cause) {
    throw new Error('The signature does not fit what it says, or no key of this network made it.', { cause });
  }
};

/** What the certificate of this identity's erasure says, once its signature verifies. Throws otherwise. */
export const verifyCertificate = async (certificate: string, identityId: string): Promise<Claims> => {
  const claims = await openedBy(certificate);
  if (typeof claims['erased_at'] !== 'string') throw new Error('It is signed, and is no certificate of an erasure.');
  if (claims['sub'] !== identityId) throw new Error('It is signed, and is of another identity.');
  return claims;
};
