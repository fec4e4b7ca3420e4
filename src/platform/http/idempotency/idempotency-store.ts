import { setTimeout as pause } from 'node:timers/promises';
import { type Queryable } from '../../postgres/database.js';
import { type Envelope } from '../../crypto/vault.js';

export type RowState = 'running' | 'answered' | 'confirmed' | 'free';

/** A key's row as another request finds it. */
export interface KeyRow {
  readonly state: RowState;
  readonly tenant_id: string;
  readonly same_body: boolean;
  readonly deduction_id: string;
  /** A revision of the tenant's credit stream that the deduction lies behind, a decimal; -1: none was known. */
  readonly deduction_after: string;
  /** Milliseconds since the attempt began, on Postgres' clock. */
  readonly age: number;
  readonly status: number | null;
  readonly answer: Envelope | null;
}

export interface Claim {
  /** HMACs, hexadecimal. */
  readonly keyHash: string;
  readonly bodyHash: string;
  readonly tenantId: string;
  readonly deductionId: string;
  readonly effectSeed: string;
  /** A revision that the tenant's credit stream has reached before the deduction; -1: none is known. */
  readonly deductionAfter: bigint;
}

const RELEASE_AGAIN_MS = 500;
const RELEASES_AFTER_SILENCE = 3;
/** For longer than an attempt lives; after that its key is judged by its age. */
const MAX_RELEASES = 100;

/** The statements on idempotency_keys. An attempt changes a row only while the row names it. */
export class IdempotencyStore {
  constructor(private readonly database: Queryable) {}

  /**
   * Inserts the row, or takes one that is free or expired; answers with the seed of the effects, undefined where another
   * request holds the key. The seed of an earlier attempt is kept for the same body: its effects may have happened.
   */
  async claim({
    keyHash,
    bodyHash,
    tenantId,
    deductionId,
    effectSeed,
    deductionAfter,
  }: Claim): Promise<string | undefined> {
    const claimed = this.database.query<{ effect_seed: string }>(
      `INSERT INTO idempotency_keys AS held
         (key_hash, tenant_id, body_hash, state, deduction_id, effect_seed, deduction_after, started_at, expires_at)
       VALUES (decode($1, 'hex'), $2, decode($3, 'hex'), 'running', $4, $5, $6, clock_timestamp(), clock_timestamp() + interval '24 hours')
       ON CONFLICT (key_hash) DO UPDATE SET
         effect_seed = CASE WHEN held.body_hash = excluded.body_hash AND held.expires_at > excluded.started_at
                            THEN held.effect_seed ELSE excluded.effect_seed END,
         body_hash = excluded.body_hash, state = 'running', deduction_id = excluded.deduction_id, deduction_after = excluded.deduction_after,
         started_at = excluded.started_at, expires_at = excluded.expires_at, status = NULL, answer = NULL
       WHERE held.state = 'free' OR held.expires_at <= excluded.started_at
       RETURNING effect_seed`,
      [keyHash, tenantId, bodyHash, deductionId, effectSeed, deductionAfter],
      'idempotency_claim',
    );
    // Nobody goes on with a claim that did not return, and it may stand all the same.
    claimed.catch(() => this.releaseLater(keyHash, deductionId));
    return (await claimed)[0]?.effect_seed;
  }

  async find(keyHash: string, bodyHash: string): Promise<KeyRow | undefined> {
    const rows = await this.database.query<KeyRow>(
      `SELECT state, tenant_id, body_hash = decode($2, 'hex') AS same_body, deduction_id, deduction_after,
              (extract(epoch FROM clock_timestamp() - started_at) * 1000)::float8 AS age, status, answer
       FROM idempotency_keys WHERE key_hash = decode($1, 'hex') AND state <> 'free' AND expires_at > clock_timestamp()`,
      [keyHash, bodyHash],
      'idempotency_find',
    );
    return rows[0];
  }

  /** Whether the row still named this attempt. */
  async keep(
    keyHash: string,
    deductionId: string,
    state: 'answered' | 'confirmed',
    status: number,
    answer: Envelope,
  ): Promise<boolean> {
    const rows = await this.database.query(
      `UPDATE idempotency_keys SET state = $3, status = $4, answer = $5, expires_at = clock_timestamp() + interval '24 hours'
       WHERE key_hash = decode($1, 'hex') AND deduction_id = $2 AND state IN ('running', 'answered') RETURNING 1`,
      [keyHash, deductionId, state, status, JSON.stringify(answer)],
      'idempotency_keep',
    );
    return rows.length === 1;
  }

  /** The attempt's answer was sent: it may be replayed. */
  async confirm(keyHash: string, deductionId: string): Promise<void> {
    await this.database.query(
      `UPDATE idempotency_keys SET state = 'confirmed'
       WHERE key_hash = decode($1, 'hex') AND deduction_id = $2 AND state = 'answered'`,
      [keyHash, deductionId],
      'idempotency_confirm',
    );
  }

