import { type Queryable, StatementNotSent } from '../platform/postgres/database.js';
import { type Envelope } from '../platform/crypto/vault.js';
import { Releases } from './releases.js';

/** `open`: the same body runs again, and no other has the key. */
export type RowState = 'running' | 'answered' | 'confirmed' | 'open' | 'free';

/** A key's row as another request reads it. */
export interface KeyRow {
  readonly state: RowState;
  readonly tenant_id: string;
  readonly same_body: boolean;
  readonly deduction_id: string;
  /** A revision of the tenant's credit stream that precedes the deduction, as a decimal. -1 if none was known. */
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
  /** A revision that the tenant's credit stream reached before the deduction; -1 if none is known. */
  readonly deductionAfter: bigint;
}

/** The statements on idempotency_keys. An attempt changes a row only while the row names that attempt. */
export class IdempotencyStore {
  private readonly releases: Releases;

  constructor(private readonly database: Queryable) {
    this.releases = new Releases(database);
  }

  /**
   * Inserts the row, or takes one that is free or expired. Returns the seed of the effects, or undefined if another request
   * holds the key. The same body keeps the seed of an earlier attempt, since its effects may have happened.
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
         OR (held.state = 'open' AND held.body_hash = excluded.body_hash)
       RETURNING effect_seed`,
      [keyHash, tenantId, bodyHash, deductionId, effectSeed, deductionAfter],
      'idempotency_claim',
    );
    // A failed claim that was sent may still have taken effect, and no attempt would use it. So it is released.
    claimed.catch((error: unknown) => {
      if (!(error instanceof StatementNotSent)) this.releases.add(keyHash, deductionId);
    });
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

  /** Ends an attempt whose parts answer for it. */
  async leaveOpen(keyHash: string, deductionId: string): Promise<void> {
    await this.database.query(
      `UPDATE idempotency_keys SET state = 'open' WHERE key_hash = decode($1, 'hex') AND deduction_id = $2 AND state = 'running'`,
      [keyHash, deductionId],
      'idempotency_leave_open',
    );
  }

  /** Stores the response. Returns whether the row still named this attempt. */
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

  /** Allows replay of the attempt's response, since it was sent. */
  async confirm(keyHash: string, deductionId: string): Promise<void> {
    await this.database.query(
      `UPDATE idempotency_keys SET state = 'confirmed'
       WHERE key_hash = decode($1, 'hex') AND deduction_id = $2 AND state = 'answered'`,
      [keyHash, deductionId],
      'idempotency_confirm',
    );
  }

  /**
   * Returns whether the attempt's response may be replayed, although its own request may have failed. If so, the response is
   * now confirmed. No one can withdraw it any more, even after the row is gone.
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

  /**
   * Withdraws the attempt's response and returns true, unless it was replayed. One statement, so that no one confirms in
   * between.
   */
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
    // Age or an erasure removes or frees a row, whether its response was replayed or not.
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
   * Frees the key of an attempt that ended without a response: now, or soon after Postgres responds again. Otherwise the key
   * would stay taken until the attempt's age makes it dead. Never rejects.
   */
  async release(keyHash: string, deductionId: string): Promise<void> {
    if (!(await this.isReleased(keyHash, deductionId))) this.releases.add(keyHash, deductionId);
  }

  private async isReleased(keyHash: string, deductionId: string): Promise<boolean> {
    return this.free(keyHash, deductionId, ['running', 'answered']).then(
      () => true,
      () => false,
    );
  }

  /** Frees the key if the attempt is still in one of these states. The row stays, since it holds the seed of the effects. */
  async free(keyHash: string, deductionId: string, states: readonly RowState[]): Promise<void> {
    await this.database.query(
      `UPDATE idempotency_keys SET state = 'free', status = NULL, answer = NULL
       WHERE key_hash = decode($1, 'hex') AND deduction_id = $2 AND state = ANY($3)`,
      [keyHash, deductionId, states],
      'idempotency_free',
    );
  }
}

/** Removes rows past their 24 hours, at most `limit` per call. Returns their number. */
export const purgeExpiredKeys = async (database: Queryable, limit: number): Promise<number> => {
  const rows = await database.query(
    `DELETE FROM idempotency_keys WHERE key_hash IN
       (SELECT key_hash FROM idempotency_keys WHERE expires_at <= clock_timestamp() ORDER BY expires_at LIMIT $1)
     RETURNING 1`,
    [limit],
  );
  return rows.length;
};

/**
 * Removes entries of replayed responses after 8 years. Billing records go after 7, and no one undoes a charge that is gone.
 * Returns their number.
 */
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

/** Removes the stored responses that are sealed under a data key, as part of a hard delete. Returns their number. */
export const removeAnswersUnder = async (database: Queryable, dataKeyId: string): Promise<number> => {
  const rows = await database.query(`DELETE FROM idempotency_keys WHERE answer ->> 'key' = $1 RETURNING 1`, [
    dataKeyId,
  ]);
  return rows.length;
};
