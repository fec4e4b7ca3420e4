import { AUDIT_STREAM_PREFIX } from '../../src/audit/domain/audit.events.js';
import { RETENTION_STREAM_PREFIX } from '../../src/retention/domain/retention.events.js';
import { CREDITS_STREAM_PREFIX } from '../../src/credits/domain/credits.events.js';
import { type Recorded, type StoredEvent } from '../../src/kernel/events.js';
import { defineProjection, rowsParameter } from '../../src/log/project/define-projection.js';
import { type Statement } from '../../src/log/project/projection.js';
import { ADD_DAYS, addAccesses, conceal, dropEntries, isAuditPurge } from './accesses.js';
import { DOCUMENT_STREAM_PREFIX } from '../../src/reports/domain/document.events.js';
import { BatchSum, type LedgerEvent } from './batch-sum.js';
import { carryForward, dropBilling, isBillingPurge, isCarried } from './carried-forward.js';
import { enterCharges } from './charges.js';

/** Reads the balances before the batch. So it runs before they change. */
const ENTER_TRANSACTIONS = `
  INSERT INTO credit_transactions
    (tenant, revision, position, occurred_at, id, amount, balance_after, type, operation, request_id, reference, actor)
  SELECT r.tenant, r.revision, r.position, r.occurred_at, r.id, r.amount, coalesce(b.balance, 0) + r.running, r.type,
    r.operation, r.request_id, r.reference, r.actor
  FROM json_to_recordset($1::json) AS r(tenant uuid, tenant_id text, revision bigint, position bigint, occurred_at timestamptz,
    id uuid, type text, amount bigint, running bigint, operation text, request_id text, reference text, actor text)
  LEFT JOIN balances b ON b.tenant_id = r.tenant_id`;

const MOVE_BALANCES = `
  INSERT INTO balances (tenant_id, tenant, balance, transactions)
  SELECT r.tenant_id, r.tenant, r.amount, r.transactions
  FROM json_to_recordset($1::json) AS r(tenant_id text, tenant uuid, amount bigint, transactions bigint)
  ON CONFLICT (tenant_id) DO UPDATE
    SET balance = balances.balance + excluded.balance, transactions = balances.transactions + excluded.transactions`;

const ADD_USAGE = `
  INSERT INTO usage_by_day (tenant_id, day, operation, actor, credits)
  SELECT r.tenant_id, r.day, r.operation, r.actor, r.credits
  FROM json_to_recordset($1::json) AS r(tenant_id text, day date, operation text, actor text, credits bigint)
  ON CONFLICT (tenant_id, day, operation, actor) DO UPDATE SET credits = usage_by_day.credits + excluded.credits`;

const ADD_MOVES = `
  INSERT INTO credits_by_day (tenant_id, day, moved, purchased)
  SELECT r.tenant_id, r.day, r.moved, r.purchased
  FROM json_to_recordset($1::json) AS r(tenant_id text, day date, moved bigint, purchased bigint)
  ON CONFLICT (tenant_id, day) DO UPDATE SET moved = credits_by_day.moved + excluded.moved,
    purchased = credits_by_day.purchased + excluded.purchased`;

/** A purge may have dropped the day. It stays dropped, whatever is refunded later. */
const TAKE_USAGE = `
  UPDATE usage_by_day u SET credits = u.credits - r.credits
  FROM json_to_recordset($1::json) AS r(tenant_id text, day date, operation text, actor text, credits bigint)
  WHERE u.tenant_id = r.tenant_id AND u.day = r.day AND u.operation = r.operation AND u.actor = r.actor`;

const OPEN = `
  INSERT INTO open_deductions (tenant_id, deduction_id, operation, actor, amount, deducted_at, day)
  SELECT r.tenant_id, r.deduction_id, r.operation, r.actor, r.amount, r.deducted_at, r.day
  FROM json_to_recordset($1::json)
    AS r(tenant_id text, deduction_id uuid, operation text, actor text, amount bigint, deducted_at timestamptz, day date)`;

const SETTLE = `
  DELETE FROM open_deductions o USING json_to_recordset($1::json) AS r(tenant_id text, deduction_id uuid)
  WHERE o.tenant_id = r.tenant_id AND o.deduction_id = r.deduction_id`;

