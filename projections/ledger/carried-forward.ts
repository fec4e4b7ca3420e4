import { type StreamPurged } from '../../src/retention/domain/retention.events.js';
import { type BalanceCarriedForward, CREDITS_STREAM_PREFIX } from '../../src/credits/domain/credits.events.js';
import { type Recorded, type StoredEvent, tenantOfStream } from '../../src/kernel/events.js';
import { tenantUuid } from '../../src/kernel/ids.js';
import { rowsParameter } from '../../src/log/project/define-projection.js';
import { type UnnamedActor } from '../../src/kernel/audit-actors.js';
import { type Statement } from '../../src/log/project/projection.js';
import { DROP_EMPTY_DAYS, SAME_KIND } from './accesses.js';

const NOTE = `
  INSERT INTO carried_forward (tenant_id, revision, carried_at, open_deductions) VALUES ($1, $2, $3, $4::uuid[])`;

/**
 * If earlier events are missing, the rows begin with this event. The log may begin here, or a partial scavenge may
 * have left only some of them.
 */
const SET_BALANCE = `
  INSERT INTO balances (tenant_id, tenant, balance, transactions) VALUES ($1, $2, $3, 0)
  ON CONFLICT (tenant_id) DO UPDATE SET balance = excluded.balance`;

const KEEP_OPEN = 'DELETE FROM open_deductions WHERE tenant_id = $1 AND deduction_id <> ALL ($2::uuid[])';

const OPEN = `
  INSERT INTO open_deductions (tenant_id, deduction_id, operation, actor, amount, deducted_at, day)
  SELECT $1, r.deduction_id, r.operation, r.actor, r.amount, $3, $4
  FROM json_to_recordset($2::json) AS r(deduction_id uuid, operation text, actor text, amount bigint)
  ON CONFLICT (tenant_id, deduction_id) DO NOTHING`;

/**
 * Also drops the audit entries of charges that still have one. Such logs exist if no purge of the audit log removed
 * the entries.
 */
const DROP_TRANSACTIONS = `
  WITH oldest AS (
    SELECT revision FROM credit_transactions WHERE tenant = $2 ORDER BY revision LIMIT 1
  ), gone AS (
    DELETE FROM credit_transactions
    WHERE tenant = $2 AND revision < $3 AND revision >= (SELECT revision FROM oldest)
    RETURNING occurred_at, action, result, actor
  ), counts AS (
    SELECT (occurred_at AT TIME ZONE 'UTC')::date AS day, action, result, actor, count(*) AS entries
    FROM gone WHERE action IS NOT NULL GROUP BY 1, 2, 3, 4
  ), days AS (
    UPDATE audit_days d SET entries = d.entries - counts.entries FROM counts
    WHERE d.tenant_id = $1 AND ${SAME_KIND}
  )
  UPDATE balances SET transactions = transactions - (SELECT count(*) FROM gone) WHERE tenant_id = $1`;

const DROP_USAGE = 'DELETE FROM usage_by_day WHERE tenant_id = $1 AND day < $2';

const DROP_MOVES = 'DELETE FROM credits_by_day WHERE tenant_id = $1 AND day < $2';

const DROP_CARRIED = 'DELETE FROM carried_forward WHERE tenant_id = $1 AND revision < $2';

export const isCarried = (event: StoredEvent): event is Recorded<BalanceCarriedForward> =>
  event.type === 'BalanceCarriedForward.v1';

export const isBillingPurge = (event: StoredEvent): event is Recorded<StreamPurged> =>
  event.type === 'StreamPurged.v1' && (event as Recorded<StreamPurged>).data.stream.startsWith(CREDITS_STREAM_PREFIX);

/** Changes no row of balances or open deductions if every earlier event was read. */
export const carryForward = (event: Recorded<BalanceCarriedForward>): Statement[] => {
  const tenantId = tenantOfStream(event.stream);
  const { time } = event.metadata;
  const ids = event.data.open.map(({ deductionId }) => deductionId);
  const open = event.data.open.map(({ deductionId, operation, amount }) => ({
    deduction_id: deductionId,
    operation,
    actor: 'service' satisfies UnnamedActor,
    amount,
  }));
  return [
    { text: NOTE, values: [tenantId, event.revision.toString(), time, ids] },
    { text: SET_BALANCE, values: [tenantId, tenantUuid(tenantId), event.data.balance] },
    { text: KEEP_OPEN, values: [tenantId, ids] },
    { text: OPEN, values: [tenantId, rowsParameter(open), event.created.toISOString(), time.slice(0, 10)] },
  ];
};

/** Drops usage and moves by whole days, since they hold no revision: the days before the purge's time. */
export const dropBilling = ({ data }: Recorded<StreamPurged>): Statement[] => {
  const tenantId = tenantOfStream(data.stream);
  return [
    { text: DROP_TRANSACTIONS, values: [tenantId, tenantUuid(tenantId), data.rowsBelow ?? data.firstKept] },
    { text: DROP_EMPTY_DAYS, values: [tenantId] },
    ...[DROP_USAGE, DROP_MOVES].map((text) => ({ text, values: [tenantId, data.occurredBefore.slice(0, 10)] })),
    { text: DROP_CARRIED, values: [tenantId, data.firstKept] },
  ];
};
