import { Inject, Injectable } from '@nestjs/common';
import { compactDecrypt, errors, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose';
import { type Clock } from '../../kernel/clock.js';
import { type Envelope } from '../../kernel/envelope.js';
import { newUuid, type TenantId } from '../../kernel/ids.js';
import { refuse } from '../../kernel/rejection.js';
import { ERASED, Vault } from '../../platform/crypto/vault.js';
import { Periodic } from '../../platform/periodic/periodic.js';
import { Database } from '../../platform/postgres/database.js';
import { CLOCK } from '../../platform/tokens.js';
import { ATTESTATION_TYPE, type DisclosedClaims } from '../domain/wallet-credential.js';
import { IssuerIdentity } from '../issuer.js';
import { PROOF_ALGORITHMS } from './issuer-metadata.js';

/** How long a wallet may answer, milliseconds. */
const LASTS_MS = 15 * 60_000;

/** How long what was shown can be read, hours. */
const KEPT_HOURS = 24;

const RESPONSE_PATH = 'openid4vp/responses';

/** The id of the one credential that is asked for, within the query. */
const QUERIED = 'attestation';

/** The encryption of answers (OpenID4VP 1.0, section 8.3). */
const KEY_AGREEMENT = 'ECDH-ES';
const CONTENT_ENCRYPTION = 'A256GCM';

export interface PresentationRequest {
  readonly requestId: string;
  readonly tenantId: TenantId;
  readonly nonce: string;
  readonly claims: readonly (keyof DisclosedClaims)[];
  readonly expiresAt: Date;
  readonly answeredAt: Date | null;
}

interface Row extends PresentationRequest {
  readonly responseKey: Envelope;
  readonly result: Envelope | null;
}

/** Asks wallets to show claims, and keeps what they show for a day. Everything throws Unavailable. */
@Injectable()
export class PresentationRequests {
  constructor(
    private readonly database: Database,
    private readonly vault: Vault,
    private readonly issuer: IssuerIdentity,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** `deepLink` opens a wallet on the person's device, or is shown as a QR code. */
  async ask(
    tenantId: TenantId,
    claims: readonly (keyof DisclosedClaims)[],
  ): Promise<PresentationRequest & { readonly deepLink: string }> {
    const [requestId, nonce] = [newUuid(), newUuid()];
    const expiresAt = new Date(this.clock.now().getTime() + LASTS_MS);
    const { publicKey, privateKey } = await generateKeyPair(KEY_AGREEMENT, { crv: 'P-256', extractable: true });
    const sealing = await this.vault.tenantKey(tenantId, 'answers');
    const sealed = this.vault.seal(sealing, placeOf(tenantId, requestId, 'response_key'), await exportJWK(privateKey));
    await this.database.query(
      `INSERT INTO presentation_requests (request_id, tenant_id, nonce, claims, response_key, expires_at)
       VALUES ($1, $2, $3, $4, $5, $6)`,
      [requestId, tenantId, nonce, claims, JSON.stringify(sealed), expiresAt],
    );
    const request = { requestId, tenantId, nonce, claims, expiresAt, answeredAt: null };
    return { ...request, deepLink: await this.linkTo(request, await exportJWK(publicKey)) };
  }

  /** Who the verifier is to the wallet: the address that answers go to (OpenID4VP 1.0, section 5.9.3). */
  async audienceOf(request: PresentationRequest): Promise<string> {
    return `redirect_uri:${await this.responseUri(request)}`;
  }

  /** Throws Rejection not_found. */
  async find(tenantId: TenantId, requestId: string): Promise<PresentationRequest & { readonly result: unknown }> {
    const row = await this.load(requestId);
    if (row.tenantId !== tenantId) throw refuse('not_found');
    const place = placeOf(tenantId, requestId, 'result');
    const opened = row.result === null ? null : await this.vault.open(place, row.result);
    return { ...row, result: opened === ERASED ? null : opened };
  }

  /** The presentation in an answer that a wallet encrypted for this request. Undefined if it has none. Throws Rejection not_found. */
  async presentationIn(
    requestId: string,
    response: string,
  ): Promise<{ readonly request: PresentationRequest; readonly presentation: string | undefined }> {
    const row = await this.load(requestId);
    if (row.answeredAt !== null || row.expiresAt <= this.clock.now()) throw refuse('not_found');
    const key = await this.vault.open(placeOf(row.tenantId, requestId, 'response_key'), row.responseKey);
    if (key === ERASED) throw refuse('not_found');
    return { request: row, presentation: presentationOf(await decrypted(response, key as JWK)) };
  }

  /**
   * Keeps what `judge` makes of the one answer that counts: only that one is judged, and so charged. Where it fails, the wallet may
   * answer again. Throws Rejection not_found for any other answer.
   */
  async once({ tenantId, requestId }: PresentationRequest, judge: () => Promise<object>): Promise<void> {
    const taken = await this.database.query(
      'UPDATE presentation_requests SET answered_at = now() WHERE request_id = $1 AND answered_at IS NULL RETURNING 1',
      [requestId],
    );
    if (taken.length === 0) throw refuse('not_found');
    const result = await judge().catch(async (error: unknown) => {
      const text = 'UPDATE presentation_requests SET answered_at = NULL WHERE request_id = $1';
      await this.database.query(text, [requestId]);
      throw error;
    });
    // It is charged: from here on the answer stays taken.
    const sealing = await this.vault.tenantKey(tenantId, 'answers');
    const sealed = this.vault.seal(sealing, placeOf(tenantId, requestId, 'result'), result);
    const text = 'UPDATE presentation_requests SET result = $2 WHERE request_id = $1';
    await this.database.query(text, [requestId, JSON.stringify(sealed)]);
  }

  @Periodic({ every: ({ erasure }) => erasure.purgeCheckEvery, role: 'jobs', alone: true })
  async forget(): Promise<void> {
    await this.database.query(
      `DELETE FROM presentation_requests WHERE expires_at < now() - make_interval(hours => ${KEPT_HOURS})`,
    );
  }

  /** Its id cannot be guessed, so it is the wallet's proof that it was asked. */
  private async load(requestId: string): Promise<Row> {
    const rows = await this.database.query<Row>(
      `SELECT request_id AS "requestId", tenant_id AS "tenantId", nonce, claims, response_key AS "responseKey",
         expires_at AS "expiresAt", result, answered_at AS "answeredAt"
       FROM presentation_requests WHERE request_id = $1`,
      [requestId],
    );
    const [row] = rows;
    if (row === undefined) throw refuse('not_found');
    return row;
  }

  private async responseUri({ requestId }: PresentationRequest): Promise<string> {
    const { baseUrl } = await this.issuer.establish();
    return `${baseUrl}/${RESPONSE_PATH}/${requestId}`;
  }

  /** The request by value: nothing of it needs to be fetched. */
  private async linkTo(request: PresentationRequest, publicKey: JWK): Promise<string> {
    const meta = { vct_values: [ATTESTATION_TYPE] };
    const claims = request.claims.map((name) => ({ path: [name] }));
    const algorithms = { 'sd-jwt_alg_values': ['EdDSA'], 'kb-jwt_alg_values': PROOF_ALGORITHMS };
    const key = { ...publicKey, kid: request.requestId, use: 'enc', alg: KEY_AGREEMENT };
    const parameters = {
      client_id: await this.audienceOf(request),
      response_type: 'vp_token',
      response_mode: 'direct_post.jwt',
      response_uri: await this.responseUri(request),
      nonce: request.nonce,
      state: request.requestId,
      dcql_query: JSON.stringify({ credentials: [{ id: QUERIED, format: 'dc+sd-jwt', meta, claims }] }),
      client_metadata: JSON.stringify({
        jwks: { keys: [key] },
        encrypted_response_enc_values_supported: [CONTENT_ENCRYPTION],
        vp_formats_supported: { 'dc+sd-jwt': algorithms },
      }),
    };
    return `openid4vp://?${new URLSearchParams(parameters).toString()}`;
  }
}

const placeOf = (tenantId: TenantId, requestId: string, field: string) => ({
  tenantId,
  stream: 'presentation_requests',
  eventId: requestId,
  field,
});

/** Undefined if it is no answer to this key. */
const decrypted = async (response: string, key: JWK): Promise<unknown> => {
  try {
    const { plaintext } = await compactDecrypt(response, await importJWK(key, KEY_AGREEMENT), {
      keyManagementAlgorithms: [KEY_AGREEMENT],
      contentEncryptionAlgorithms: [CONTENT_ENCRYPTION, 'A128GCM'],
    });
    return JSON.parse(new TextDecoder().decode(plaintext));
  } catch (error) {
    if (error instanceof errors.JOSEError || error instanceof SyntaxError || error instanceof DOMException)
      return undefined;
    throw error;
  }
};

const presentationOf = (answer: unknown): string | undefined => {
  const { vp_token: token } = (answer ?? {}) as { readonly vp_token?: Readonly<Record<string, unknown>> };
  const [first] = [token?.[QUERIED]].flat();
  return typeof first === 'string' ? first : undefined;
};