const REFUND = `
  WITH gone AS (
    DELETE FROM open_deductions o USING json_to_recordset($1::json) AS r(tenant_id text, deduction_id uuid)
    WHERE o.tenant_id = r.tenant_id AND o.deduction_id = r.deduction_id
    RETURNING o.tenant_id, o.day, o.operation, o.actor, o.amount
  ), unused AS (
    SELECT tenant_id, day, operation, actor, sum(amount) AS credits FROM gone GROUP BY tenant_id, day, operation, actor
  )
  UPDATE usage_by_day u SET credits = u.credits - unused.credits FROM unused
  WHERE u.tenant_id = unused.tenant_id AND u.day = unused.day AND u.operation = unused.operation AND u.actor = unused.actor`;

/** The deduction's row may be of the same batch. A purge may have dropped it, with its day of usage. */
const UNUSE = `
  WITH unused AS (
    SELECT r.tenant_id, (t.occurred_at AT TIME ZONE 'UTC')::date AS day, t.operation, t.actor, sum(r.amount) AS credits
    FROM json_to_recordset($1::json) AS r(tenant_id text, tenant uuid, deduction_id text, amount bigint)
    JOIN credit_transactions t ON t.tenant = r.tenant AND t.reference = r.deduction_id AND t.type = 'usage'
    GROUP BY 1, 2, 3, 4
  )
  UPDATE usage_by_day u SET credits = u.credits - unused.credits FROM unused
  WHERE u.tenant_id = unused.tenant_id AND u.day = unused.day AND u.operation = unused.operation AND u.actor = unused.actor`;

const unuse = (returned: readonly object[]): Statement[] =>
  returned.length === 0 ? [] : [{ text: UNUSE, values: [rowsParameter(returned)], searches: true }];

const sumUp = (events: readonly StoredEvent[]): Statement[] => {
  const sum = new BatchSum();
  for (const event of events) sum.add(event as Recorded<LedgerEvent>);
  const steps: readonly (readonly [string, readonly object[]])[] = [
    [ENTER_TRANSACTIONS, sum.transactions],
    [MOVE_BALANCES, [...sum.totals.values()]],
    [SETTLE, sum.settled],
    [REFUND, sum.refunded],
    [ADD_USAGE, [...sum.usage.values()]],
    [ADD_MOVES, [...sum.moves.values()]],
    [TAKE_USAGE, [...sum.unused.values()]],
    [ADD_DAYS, sum.days.values()],
    [OPEN, [...sum.opened.values()]],
  ];
  return [
    ...enterCharges(sum.charges),
    ...steps.filter(([, rows]) => rows.length > 0).map(([text, rows]) => ({ text, values: [rowsParameter(rows)] })),
    ...unuse(sum.returned),
    ...addAccesses(sum.recordings),
    ...conceal(sum.reversed),
  ];
};

/**
 * Statements of an event that acts on earlier rows, also on those of the same batch. A purge must not affect rows of
 * later events.
 */
const turnOf = (event: StoredEvent): Statement[] => {
  if (isCarried(event)) return carryForward(event);
  if (isAuditPurge(event)) return dropEntries(event);
  return isBillingPurge(event) ? dropBilling(event) : [];
};

const project = (events: readonly StoredEvent[]): Statement[] => {
  const statements: Statement[] = [];
  let from = 0;
  for (const [index, event] of events.entries()) {
    const turn = turnOf(event);
    if (turn.length === 0) continue;
    statements.push(...sumUp(events.slice(from, index)), ...turn);
    from = index + 1;
  }
  return [...statements, ...sumUp(events.slice(from))];
};

/**
 * Balance, transactions, open deductions and daily usage of every credit account, and every recorded data access of
 * every tenant. A charge is both. Sealed data stays sealed. The projection adds up, so each event must count once.
 */
export const ledger = defineProjection(import.meta.url, {
  name: 'ledger',
  version: 8,
  tables: [
    'balances',
    'credit_transactions',
    'audit_entries',
    'audit_days',
    'open_deductions',
    'usage_by_day',
    'credits_by_day',
    'carried_forward',
  ],
  streamPrefixes: [AUDIT_STREAM_PREFIX, CREDITS_STREAM_PREFIX, DOCUMENT_STREAM_PREFIX, RETENTION_STREAM_PREFIX],
  endsBatch: (event) => isAuditPurge(event) || isBillingPurge(event),
  project,
});
