import { compactDecrypt, errors, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose';
import { PROOF_ALGORITHMS } from '../wallets/issuer-metadata.js';
import { type Queried, queryOf } from './queries.js';

const RESPONSE_PATH = 'openid4vp/responses';
const REQUEST_PATH = 'openid4vp/requests';

/** The id of the one credential that is asked for, within its query. */
const CREDENTIAL_ID = 'credential';

/** The encryption of answers (OpenID4VP 1.0, section 8.3). */
const KEY_AGREEMENT = 'ECDH-ES';
const CONTENT_ENCRYPTION = ['A256GCM', 'A128GCM'];

export const newResponseKey = async (): Promise<{ readonly publicKey: JWK; readonly privateKey: JWK }> => {
  const pair = await generateKeyPair(KEY_AGREEMENT, { crv: 'P-256', extractable: true });
  return { publicKey: await exportJWK(pair.publicKey), privateKey: await exportJWK(pair.privateKey) };
};

/** Where a wallet sends its answer. */
export const responseUri = (baseUrl: string, requestId: string): string => `${baseUrl}/${RESPONSE_PATH}/${requestId}`;

interface Asked {
  readonly requestId: string;
  /** Who the verifier is to the wallet. */
  readonly clientId: string;
  readonly nonce: string;
  readonly credential: Queried;
  readonly claims: readonly string[];
}

/** What a wallet is asked for (section 5). */
export const parametersOf = (baseUrl: string, asked: Asked, publicKey: JWK) => {
  const { requestId, clientId, nonce, credential, claims } = asked;
  const { type, pathOf, algorithms: signed } = queryOf(credential);
  const meta = { vct_values: [type] };
  const paths = claims.map((name) => ({ path: pathOf(name) }));
  const algorithms = { 'sd-jwt_alg_values': signed, 'kb-jwt_alg_values': PROOF_ALGORITHMS };
  const key = { ...publicKey, kid: requestId, use: 'enc', alg: KEY_AGREEMENT };
  return {
    client_id: clientId,
    response_type: 'vp_token',
    response_mode: 'direct_post.jwt',
    response_uri: responseUri(baseUrl, requestId),
    nonce,
    state: requestId,
    dcql_query: { credentials: [{ id: CREDENTIAL_ID, format: 'dc+sd-jwt', meta, claims: paths }] },
    client_metadata: {
      jwks: { keys: [key] },
      encrypted_response_enc_values_supported: CONTENT_ENCRYPTION,
      vp_formats_supported: { 'dc+sd-jwt': algorithms },
    },
  };
};

const link = (parameters: Readonly<Record<string, string>>): string =>
  `openid4vp://?${new URLSearchParams(parameters).toString()}`;

/** Opens a wallet on the person's device. It holds the whole request: nothing needs to be fetched. */
export const linkByValue = (parameters: ReturnType<typeof parametersOf>): string => {
  const { dcql_query: query, client_metadata: metadata, ...texts } = parameters;
  return link({ ...texts, dcql_query: JSON.stringify(query), client_metadata: JSON.stringify(metadata) });
};

/** Opens a wallet, which fetches the signed request (RFC 9101, section 5.2). */
export const linkByReference = (baseUrl: string, { clientId, requestId }: Pick<Asked, 'clientId' | 'requestId'>) =>
  link({ client_id: clientId, request_uri: `${baseUrl}/${REQUEST_PATH}/${requestId}` });

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
      contentEncryptionAlgorithms: CONTENT_ENCRYPTION,
      maxDecompressedLength: 0,
    });
    return JSON.parse(new TextDecoder().decode(plaintext));
  } catch (error) {
    if (error instanceof errors.JOSEError || isOfOther(error)) return undefined;
    throw error;
  }
};
