import { compactVerify, createLocalJWKSet } from 'jose';
import { answer, api } from '../api.js';

/** What a certificate of an erasure says, once its signature verifies. Throws otherwise. */
export const verifyCertificate = async (certificate: string): Promise<Readonly<Record<string, unknown>>> => {
  const keys = await answer(api.GET('/.well-known/jwks.json'));
  const { payload } = await compactVerify(certificate.trim(), createLocalJWKSet({ keys: [...keys.keys] }), {
    algorithms: ['EdDSA', 'Ed25519'],
  });
  return JSON.parse(new TextDecoder().decode(payload)) as Readonly<Record<string, unknown>>;
};
