import { type Database } from '../postgres/database.js';

/** Keys destroyed in one transaction. */
const MAX_AT_ONCE = 1_000;

/** The owner of the key that seals a member's name and address. */
export const memberSubject = (memberId: string): string => `member/${memberId}`;

/** The owner of the key that seals one decision. */
export const decisionSubject = (decisionId: string): string => `decision/${decisionId}`;

const destroy = async (database: Database, where: string, values: readonly unknown[], now: Date): Promise<number> => {
  const rows = await database.query(
    `WITH gone AS (
       DELETE FROM data_keys WHERE id IN (SELECT id FROM data_keys WHERE ${where}) RETURNING id
     ), forgotten AS (
       DELETE FROM idempotency_keys WHERE answer ->> 'key' IN (SELECT id::text FROM gone)
     )
     INSERT INTO destroyed_data_keys (id, destroyed_at) SELECT id, $1 FROM gone
     ON CONFLICT (id) DO NOTHING RETURNING 1`,
    [now, ...values],
  );
  return rows.length;
};

/** Destroys the key of one decision or member, so that no one can read what it sealed any more. */
export const destroyKeyOf = async (
  database: Database,
  { tenantId, subject }: { readonly tenantId: string; readonly subject: string },
  now: Date,
): Promise<void> => {
  await destroy(database, 'tenant_id = $2 AND subject = $3', [tenantId, subject], now);
};

/** Destroys the keys of all decisions made before this time. A key is as old as its decision. */
export const destroyOldDecisionKeys = async (database: Database, before: Date, now: Date): Promise<void> => {
  for (;;) {
    const old = `subject LIKE 'decision/%' AND created_at < $2 ORDER BY created_at LIMIT ${MAX_AT_ONCE}`;
    if ((await destroy(database, old, [before], now)) < MAX_AT_ONCE) return;
  }
};
