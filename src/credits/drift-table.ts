import { Injectable } from '@nestjs/common';
import { type AccountSum } from '../../projections/ledger/account-rows.queries.js';
import { type TenantId } from '../kernel/ids.js';
import { Database } from '../platform/postgres/database.js';
import { type AccountCheckResult } from './account-check.js';

/** The accounts whose rows differ from their streams. */
export interface DriftSummary {
  readonly accounts: number;
  /** Position of the first wrong row of all. */
  readonly first: bigint | undefined;
  /** When the account that waits longest for its turn had the last one. */
  readonly oldest: Date | undefined;
}

/** Findings kept of an account. */
const KEPT = 20;

/** What the drift watch found last of each account. Everything throws Unavailable. */
@Injectable()
export class DriftTable {
  constructor(private readonly database: Database) {}

  /** The account that had the last turn, of all instances and before every restart. '' if none had one. */
  async lastTurn(): Promise<string> {
    const rows = await this.database.query<{ tenantId: string }>(
      'SELECT tenant_id AS "tenantId" FROM drift_checks ORDER BY turn_at DESC, tenant_id DESC LIMIT 1',
      [],
      'drift-last-turn',
    );
    return rows[0]?.tenantId ?? '';
  }

  /** Milliseconds; infinite if the account had no turn. */
  async sinceTurnOf(tenantId: TenantId): Promise<number> {
    const rows = await this.database.query<{ since: number }>(
      'SELECT extract(epoch FROM now() - turn_at)::float8 * 1000 AS since FROM drift_checks WHERE tenant_id = $1',
      [tenantId],
      'drift-since-turn',
    );
    return rows[0]?.since ?? Infinity;
  }

  /** An account that drifts and was checked this long ago. */
  async dueAgain(afterMs: number): Promise<TenantId | undefined> {
    const rows = await this.database.query<{ tenantId: TenantId }>(
      `SELECT tenant_id AS "tenantId" FROM drift_checks
       WHERE differing > 0 AND checked_at < now() - $1 * interval '1 millisecond' ORDER BY checked_at LIMIT 1`,
      [afterMs],
      'drift-due-again',
    );
    return rows[0]?.tenantId;
  }

  /** Returns whether the account drifts and did not before. */
  async save(tenantId: TenantId, { position, drift, sum }: AccountCheckResult, isTurn: boolean): Promise<boolean> {
    const first = drift.reduce<bigint | null>(
      (least, { position: at }) => (least === null || at < least ? at : least),
      null,
    );
    const findings = drift.slice(0, KEPT).map((one) => ({ ...one, position: String(one.position) }));
    const rows = await this.database.query<{ before: number | null }>(
      `WITH before AS (SELECT differing FROM drift_checks WHERE tenant_id = $1)
       INSERT INTO drift_checks
         (tenant_id, checked_at, turn_at, position, sound_position, differing, first_position, findings, transactions, sums)
       VALUES ($1, now(), now(), $2, $3, $4, $5, $6::jsonb, $8, $9)
       ON CONFLICT (tenant_id) DO UPDATE SET checked_at = now(), position = excluded.position,
         turn_at = CASE WHEN $7 THEN now() ELSE drift_checks.turn_at END,
         sound_position = coalesce(excluded.sound_position, drift_checks.sound_position),
         transactions = excluded.transactions, sums = excluded.sums,
         differing = excluded.differing, first_position = excluded.first_position, findings = excluded.findings
       RETURNING (SELECT differing FROM before) AS before`,
      [
        ...[tenantId, position, drift.length === 0 ? position : null, drift.length, first, JSON.stringify(findings)],
        ...[isTurn, sum?.transactions ?? null, drift.length === 0 ? sum?.sums : null],
      ],
      'drift-save',
    );
    return drift.length > 0 && (rows[0]?.before ?? 0) === 0;
  }

  /** Those of these accounts whose sums are others than when they were sound, though no transaction came since. */
  async changedAmong(sums: readonly AccountSum[]): Promise<readonly TenantId[]> {
    const rows = await this.database.query<{ tenantId: TenantId }>(
      `SELECT tenant_id AS "tenantId" FROM drift_checks
       JOIN json_to_recordset($1::json) AS now ("tenantId" text, transactions bigint, sums text) ON tenant_id = "tenantId"
       WHERE drift_checks.transactions > now.transactions
         OR (drift_checks.transactions = now.transactions AND drift_checks.sums <> now.sums)`,
      [JSON.stringify(sums)],
      'drift-changed',
    );
    return rows.map(({ tenantId }) => tenantId);
  }

  async summary(): Promise<DriftSummary> {
    const rows = await this.database.query<{ accounts: number; first: string | null; oldest: Date | null }>(
      `SELECT count(*)::int AS accounts, min(first_position) AS first, (SELECT min(turn_at) FROM drift_checks) AS oldest
       FROM drift_checks WHERE differing > 0`,
      [],
      'drift-summary',
    );
    const { accounts = 0, first = null, oldest = null } = rows[0] ?? {};
    return { accounts, first: first === null ? undefined : BigInt(first), oldest: oldest ?? undefined };
  }
}
