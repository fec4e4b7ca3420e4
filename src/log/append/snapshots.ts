import { type Database } from '../../platform/postgres/database.js';

export interface Snapshot {
  readonly revision: bigint;
  readonly state: unknown;
}

/** Snapshots of long streams. They change cost, never meaning: any of them may be lost or deleted. */
export abstract class Snapshots {
  /** Undefined if there is none of this version. */
  abstract load(stream: string, version: string): Promise<Snapshot | undefined>;
  /** Never rejects. */
  abstract save(stream: string, version: string, revision: bigint, state: unknown): Promise<void>;
  /** Throws Unavailable. An invalid snapshot must be gone before the stream is written again. */
  abstract discard(stream: string): Promise<void>;
}

export class PostgresSnapshots extends Snapshots {
  constructor(
    private readonly database: Database,
    private readonly onLost: (error: unknown) => void,
  ) {
    super();
  }

  async load(stream: string, version: string): Promise<Snapshot | undefined> {
    const rows = await this.database.query<{ revision: string; state: unknown }>(
      'SELECT revision, state FROM snapshots WHERE stream = $1 AND version = $2',
      [stream, version],
      'snapshot_load',
    );
    return rows[0] && { revision: BigInt(rows[0].revision), state: rows[0].state };
  }

  async save(stream: string, version: string, revision: bigint, state: unknown): Promise<void> {
    try {
      // An instance that lags behind must not replace a newer snapshot. A snapshot may be lost, so it does not wait for
      // the disk. Appends wait for the same disk.
      await this.database.query(
        `WITH hasty AS (SELECT set_config('synchronous_commit', 'off', true))
         INSERT INTO snapshots (stream, version, revision, state) SELECT $1, $2, $3::bigint, $4::jsonb FROM hasty
         ON CONFLICT (stream) DO UPDATE SET version = excluded.version, revision = excluded.revision, state = excluded.state
         WHERE snapshots.version <> excluded.version OR snapshots.revision < excluded.revision`,
        [stream, version, revision.toString(), JSON.stringify(state)],
        'snapshot_save',
      );
    } catch (error) {
      this.onLost(error);
    }
  }

  async discard(stream: string): Promise<void> {
    await this.database.query('DELETE FROM snapshots WHERE stream = $1', [stream]);
  }
}
