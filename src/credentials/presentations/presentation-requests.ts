import { Inject, Injectable } from '@nestjs/common';
import { type JWK } from 'jose';
import { type Clock } from '../../kernel/clock.js';
import { type Envelope } from '../../kernel/envelope.js';
import { isDeletedAt } from '../../../projections/eligibility/held-of-person.queries.js';
import { Deductions } from '../../kernel/charging.js';
import { newUuid, type TenantId } from '../../kernel/ids.js';
import { isRejection, refuse } from '../../kernel/rejection.js';
import { Unavailable } from '../../kernel/unavailable.js';
import { type TenantPrincipal } from '../../http/request-context.js';
import { ReadModels } from '../../log/project/projection.js';
import { ERASED, Vault } from '../../platform/crypto/vault.js';
import { Periodic } from '../../platform/periodic/periodic.js';
import { Database } from '../../platform/postgres/database.js';
import { type Config } from '../../platform/config/config.js';
import { CLOCK, CONFIG } from '../../platform/tokens.js';
import { type VerificationResponse } from '../http/credentials.response.js';
import { IssuerIdentity } from '../issuer.js';
import {
  linkByReference,
  linkByValue,
  newResponseKey,
  parametersOf,
  presentationIn,
  responseUri,
} from './openid4vp.js';
import { type Queried } from './queries.js';
import { VerifierIdentity } from './verifier-identity.js';

/** How long a wallet may answer, milliseconds. */
const LASTS_MS = 15 * 60_000;

/** How long what was shown can be read, hours. */
const KEPT_HOURS = 24;

/** How long an answer may be judged, as a multiple of the time within which a charge is answered: 60 seconds. */
const TAKEN_FOR = 1.5;

export interface PresentationRequest {
  readonly requestId: string;
  readonly tenantId: TenantId;
  readonly nonce: string;
  /** Who the verifier is to the wallet. */
  readonly clientId: string;
  readonly credential: Queried;
  readonly claims: readonly string[];
  readonly askedBy: string;
  readonly expiresAt: Date;
  readonly answeredAt: Date | null;
  /** Whose credential was shown, where that is known. */
  readonly identityHash: string | null;
}

interface Row extends PresentationRequest {
  /** Null once there is an answer. */
  readonly responseKey: Envelope | null;
  readonly result: Envelope | null;
  readonly attempt: string | null;
  /** A revision before the charge. */
  readonly chargeAfter: string | null;
  /** Whether the process that judges must have given up. */
  readonly isOver: boolean;
}

/** What an attempt found, before its charge. */
export interface Found {
  readonly verification: VerificationResponse;
  readonly identityHash: string | undefined;
}

/** Asks wallets to show claims, and keeps what they show for a day. Everything throws Unavailable. */
@Injectable()
export class PresentationRequests {
  constructor(
    private readonly database: Database,
    private readonly vault: Vault,
    private readonly issuer: IssuerIdentity,
    private readonly verifier: VerifierIdentity,
    private readonly deductions: Deductions,
    private readonly readModels: ReadModels,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Pick<Config, 'timing'>,
  ) {}

  /** When an attempt of now or before has ended, in SQL. */
  private get isOver(): string {
    return `taken_at < now() - make_interval(secs => ${(TAKEN_FOR * this.config.timing.answerDeadline) / 1_000})`;
  }

