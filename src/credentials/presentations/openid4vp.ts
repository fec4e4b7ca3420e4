import { compactDecrypt, errors, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose';
import { PROOF_ALGORITHMS } from '../wallets/issuer-metadata.js';
import { type Queried, queryOf } from './queries.js';

const RESPONSE_PATH = 'openid4vp/responses';

/** The id of the one credential that is asked for, within its query. */
const CREDENTIAL_ID = 'credential';

/** The encryption of answers (OpenID4VP 1.0, section 8.3). */
const KEY_AGREEMENT = 'ECDH-ES';
const CONTENT_ENCRYPTION = 'A256GCM';

export const newResponseKey = async (): Promise<{ readonly publicKey: JWK; readonly privateKey: JWK }> => {
  const pair = await generateKeyPair(KEY_AGREEMENT, { crv: 'P-256', extractable: true });
  return { publicKey: await exportJWK(pair.publicKey), privateKey: await exportJWK(pair.privateKey) };
};

const responseUri = (baseUrl: string, requestId: string): string => `${baseUrl}/${RESPONSE_PATH}/${requestId}`;

/** Who the verifier is to the wallet: the address that answers go to (section 5.9.3). */
export const audienceOf = (baseUrl: string, requestId: string): string =>
  `redirect_uri:${responseUri(baseUrl, requestId)}`;

interface Request {
  readonly requestId: string;
  readonly nonce: string;
  readonly credential: Queried;
  readonly claims: readonly string[];
}

/** A link that opens a wallet on the person's device. It holds the whole request: nothing needs to be fetched (section 5). */
export const linkTo = (baseUrl: string, { requestId, nonce, credential, claims }: Request, publicKey: JWK): string => {
  const { type, pathOf, algorithms: signed } = queryOf(credential);
  const meta = { vct_values: [type] };
  const paths = claims.map((name) => ({ path: pathOf(name) }));
  const algorithms = { 'sd-jwt_alg_values': signed, 'kb-jwt_alg_values': PROOF_ALGORITHMS };
  const key = { ...publicKey, kid: requestId, use: 'enc', alg: KEY_AGREEMENT };
  const parameters = {
    client_id: audienceOf(baseUrl, requestId),
    response_type: 'vp_token',
    response_mode: 'direct_post.jwt',
    response_uri: responseUri(baseUrl, requestId),
    nonce,
    state: requestId,
    dcql_query: JSON.stringify({ credentials: [{ id: CREDENTIAL_ID, format: 'dc+sd-jwt', meta, claims: paths }] }),
    client_metadata: JSON.stringify({
      jwks: { keys: [key] },
      encrypted_response_enc_values_supported: [CONTENT_ENCRYPTION],
      vp_formats_supported: { 'dc+sd-jwt': algorithms },
    }),
  };
  return `openid4vp://?${new URLSearchParams(parameters).toString()}`;
};

interface Answer {
  readonly vp_token?: Readonly<Record<string, unknown>> | null;
}

/** The presentation in an encrypted answer. Undefined if it is none for this key, or has none. */
export const presentationIn = async (response: string, privateKey: JWK): Promise<string | undefined> => {
  const answer = (await decrypted(response, privateKey)) as Answer | null | undefined;
  const [first] = [answer?.vp_token?.[CREDENTIAL_ID]].flat();
  return typeof first === 'string' ? first : undefined;
};

/** An ephemeral key or a text that jose does not look at itself. */
const isOfOther = (error: unknown): boolean =>
  error instanceof SyntaxError || error instanceof TypeError || error instanceof DOMException;

const decrypted = async (response: string, key: JWK): Promise<unknown> => {
  try {
    const { plaintext } = await compactDecrypt(response, await importJWK(key, KEY_AGREEMENT), {
      keyManagementAlgorithms: [KEY_AGREEMENT],
      contentEncryptionAlgorithms: [CONTENT_ENCRYPTION, 'A128GCM'],
      maxDecompressedLength: 0,
    });
    return JSON.parse(new TextDecoder().decode(plaintext));
  } catch (error) {
    if (error instanceof errors.JOSEError || isOfOther(error)) return undefined;
    throw error;
  }
};
