import { newUuid } from '../../kernel/ids.js';
import { type Config } from '../config/config.js';
import { Periodic } from '../periodic/periodic.js';
import { type Database } from '../postgres/database.js';
import { type KeyMaterial } from '../../kernel/key-material.js';
import { readKeyMaterial } from './configured-keys.js';
import { type KeyRing } from './key-ring.js';
import { verifyKeyMaterial } from './verify-key-material.js';

/** Interval at which an instance reads the key file and reports the versions that it holds, milliseconds. */
const EVERY = 2_000;
/** Seconds without a report after which an instance counts as stopped. */
const LIVE_SECONDS = 15;
/** Hours for which the reports of instances that ended without notice are kept. */
const KEPT_HOURS = 24;

export interface LiveInstance {
  readonly instanceId: string;
  readonly versions: readonly number[];
}

/** The instances that run now, by their reports. */
export const liveInstances = (database: Database): Promise<readonly LiveInstance[]> =>
  database.query<LiveInstance>(
    `SELECT instance_id AS "instanceId", versions FROM key_instances
     WHERE seen_at > now() - make_interval(secs => $1) ORDER BY instance_id`,
    [LIVE_SECONDS],
  );

/** Number of live instances that still wrap under another version. */
export const instancesNotWrappingUnder = async (database: Database, version: number): Promise<number> => {
  const rows = await database.query(
    `SELECT 1 FROM key_instances
     WHERE seen_at > now() - make_interval(secs => $1) AND wraps_under <> $2`,
    [LIVE_SECONDS, version],
  );
  return rows.length;
};

const isNews = ({ encryptionKeys }: KeyMaterial, ring: KeyRing): boolean =>
  encryptionKeys.size !== ring.versions.length || ring.versions.some((version) => !encryptionKeys.has(version));

/** Takes up key-encryption keys that are added while the instance runs, and reports the versions that it holds. */
export class KeyWatch {
  private readonly instanceId = newUuid();

  constructor(
    private readonly config: Pick<Config, 'keys' | 'dataDir'>,
    private readonly database: Database,
    private readonly ring: KeyRing,
  ) {}

  /** Sends the first report. */
  async start(): Promise<void> {
    await this.forgetTheDead();
    await this.report();
    await this.agree();
  }

  close(): void {
    // If Postgres is unreachable, the report expires by itself.
    void this.leave().catch(() => undefined);
  }

  /** If the key file is invalid or half written, it is read again later. The present keys stay in use. */
  @Periodic({ every: EVERY })
  async look(): Promise<void> {
    try {
      await this.adoptNewKeys();
    } finally {
      // An instance that cannot read the new file keeps its old keys, and reports them. A rotation then has to wait for it.
      await this.report();
      await this.agree();
    }
  }

  private async adoptNewKeys(): Promise<void> {
    const material = await readKeyMaterial(this.config.keys, this.config.dataDir);
    if (material === undefined || !isNews(material, this.ring)) return;
    await verifyKeyMaterial(material, this.database);
    this.ring.replace(material.encryptionKeys);
  }

  /** A version that some live instance lacks wraps nothing. Each instance may have its own copy of the key file. */
  private async agree(): Promise<void> {
    const before = this.ring.wrapsUnder;
    this.ring.agree((await liveInstances(this.database)).map(({ versions }) => versions));
    if (this.ring.wrapsUnder !== before) await this.report();
  }

  /** Deletes the report, so that no one waits for an instance that has stopped. */
  private async leave(): Promise<void> {
    await this.database.query('DELETE FROM key_instances WHERE instance_id = $1', [this.instanceId]);
  }

  private async forgetTheDead(): Promise<void> {
    await this.database.query('DELETE FROM key_instances WHERE seen_at < now() - make_interval(hours => $1)', [
      KEPT_HOURS,
    ]);
  }

  private async report(): Promise<void> {
    await this.database.query(
      `INSERT INTO key_instances (instance_id, versions, seen_at, wraps_under) VALUES ($1, $2, now(), $3)
       ON CONFLICT (instance_id) DO UPDATE
       SET versions = excluded.versions, seen_at = excluded.seen_at, wraps_under = excluded.wraps_under`,
      [this.instanceId, this.ring.versions, this.ring.wrapsUnder],
    );
  }
}