  /** `deepLink` opens a wallet on the person's device, or is shown as a QR code. */
  async ask(
    { tenantId, actorId: askedBy }: Pick<TenantPrincipal, 'tenantId' | 'actorId'>,
    { credential, claims }: Pick<PresentationRequest, 'credential' | 'claims'>,
  ): Promise<{ readonly requestId: string; readonly expiresAt: Date; readonly deepLink: string }> {
    const [requestId, nonce] = [newUuid(), newUuid()];
    const now = this.clock.now();
    const expiresAt = new Date(now.getTime() + LASTS_MS);
    const [{ publicKey, privateKey }, sealing, { baseUrl }] = await Promise.all([
      newResponseKey(),
      this.vault.tenantKey(tenantId, 'answers'),
      this.issuer.establish(),
    ]);
    const sealed = this.vault.seal(sealing, placeOf(tenantId, requestId, 'response_key'), privateKey);
    const clientId = this.verifier.clientIdFor(responseUri(baseUrl, requestId));
    const parameters = parametersOf(baseUrl, { requestId, clientId, nonce, credential, claims }, publicKey);
    const signed = await this.verifier.signed(parameters, now);
    await this.database.query(
      `INSERT INTO presentation_requests
         (request_id, tenant_id, asked_by, nonce, client_id, signed_request, credential, claims, response_key, expires_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
      [
        ...[requestId, tenantId, askedBy, nonce, clientId, signed, credential, claims],
        ...[JSON.stringify(sealed), expiresAt],
      ],
    );
    const deepLink = signed === undefined ? linkByValue(parameters) : linkByReference(baseUrl, { requestId, clientId });
    return { requestId, expiresAt, deepLink };
  }

  /** What a wallet fetches. Throws Rejection not_found: also once it was answered, or where requests are not signed. */
  async signedRequest(requestId: string): Promise<string> {
    const [row] = await this.database.query<{ signed: string }>(
      `SELECT signed_request AS signed FROM presentation_requests
       WHERE request_id = $1 AND signed_request IS NOT NULL AND response_key IS NOT NULL AND expires_at > $2`,
      [requestId, this.clock.now()],
    );
    if (row === undefined) throw refuse('not_found');
    return row.signed;
  }

  /** With what was shown. Throws Rejection not_found, also once the account has deleted the person. */
  async find(
    tenantId: TenantId,
    requestId: string,
  ): Promise<{ readonly request: PresentationRequest; readonly verification: VerificationResponse | null }> {
    const row = await this.settled(await this.load(requestId));
    const { identityHash } = row;
    const isGone = identityHash !== null && (await isDeletedAt(this.readModels, tenantId, identityHash));
    if (row.tenantId !== tenantId || isGone) throw refuse('not_found');
    return { request: row, verification: row.answeredAt === null ? null : await this.opened(row) };
  }

  /** The presentation in an answer that a wallet encrypted for this request. Undefined if it has none. Throws Rejection not_found. */
  async presentationIn(
    requestId: string,
    response: string,
  ): Promise<{ readonly request: PresentationRequest; readonly presentation: string | undefined }> {
    const row = await this.settled(await this.load(requestId));
    const { tenantId, expiresAt, responseKey } = row;
    if (responseKey === null || expiresAt <= this.clock.now()) throw refuse('not_found');
    const key = await this.vault.open(placeOf(tenantId, requestId, 'response_key'), responseKey);
    if (key === ERASED) throw refuse('not_found');
    return { request: row, presentation: await presentationIn(response, key as JWK) };
  }

  /**
   * Lets one answer be judged and charged. `judge` keeps what it found (`keep`) before its charge, so that the charge alone decides:
   * after a crash it is looked for. Throws Rejection not_found for any other answer meanwhile.
   */
  async once({ requestId }: PresentationRequest, judge: (attempt: string) => Promise<void>): Promise<void> {
    const attempt = newUuid();
    const taken = await this.database.query(
      `UPDATE presentation_requests SET taken_at = now(), attempt = $2
       WHERE request_id = $1 AND response_key IS NOT NULL AND result IS NULL AND (taken_at IS NULL OR ${this.isOver})
       RETURNING 1`,
      [requestId, attempt],
    );
    if (taken.length === 0) throw refuse('not_found');
    try {
      await judge(attempt);
    } catch (error) {
      await this.release(attempt, isRejection(error));
      throw error;
    }
    await this.reveal(attempt);
  }

  /** Keeps what an attempt found until its charge counts. Throws Unavailable once the attempt has ended. */
  async keep({ tenantId, requestId }: PresentationRequest, attempt: string, found: Found): Promise<void> {
    const [sealing, after] = await Promise.all([
      this.vault.tenantKey(tenantId, 'answers'),
      this.deductions.reached(tenantId),
    ]);
    const sealed = this.vault.seal(sealing, placeOf(tenantId, requestId, 'result'), found.verification);
    const kept = await this.database.query(
      `UPDATE presentation_requests SET result = $2, charge_after = $3, identity_hash = $4
       WHERE attempt = $1 AND response_key IS NOT NULL RETURNING 1`,
      [attempt, JSON.stringify(sealed), String(after), found.identityHash ?? null],
    );
    if (kept.length === 0) throw new Unavailable('read_models');
  }

  /**
   * Notes which person showed it, so that an erasure finds it. Throws Rejection not_found, and presentation_state_conflict where it
   * was another person.
   */
  async bindPerson(tenantId: TenantId, requestId: string, identityHash: string): Promise<void> {
    const bound = await this.database.query(
      `UPDATE presentation_requests SET identity_hash = $3
       WHERE tenant_id = $1 AND request_id = $2 AND (identity_hash IS NULL OR identity_hash = $3) RETURNING 1`,
      [tenantId, requestId, identityHash],
    );
    if (bound.length > 0) return;
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

  @Periodic({ every: ({ erasure }) => erasure.purgeCheckEvery, role: 'jobs', alone: true })
  async forget(): Promise<void> {
    await this.database.query(
      `DELETE FROM presentation_requests WHERE expires_at < now() - make_interval(hours => ${KEPT_HOURS})`,
    );
  }

  /**
   * Ends an attempt whose process died: an answer whose charge is in the log counts, without it the wallet may answer again. A
   * living process ends its own.
   */
  private async settled(row: Row): Promise<Row> {
    const { tenantId, requestId, attempt, responseKey, result, chargeAfter, isOver } = row;
    if (responseKey === null || result === null || attempt === null || !isOver) return row;
    const state = await this.deductions.stateOf(tenantId, attempt, BigInt(chargeAfter ?? -1));
    if (state === 'settled') await this.reveal(attempt);
    else await this.release(attempt, true);
    return this.load(requestId);
  }

  /** Nothing was charged, or it is given back. Without a kept result nothing can have been. */
  private async release(attempt: string, mayAnswerAtOnce: boolean): Promise<void> {
    await this.database.query(
      `UPDATE presentation_requests SET attempt = NULL, result = NULL, charge_after = NULL, identity_hash = NULL,
         taken_at = CASE WHEN result IS NULL OR $2 THEN NULL ELSE taken_at END
       WHERE attempt = $1 AND response_key IS NOT NULL`,
      [attempt, mayAnswerAtOnce],
    );
  }

  private async reveal(attempt: string): Promise<void> {
    const text = 'UPDATE presentation_requests SET response_key = NULL WHERE attempt = $1 AND result IS NOT NULL';
    await this.database.query(text, [attempt]);
  }

  /** Null once the account's key of that day is destroyed. */
  private async opened({ tenantId, requestId, result }: Row): Promise<VerificationResponse | null> {
    const opened = result === null ? ERASED : await this.vault.open(placeOf(tenantId, requestId, 'result'), result);
    return opened === ERASED ? null : (opened as VerificationResponse);
  }

  /** Its id cannot be guessed, so it is the wallet's proof that it was asked. */
  private async load(requestId: string): Promise<Row> {
    const [row] = await this.database.query<Row>(
      `SELECT request_id AS "requestId", tenant_id AS "tenantId", asked_by AS "askedBy", nonce, client_id AS "clientId", credential,
         claims, expires_at AS "expiresAt", CASE WHEN response_key IS NULL THEN taken_at END AS "answeredAt",
         identity_hash AS "identityHash", response_key AS "responseKey", result, attempt, charge_after AS "chargeAfter",
         coalesce(${this.isOver}, false) AS "isOver"
       FROM presentation_requests WHERE request_id = $1`,
      [requestId],
    );
    if (row === undefined) throw refuse('not_found');
    return row;
  }
}

const placeOf = (tenantId: TenantId, requestId: string, field: string) => ({
  tenantId,
  stream: 'presentation_requests',
  eventId: requestId,
  field,
});
