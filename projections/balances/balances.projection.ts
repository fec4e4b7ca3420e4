import { RETENTION_STREAM_PREFIX } from '../../src/audit/domain/retention.events.js';
import { type CreditEvent, CREDITS_STREAM_PREFIX } from '../../src/credits/domain/credits.events.js';
import { type StoredEvent } from '../../src/kernel/events.js';
import { defineProjection, type Recorded, rowsParameter } from '../../src/platform/projections/define-projection.js';
import { type Statement } from '../../src/platform/projections/projection.js';
import { BatchSum } from './batch-sum.js';
import { carryForward, isCarried, isPurge, purge } from './carried-forward.js';

/** Balances before the batch and the operations of refunded deductions are looked up, so it comes before they change. */
const ENTER_TRANSACTIONS = `
  INSERT INTO credit_transactions
    (tenant_id, revision, id, type, amount, balance_after, operation, request_id, reference, created_at)
  SELECT r.tenant_id, r.revision, r.id, r.type, r.amount, coalesce(b.balance, 0) + r.running,
    coalesce(r.operation, o.operation), r.request_id, r.reference, r.created_at
  FROM json_to_recordset($1::json) AS r(tenant_id text, revision bigint, id uuid, type text, amount bigint, running bigint,
    operation text, deduction_id uuid, request_id text, reference text, created_at timestamptz)
  LEFT JOIN balances b ON b.tenant_id = r.tenant_id
  LEFT JOIN open_deductions o ON o.tenant_id = r.tenant_id AND o.deduction_id = r.deduction_id`;

const MOVE_BALANCES = `
  INSERT INTO balances (tenant_id, balance, transactions)
  SELECT r.tenant_id, r.amount, r.transactions
  FROM json_to_recordset($1::json) AS r(tenant_id text, amount bigint, transactions bigint)
  ON CONFLICT (tenant_id) DO UPDATE
    SET balance = balances.balance + excluded.balance, transactions = balances.transactions + excluded.transactions`;

const ADD_USAGE = `
  INSERT INTO usage_by_day (tenant_id, day, operation, credits)
  SELECT r.tenant_id, r.day, r.operation, r.credits
  FROM json_to_recordset($1::json) AS r(tenant_id text, day date, operation text, credits bigint)
  ON CONFLICT (tenant_id, day, operation) DO UPDATE SET credits = usage_by_day.credits + excluded.credits`;

const OPEN = `
  INSERT INTO open_deductions (tenant_id, deduction_id, operation, amount, deducted_at, day)
  SELECT r.tenant_id, r.deduction_id, r.operation, r.amount, r.deducted_at, r.day
  FROM json_to_recordset($1::json)
    AS r(tenant_id text, deduction_id uuid, operation text, amount bigint, deducted_at timestamptz, day date)`;

const SETTLE = `
  DELETE FROM open_deductions o USING json_to_recordset($1::json) AS r(tenant_id text, deduction_id uuid)
  WHERE o.tenant_id = r.tenant_id AND o.deduction_id = r.deduction_id`;

const REFUND = `
  WITH gone AS (
    DELETE FROM open_deductions o USING json_to_recordset($1::json) AS r(tenant_id text, deduction_id uuid)
    WHERE o.tenant_id = r.tenant_id AND o.deduction_id = r.deduction_id
    RETURNING o.tenant_id, o.day, o.operation, o.amount
  ), unused AS (SELECT tenant_id, day, operation, sum(amount) AS credits FROM gone GROUP BY tenant_id, day, operation)
  UPDATE usage_by_day u SET credits = u.credits - unused.credits FROM unused
  WHERE u.tenant_id = unused.tenant_id AND u.day = unused.day AND u.operation = unused.operation`;

const sumUp = (events: readonly StoredEvent[]): Statement[] => {
  const sum = new BatchSum();
  for (const event of events) sum.add(event as Recorded<CreditEvent>);
  const steps: readonly (readonly [string, readonly object[]])[] = [
    [ENTER_TRANSACTIONS, sum.transactions],
    [MOVE_BALANCES, [...sum.totals.values()]],
    [SETTLE, sum.settled],
    [REFUND, sum.refunded],
    [ADD_USAGE, [...sum.usage.values()]],
    [OPEN, [...sum.opened.values()]],
  ];
  return steps.filter(([, rows]) => rows.length > 0).map(([text, rows]) => ({ text, values: [rowsParameter(rows)] }));
};

/** What bears on rows made before it, in the same batch too, takes its turn between the sums. */
const project = (events: readonly StoredEvent[]): Statement[] => {
  const statements: Statement[] = [];
  let from = 0;
  for (const [index, event] of events.entries()) {
    if (!isCarried(event) && !isPurge(event)) continue;
    statements.push(...sumUp(events.slice(from, index)), ...(isCarried(event) ? carryForward(event) : purge(event)));
    from = index + 1;
  }
  return [...statements, ...sumUp(events.slice(from))];
};

/** Balance, transactions, open deductions and usage by day of every credit account. Folds, so each event counts once. */
export const balances = defineProjection(import.meta.url, {
  name: 'balances',
  tables: ['balances', 'credit_transactions', 'open_deductions', 'usage_by_day', 'carried_forward'],
  streamPrefixes: [CREDITS_STREAM_PREFIX, RETENTION_STREAM_PREFIX],
  project,
});
