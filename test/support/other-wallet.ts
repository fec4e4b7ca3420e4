import { type HeldCredential } from '@kyc/tools/wallet/wallet-client';
import { present } from '@kyc/tools/wallet/presentation';
import { type HashAlgorithm } from '@openid4vc/oauth2';
import { Openid4vpClient } from '@openid4vc/openid4vp';
import { hash, X509Certificate } from 'node:crypto';
import { CompactEncrypt, exportJWK, importJWK, type JWK, jwtVerify } from 'jose';
import { VERIFIER_AUTHORITY_CERTIFICATE } from './certificate.js';

const notNeeded = (): never => {
  throw new Error('a wallet that answers needs no such thing');
};

/** A wallet trusts the verifiers that their authority has certified. */
const isRegistered = (certificate: X509Certificate): boolean =>
  certificate.verify(new X509Certificate(VERIFIER_AUTHORITY_CERTIFICATE).publicKey);

/** OpenID4VP 1.0 as the library of the OpenWallet Foundation speaks it. */
const client = new Openid4vpClient({
  callbacks: {
    fetch,
    hash: (data: Uint8Array, algorithm: HashAlgorithm) => hash(algorithm.replace('-', ''), data, 'buffer'),
    signJwt: notNeeded,
    verifyJwt: async (signer, { compact }) => {
      const [first] = signer.method === 'x5c' ? signer.x5c : [];
      const certificate = new X509Certificate(Buffer.from(first ?? '', 'base64'));
      if (!isRegistered(certificate)) return { verified: false as const };
      await jwtVerify(compact, certificate.publicKey);
      return { verified: true as const, signerJwk: (await exportJWK(certificate.publicKey)) as never };
    },
    getX509CertificateMetadata: (text: string) => {
      const { subjectAltName = '' } = new X509Certificate(Buffer.from(text, 'base64'));
      return { sanDnsNames: subjectAltName.split(', ').filter(Boolean), sanUriNames: [] };
    },
    decryptJwe: notNeeded,
    encryptJwe: async ({ publicJwk, alg, enc }, data) => {
      const jwe = await new CompactEncrypt(Buffer.from(data))
        .setProtectedHeader({ alg, enc, kid: publicJwk.kid ?? '' })
        .encrypt(await importJWK(publicJwk as JWK, alg));
      return { jwe, encryptionJwk: publicJwk };
    },
  },
});

interface DcqlQuery {
  readonly credentials: readonly [{ readonly id: string; readonly claims: readonly { readonly path: string[] }[] }];
}

/** What the library reads in the link, and a function that answers it with a held credential. */
export const readByOther = async (link: string) => {
  const parsed = client.parseOpenid4vpAuthorizationRequest({ authorizationRequest: link });
  const request = await client.resolveOpenId4vpAuthorizationRequest({
    authorizationRequestPayload: parsed.params as never,
  });
  const { authorizationRequestPayload } = request;
  const query = request.dcql?.query as DcqlQuery;
  const answer = async (held: HeldCredential): Promise<number> => {
    const [{ id, claims }] = query.credentials;
    const presentation = await present(held, {
      disclose: claims.map(({ path }) => path),
      nonce: authorizationRequestPayload.nonce,
      audience: String((authorizationRequestPayload as { client_id?: string }).client_id),
    });
    const response = await client.createOpenid4vpAuthorizationResponse({
      authorizationRequestPayload,
      authorizationResponsePayload: { vp_token: { [id]: [presentation] } },
      jarm: {
        encryption: { nonce: authorizationRequestPayload.nonce },
        serverMetadata: {
          authorization_signing_alg_values_supported: [],
          authorization_encryption_alg_values_supported: ['ECDH-ES'],
          authorization_encryption_enc_values_supported: ['A256GCM'],
        },
      },
    });
    const sent = await client.submitOpenid4vpAuthorizationResponse({
      authorizationRequestPayload,
      authorizationResponsePayload: response.authorizationResponsePayload,
      jarm: response.jarm,
    } as never);
    return sent.response.status;
  };
  return { version: request.version, clientId: request.client.prefix, query, answer };
};
