import { type X509Certificate } from 'node:crypto';
import { compactVerify, decodeProtectedHeader, type ProtectedHeaderParameters } from 'jose';
import { type Payload } from '../../credential-verifier.js';
import { type TrustedIssuers } from './trusted-issuers.js';

/** What issuers of PIDs sign with: ES256 (OpenID4VC High Assurance Interoperability Profile 1.0, section 7), and the other curves. */
export const ISSUER_ALGORITHMS = ['ES256', 'ES384', 'ES512', 'EdDSA'];

type SignedByIssuer =
  | { readonly fault: 'MALFORMED_TOKEN' | 'UNTRUSTED_ISSUER' | 'BAD_SIGNATURE' }
  | { readonly fault?: never; readonly payload: Payload; readonly signer: X509Certificate };

/** Reads a JWT of this type that a trusted issuer signed with the key of its certificate. */
export const readSigned = async (
  jwt: string,
  typ: string,
  issuers: TrustedIssuers,
  now: Date,
): Promise<SignedByIssuer> => {
  const header = x5cHeaderOf(jwt);
  if (header?.typ !== typ) return { fault: 'MALFORMED_TOKEN' };
  const signer = issuers.signerIn(header.x5c, now);
  if (signer === undefined) return { fault: 'UNTRUSTED_ISSUER' };
  const text = await textSignedBy(jwt, signer);
  if (text === undefined) return { fault: 'BAD_SIGNATURE' };
  const payload = objectIn(text);
  return payload === undefined ? { fault: 'MALFORMED_TOKEN' } : { payload, signer };
};

const x5cHeaderOf = (jwt: string): ProtectedHeaderParameters | undefined => {
  try {
    return decodeProtectedHeader(jwt);
  } catch {
    return undefined;
  }
};

const textSignedBy = async (jwt: string, { publicKey }: X509Certificate): Promise<string | undefined> => {
  try {
    const { payload } = await compactVerify(jwt, publicKey, { algorithms: ISSUER_ALGORITHMS });
    return new TextDecoder().decode(payload);
  } catch {
    // Whatever is wrong with the text or the key: it is not signed by the issuer.
    return undefined;
  }
};

const objectIn = (text: string): Payload | undefined => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Payload) : undefined;
  } catch {
    return undefined;
  }
};
