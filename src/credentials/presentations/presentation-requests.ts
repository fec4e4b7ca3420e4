import { Inject, Injectable } from '@nestjs/common';
import { compactDecrypt, errors, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose';
import { type Clock } from '../../kernel/clock.js';
import { type Envelope } from '../../kernel/envelope.js';
import { type Caps, Deductions, type KeyCap } from '../../kernel/charging.js';
import { newUuid, type TenantId } from '../../kernel/ids.js';
import { isRejection, refuse } from '../../kernel/rejection.js';
import { Unavailable } from '../../kernel/unavailable.js';
import { type TenantPrincipal } from '../../http/request-context.js';
import { ERASED, Vault } from '../../platform/crypto/vault.js';
import { Periodic } from '../../platform/periodic/periodic.js';
import { Database } from '../../platform/postgres/database.js';
import { type Config } from '../../platform/config/config.js';
import { CLOCK, CONFIG } from '../../platform/tokens.js';
import { IssuerIdentity } from '../issuer.js';
import { PROOF_ALGORITHMS } from '../wallets/issuer-metadata.js';
import { type Queried, queryOf } from './queries.js';

/** How long a wallet may answer, milliseconds. */
const LASTS_MS = 15 * 60_000;

/** How long what was shown can be read, hours. */
const KEPT_HOURS = 24;

/** How long an answer may be judged, as a multiple of the time within which a charge is answered: 60 seconds. */
const TAKEN_FOR = 1.5;

const RESPONSE_PATH = 'openid4vp/responses';

/** The id of the one credential that is asked for, within its query. */
const CREDENTIAL_ID = 'credential';

/** The encryption of answers (OpenID4VP 1.0, section 8.3). */
const KEY_AGREEMENT = 'ECDH-ES';
const CONTENT_ENCRYPTION = 'A256GCM';

export interface PresentationRequest {
  readonly requestId: string;
  readonly tenantId: TenantId;
  readonly nonce: string;
  readonly credential: Queried;
  readonly claims: readonly string[];
  readonly askedBy: string;
  readonly caps: Caps;
  readonly expiresAt: Date;
  readonly answeredAt: Date | null;
}

/** How an answer was judged. */
export interface Judged {
  /** As `verify` answers it. */
  readonly verification: object;
  /** Whose credential it is, where it is one of ours. */
  readonly identityHash: string | undefined;
}

interface Row extends Omit<PresentationRequest, 'caps'> {
  readonly caps: readonly KeyCap[] | null;
  readonly responseKey: Envelope | null;
  readonly result: Envelope | null;
  readonly chargeId: string | null;
  /** A revision before the charge. */
  readonly chargeAfter: string | null;
}

/** Asks wallets to show claims, and keeps what they show for a day. Everything throws Unavailable. */
@Injectable()
export class PresentationRequests {
  constructor(
    private readonly database: Database,
    private readonly vault: Vault,
    private readonly issuer: IssuerIdentity,
    private readonly deductions: Deductions,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Pick<Config, 'timing'>,
  ) {}

  private get takenForSeconds(): number {
    return (TAKEN_FOR * this.config.timing.answerDeadline) / 1_000;
  }

  /** `deepLink` opens a wallet on the person's device, or is shown as a QR code. */
  async ask(
    { tenantId, actorId: askedBy, caps }: Pick<TenantPrincipal, 'tenantId' | 'actorId' | 'caps'>,
    { credential, claims }: Pick<PresentationRequest, 'credential' | 'claims'>,
  ): Promise<PresentationRequest & { readonly deepLink: string }> {
    const [requestId, nonce] = [newUuid(), newUuid()];
    const expiresAt = new Date(this.clock.now().getTime() + LASTS_MS);
    const { publicKey, privateKey } = await generateKeyPair(KEY_AGREEMENT, { crv: 'P-256', extractable: true });
    const sealing = await this.vault.tenantKey(tenantId, 'answers');
    const sealed = this.vault.seal(sealing, placeOf(tenantId, requestId, 'response_key'), await exportJWK(privateKey));
    await this.database.query(
      `INSERT INTO presentation_requests
         (request_id, tenant_id, asked_by, caps, nonce, credential, claims, response_key, expires_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
      [
        requestId,
        tenantId,
        askedBy,
        caps === undefined ? null : JSON.stringify(caps),
        nonce,
        credential,
        claims,
        JSON.stringify(sealed),
        expiresAt,
      ],
    );
    const request = { requestId, tenantId, askedBy, caps, nonce, credential, claims, expiresAt, answeredAt: null };
    return { ...request, deepLink: await this.linkTo(request, await exportJWK(publicKey)) };
  }

  /** Who the verifier is to the wallet: the address that answers go to (OpenID4VP 1.0, section 5.9.3). */
  async audienceOf(request: PresentationRequest): Promise<string> {
    return `redirect_uri:${await this.responseUri(request)}`;
  }

  /** With what was shown. Throws Rejection not_found. */
  async find(
    tenantId: TenantId,
    requestId: string,
  ): Promise<{ readonly request: PresentationRequest; readonly judged: Judged | null }> {
    const row = await this.settled(await this.load(requestId));
    if (row.tenantId !== tenantId) throw refuse('not_found');
    return { request: requestOf(row), judged: row.answeredAt === null ? null : await this.judgedOf(row) };
  }

  /** The presentation in an answer that a wallet encrypted for this request. Undefined if it has none. Throws Rejection not_found. */
  async presentationIn(
    requestId: string,
    response: string,
  ): Promise<{ readonly request: PresentationRequest; readonly presentation: string | undefined }> {
    const row = await this.settled(await this.load(requestId));
    const { tenantId, answeredAt, expiresAt, responseKey } = row;
    if (answeredAt !== null || responseKey === null || expiresAt <= this.clock.now()) throw refuse('not_found');
    const key = await this.vault.open(placeOf(tenantId, requestId, 'response_key'), responseKey);
    if (key === ERASED) throw refuse('not_found');
    return { request: requestOf(row), presentation: presentationOf(await decrypted(response, key as JWK)) };
  }

  /**
   * Lets one answer be judged and charged. `judge` keeps what it found (`keep`) before its charge, so that the charge alone decides:
   * after a crash it is looked for. Throws Rejection not_found for any other answer meanwhile.
   */
  async once({ requestId }: PresentationRequest, judge: (attempt: string) => Promise<void>): Promise<void> {
    const attempt = newUuid();
    const taken = await this.database.query(
      `UPDATE presentation_requests SET taken_at = now(), taken_by = $2, charge_id = NULL
       WHERE request_id = $1 AND answered_at IS NULL AND charge_id IS NULL
         AND (taken_at IS NULL OR taken_at < now() - make_interval(secs => ${this.takenForSeconds})) RETURNING 1`,
      [requestId, attempt],
    );
    if (taken.length === 0) throw refuse('not_found');
    try {
      await judge(attempt);
    } catch (error) {
      // Nothing is charged, or what was is given back.
      const mayAnswerAtOnce = isRejection(error) || isUnjudged(error);
      await this.database.query(
        `UPDATE presentation_requests SET charge_id = NULL, result = NULL, taken_at = CASE WHEN $3 THEN NULL ELSE taken_at END
         WHERE request_id = $1 AND taken_by = $2 AND answered_at IS NULL`,
        [requestId, attempt, mayAnswerAtOnce],
      );
      throw error;
    }
    await this.reveal(requestId, 'taken_by', attempt);
  }

  /** Keeps how the answer was judged, beside the charge that it waits for. Throws Unavailable if another attempt has begun since. */
  async keep(
    { tenantId, requestId }: PresentationRequest,
    attempt: string,
    chargeId: string,
    judged: Judged,
  ): Promise<void> {
    const [sealing, after] = await Promise.all([
      this.vault.tenantKey(tenantId, 'answers'),
      this.deductions.reached(tenantId),
    ]);
    const sealed = this.vault.seal(sealing, placeOf(tenantId, requestId, 'result'), judged);
    const kept = await this.database.query(
      `UPDATE presentation_requests SET result = $3, charge_id = $4, charge_after = $5, identity_hash = $6
       WHERE request_id = $1 AND taken_by = $2 AND answered_at IS NULL RETURNING 1`,
      [requestId, attempt, JSON.stringify(sealed), chargeId, String(after), judged.identityHash ?? null],
    );
    if (kept.length === 0) throw new Unavailable('read_models');
  }

  /** Whose credential a wallet showed: of one person. Throws Rejection not_found, and presentation_state_conflict for another. */
  async isOf(requestId: string, identityHash: string): Promise<void> {
    const noted = await this.database.query(
      `UPDATE presentation_requests SET identity_hash = $2
       WHERE request_id = $1 AND (identity_hash IS NULL OR identity_hash = $2) RETURNING 1`,
      [requestId, identityHash],
    );
    if (noted.length > 0) return;
    await this.load(requestId);
    throw refuse('presentation_state_conflict', {
      detail: 'It was taken in as a person of another e-mail or phone number.',
    });
  }

  /** Forgets what wallets showed of a person to the account. Returns how much it was. */
  async forgetPerson(tenantId: TenantId, identityHash: string): Promise<number> {
    const rows = await this.database.query(
      'DELETE FROM presentation_requests WHERE tenant_id = $1 AND identity_hash = $2 RETURNING 1',
      [tenantId, identityHash],
    );
    return rows.length;
  }

  /** An answer whose charge is in the log counts, though its process died; without it the wallet may answer again. */
  private async settled(row: Row): Promise<Row> {
    const { tenantId, requestId, chargeId, chargeAfter, answeredAt } = row;
    if (chargeId === null || answeredAt !== null) return row;
    const state = await this.deductions.stateOf(tenantId, chargeId, BigInt(chargeAfter ?? -1));
    if (state === 'settled') await this.reveal(requestId, 'charge_id', chargeId);
    else
      await this.database.query(
        `UPDATE presentation_requests SET charge_id = NULL, taken_at = NULL WHERE request_id = $1 AND charge_id = $2
           AND answered_at IS NULL AND taken_at < now() - make_interval(secs => ${this.takenForSeconds})`,
        [requestId, chargeId],
      );
    return this.load(requestId);
  }

  private async reveal(requestId: string, by: 'taken_by' | 'charge_id', id: string): Promise<void> {
    await this.database.query(
      `UPDATE presentation_requests SET answered_at = taken_at, response_key = NULL
       WHERE request_id = $1 AND ${by} = $2 AND answered_at IS NULL`,
      [requestId, id],
    );
  }

  private async judgedOf({ tenantId, requestId, result }: Row): Promise<Judged | null> {
    const opened = result === null ? ERASED : await this.vault.open(placeOf(tenantId, requestId, 'result'), result);
    return opened === ERASED ? null : (opened as Judged);
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
      `SELECT request_id AS "requestId", tenant_id AS "tenantId", asked_by AS "askedBy", caps, nonce, credential, claims,
         response_key AS "responseKey", expires_at AS "expiresAt", result, charge_id AS "chargeId", charge_after AS "chargeAfter",
         answered_at AS "answeredAt"
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
    const { type, pathOf, algorithms: signed } = queryOf(request.credential);
    const meta = { vct_values: [type] };
    const claims = request.claims.map((name) => ({ path: pathOf(name) }));
    const algorithms = { 'sd-jwt_alg_values': signed, 'kb-jwt_alg_values': PROOF_ALGORITHMS };
    const key = { ...publicKey, kid: request.requestId, use: 'enc', alg: KEY_AGREEMENT };
    const parameters = {
      client_id: await this.audienceOf(request),
      response_type: 'vp_token',
      response_mode: 'direct_post.jwt',
      response_uri: await this.responseUri(request),
      nonce: request.nonce,
      state: request.requestId,
      dcql_query: JSON.stringify({ credentials: [{ id: CREDENTIAL_ID, format: 'dc+sd-jwt', meta, claims }] }),
      client_metadata: JSON.stringify({
        jwks: { keys: [key] },
        encrypted_response_enc_values_supported: [CONTENT_ENCRYPTION],
        vp_formats_supported: { 'dc+sd-jwt': algorithms },
      }),
    };
    return `openid4vp://?${new URLSearchParams(parameters).toString()}`;
  }
}

const isUnjudged = (error: unknown): boolean => error instanceof Unavailable && error.part === 'credential_status';

const requestOf = ({ caps, ...row }: Row): PresentationRequest => ({ ...row, caps: caps ?? undefined });

const placeOf = (tenantId: TenantId, requestId: string, field: string) => ({
  tenantId,
  stream: 'presentation_requests',
  eventId: requestId,
  field,
});

/** An ephemeral key or a text that jose does not look at itself. */
const isOfOther = (error: unknown): boolean =>
  error instanceof SyntaxError || error instanceof TypeError || error instanceof DOMException;

/** Undefined if it is no answer to this key. */
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

const presentationOf = (answer: unknown): string | undefined => {
  const { vp_token: token } = (answer ?? {}) as { readonly vp_token?: Readonly<Record<string, unknown>> };
  const [first] = [token?.[CREDENTIAL_ID]].flat();
  return typeof first === 'string' ? first : undefined;
};
