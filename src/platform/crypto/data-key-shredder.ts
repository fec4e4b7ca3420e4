import { type Database } from '../postgres/database.js';
import { answerSubjects } from './response-keys.js';

/** Every instance forgets a destroyed key within this time, milliseconds (see DataKeys). */
export const FORGOTTEN_WITHIN = 60_000;

/** Destroys data keys, which makes all data sealed under them unreadable for good. */
export class DataKeyShredder {
  constructor(
    private readonly database: Database,
    /** The time after a key's destruction by which every instance has forgotten it, milliseconds. */
    readonly forgottenWithin: number = FORGOTTEN_WITHIN,
  ) {}

  /** Ids of the existing keys of one person at one tenant, including those of stored responses. */
  async present(tenantId: string, identityId: string, now: Date): Promise<readonly string[]> {
    const rows = await this.database.query<{ id: string }>(
      'SELECT id FROM data_keys WHERE tenant_id = $1 AND subject = ANY($2::text[])',
      [tenantId, [identityId, ...answerSubjects(identityId, now)]],
    );
    return rows.map((row) => row.id);
  }

  /** Destroys the keys with these ids, once, and the stored responses that they seal. Returns the time at which the last was destroyed; undefined if there are none. */
  async destroy(ids: readonly string[], now: Date): Promise<Date | undefined> {
    return this.database.transaction(async (transaction) => {
      await transaction.query('DELETE FROM data_keys WHERE id = ANY($1::uuid[])', [ids]);
      await transaction.query("DELETE FROM idempotency_keys WHERE answer ->> 'key' = ANY($1::text[])", [ids]);
      await transaction.query(
        `INSERT INTO destroyed_data_keys (id, destroyed_at) SELECT id, $2 FROM unnest($1::uuid[]) AS id
         ON CONFLICT (id) DO NOTHING`,
        [ids, now],
      );
      const rows = await transaction.query<{ destroyed_at: Date | null }>(
        'SELECT max(destroyed_at) AS destroyed_at FROM destroyed_data_keys WHERE id = ANY($1::uuid[])',
        [ids],
      );
      return rows[0]?.destroyed_at ?? undefined;
    });
  }
}
