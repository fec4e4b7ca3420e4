import { clientAuthenticationAnonymous, type HashAlgorithm, type Jwk, setGlobalConfig } from '@openid4vc/oauth2';
import { Openid4vciClient } from '@openid4vc/openid4vci';
import { hash, randomBytes } from 'node:crypto';
import { type CompactJWSHeaderParameters, CompactSign, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose';

export const SD_JWT_FORM = 'kyc_attestation_sd_jwt';

/** A credential with the wallet's key that it is bound to. Null where the form is bound to none. */
export interface HeldCredential {
  readonly issuer: string;
  readonly credential: string;
  /** A private key. */
  readonly key: JWK | null;
}

export interface Redemption {
  /** `openid-credential-offer://…`, or the address of the offer. */
  readonly link: string;
  /** The code that the person was given. */
  readonly code?: string | undefined;
  /** Copies, each for a key of its own. */
  readonly copies?: number;
  /** The id of the form; that of the SD-JWT unless said. */
  readonly form?: string;
}

const ALGORITHM = 'ES256';

// A service on this machine has no TLS.
setGlobalConfig({ allowInsecureUrls: true });

const publicPart = ({ kty, crv, x, y }: JWK): JWK => ({
  kty: kty ?? 'EC',
  ...(crv && { crv }),
  ...(x && { x }),
  ...(y && { y }),
});

const newKey = async (): Promise<JWK> =>
  exportJWK((await generateKeyPair(ALGORITHM, { extractable: true })).privateKey);

/** The protocol's client. It signs with the keys of the wallet by their public part. */
const clientWith = (keys: readonly JWK[]): Openid4vciClient =>
  new Openid4vciClient({
    callbacks: {
      fetch,
      hash: (data: Uint8Array, algorithm: HashAlgorithm) => hash(algorithm.replace('-', ''), data, 'buffer'),
      generateRandom: (bytes: number) => randomBytes(bytes),
      clientAuthentication: clientAuthenticationAnonymous(),
      signJwt: async (signer, { header, payload }) => {
        const key = signer.method === 'jwk' ? keys.find(({ x }) => x === signer.publicJwk.x) : undefined;
        if (key === undefined) throw new Error('this wallet has no such key');
        const text = new TextEncoder().encode(JSON.stringify(payload));
        const jwt = await new CompactSign(text)
          .setProtectedHeader(header as CompactJWSHeaderParameters)
          .sign(await importJWK(key, ALGORITHM));
        return { jwt, signerJwk: publicPart(key) as Jwk };
      },
    },
  });

const linkOf = (text: string): string =>
  text.startsWith('http') ? `openid-credential-offer://?credential_offer_uri=${encodeURIComponent(text)}` : text;

/** Takes an offered credential as a wallet does (OpenID4VCI 1.0). Throws the protocol's errors. */
export const redeem = async ({
  link,
  code,
  copies = 1,
  form = SD_JWT_FORM,
}: Redemption): Promise<readonly HeldCredential[]> => {
  const isBound = form === SD_JWT_FORM;
  const keys = isBound ? await Promise.all(Array.from({ length: copies }, newKey)) : [];
  const client = clientWith(keys);
  const offer = await client.resolveCredentialOffer(linkOf(link));
  const issuerMetadata = await client.resolveIssuerMetadata(offer.credential_issuer);
  const { accessTokenResponse } = await client.retrievePreAuthorizedCodeAccessTokenFromOffer({
    credentialOffer: offer,
    issuerMetadata,
    ...(code === undefined ? {} : { txCode: code }),
  });
  const accessToken = accessTokenResponse.access_token;
  const jwt: string[] = [];
  for (const key of keys) {
    const { c_nonce: nonce } = await client.requestNonce({ issuerMetadata });
    const signer = { method: 'jwk', alg: ALGORITHM, publicJwk: publicPart(key) as Jwk } as const;
    const proof = { issuerMetadata, credentialConfigurationId: form, nonce, signer };
    jwt.push((await client.createCredentialRequestJwtProof(proof)).jwt);
  }
  const { credentialResponse } = await client.retrieveCredentials({
    issuerMetadata,
    accessToken,
    credentialConfigurationId: form,
    ...(isBound ? { proofs: { jwt: jwt } } : {}),
  });
  const held = (credentialResponse.credentials ?? []).map((one, place) => ({
    issuer: offer.credential_issuer,
    credential: String((one as { readonly credential: unknown }).credential),
    key: keys[place] ?? null,
  }));
  const { notification_id: notificationId } = credentialResponse;
  if (notificationId !== undefined)
    await client.sendNotification({
      issuerMetadata,
      accessToken,
      notification: { notificationId, event: 'credential_accepted' },
    });
  return held;
};