  /**
   * Whether the attempt's answer may be replayed although its own request may have failed: it is confirmed now, and nobody
   * withdraws it any more, not even once the row is gone.
   */
  async confirmRepeat(keyHash: string, deductionId: string): Promise<boolean> {
    const rows = await this.database.query(
      `WITH confirmed AS (
         UPDATE idempotency_keys SET state = 'confirmed'
         WHERE key_hash = decode($1, 'hex') AND deduction_id = $2 AND state IN ('answered', 'confirmed') RETURNING deduction_id),
       remembered AS (
         INSERT INTO repeated_answers (deduction_id) SELECT deduction_id FROM confirmed ON CONFLICT DO NOTHING)
       SELECT 1 FROM confirmed`,
      [keyHash, deductionId],
      'idempotency_confirm_repeat',
    );
    return rows.length === 1;
  }

  /** Takes the attempt's answer back, unless it was repeated; tells whether it was not. One statement, so that nobody confirms in between. */
  async withdraw(keyHash: string, deductionId: string): Promise<boolean> {
    const rows = await this.database.query<{ state: RowState }>(
      `UPDATE idempotency_keys SET
         state = CASE WHEN state = 'answered' THEN 'running' ELSE state END,
         status = CASE WHEN state = 'answered' THEN NULL ELSE status END,
         answer = CASE WHEN state = 'answered' THEN NULL ELSE answer END
       WHERE key_hash = decode($1, 'hex') AND deduction_id = $2 RETURNING state`,
      [keyHash, deductionId],
      'idempotency_withdraw',
    );
    const state = rows[0]?.state;
    if (state === 'running') return true;
    // A row that is gone, or free, was lost to its age or an erasure, whether its answer had been repeated or not.
    return state !== 'confirmed' && !(await this.wasRepeated(deductionId));
  }

  private async wasRepeated(deductionId: string): Promise<boolean> {
    const rows = await this.database.query(
      'SELECT 1 FROM repeated_answers WHERE deduction_id = $1',
      [deductionId],
      'idempotency_repeated',
    );
    return rows.length === 1;
  }

  /**
   * The key of an attempt that ended without an answer is free again: now, or soon after Postgres answers again, instead of
   * when the attempt is dead by its age. Never rejects.
   */
  async release(keyHash: string, deductionId: string): Promise<void> {
    if (!(await this.isReleased(keyHash, deductionId))) void this.releaseLater(keyHash, deductionId);
  }

  /** A statement that was given up may be carried out as Postgres answers again, after the first release: so it is repeated. */
  private async releaseLater(keyHash: string, deductionId: string): Promise<void> {
    let releases = 0;
    for (let round = 0; round < MAX_RELEASES && releases < RELEASES_AFTER_SILENCE; round += 1) {
      await pause(RELEASE_AGAIN_MS, undefined, { ref: false });
      if (await this.isReleased(keyHash, deductionId)) releases += 1;
    }
  }

  private async isReleased(keyHash: string, deductionId: string): Promise<boolean> {
    return this.free(keyHash, deductionId, ['running', 'answered']).then(
      () => true,
      () => false,
    );
  }

  /** The key is free again, if the attempt still stands in one of these states; the row stays for the seed of the effects. */
  async free(keyHash: string, deductionId: string, states: readonly RowState[]): Promise<void> {
    await this.database.query(
      `UPDATE idempotency_keys SET state = 'free', status = NULL, answer = NULL
       WHERE key_hash = decode($1, 'hex') AND deduction_id = $2 AND state = ANY($3)`,
      [keyHash, deductionId, states],
      'idempotency_free',
    );
  }
}

/** Removes rows past their 24 hours, at most `limit` a call; answers how many. */
export const purgeExpiredKeys = async (database: Queryable, limit: number): Promise<number> => {
  const rows = await database.query(
    `DELETE FROM idempotency_keys WHERE key_hash IN
       (SELECT key_hash FROM idempotency_keys WHERE expires_at <= clock_timestamp() ORDER BY expires_at LIMIT $1)
     RETURNING 1`,
    [limit],
  );
  return rows.length;
};

/** Billing records are kept as long: once the charge itself is gone nobody undoes it. Answers how many. */
export const purgeRepeatedAnswers = async (database: Queryable, limit: number): Promise<number> => {
  const rows = await database.query(
    `DELETE FROM repeated_answers WHERE deduction_id IN
       (SELECT deduction_id FROM repeated_answers WHERE repeated_at <= clock_timestamp() - interval '8 years'
        ORDER BY repeated_at LIMIT $1)
     RETURNING 1`,
    [limit],
  );
  return rows.length;
};

/** Removes the stored answers that are sealed under a data key; part of a hard delete. Answers how many. */
export const removeAnswersUnder = async (database: Queryable, dataKeyId: string): Promise<number> => {
  const rows = await database.query(`DELETE FROM idempotency_keys WHERE answer ->> 'key' = $1 RETURNING 1`, [
    dataKeyId,
  ]);
  return rows.length;
};
