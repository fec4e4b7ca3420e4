import { newUuid } from '../../kernel/ids.js';
import { Repeating } from '../../kernel/repeating.js';
import { type Config } from '../config/config.js';
import { type Database } from '../postgres/database.js';
import { type KeyMaterial, readKeyMaterial } from './key-material.js';
import { type KeyRing } from './key-ring.js';
import { verifyKeyMaterial } from './verify-key-material.js';

/** How often an instance looks at the key file and reports what it holds, milliseconds. */
const EVERY = 2_000;
/** An instance that has not reported for this long is not running any more. */
const LIVE_SECONDS = 15;

export interface LiveInstance {
  readonly instanceId: string;
  readonly versions: readonly number[];
}

/** Instances that run now, by their reports. */
export const liveInstances = (database: Database): Promise<readonly LiveInstance[]> =>
  database.query<LiveInstance>(
    `SELECT instance_id AS "instanceId", versions FROM key_instances
     WHERE seen_at > now() - make_interval(secs => $1) ORDER BY instance_id`,
    [LIVE_SECONDS],
  );

const isNews = ({ encryptionKeys }: KeyMaterial, ring: KeyRing): boolean =>
  encryptionKeys.size !== ring.versions.length || ring.versions.some((version) => !encryptionKeys.has(version));

/** Takes up key-encryption keys that are added while the instance serves, and reports which it holds. */
export class KeyWatch {
  private readonly instanceId = newUuid();
  private readonly looks = new Repeating(() => this.look(), EVERY);

  constructor(
    private readonly config: Pick<Config, 'keys' | 'dataDir'>,
    private readonly database: Database,
    private readonly ring: KeyRing,
    private readonly onFault: (error: unknown) => void,
  ) {}

  /** Reports for the first time, then watches until `close`. */
  async start(): Promise<void> {
    await this.report();
    // A key file that is wrong or being written is looked at again: the keys at hand go on working.
    this.looks.start(this.onFault);
  }

  close(): void {
    void this.looks.stop();
  }

  async look(): Promise<void> {
    try {
      await this.takeUp();
    } finally {
      // Whoever cannot read the new file serves on with the old keys, and a rotation has to wait for it.
      await this.report();
    }
  }

  private async takeUp(): Promise<void> {
    const material = await readKeyMaterial(this.config.keys, this.config.dataDir);
    if (material === undefined || !isNews(material, this.ring)) return;
    await verifyKeyMaterial(material, this.database);
    this.ring.replace(material.encryptionKeys);
  }

  private async report(): Promise<void> {
    await this.database.query(
      `INSERT INTO key_instances (instance_id, versions, seen_at) VALUES ($1, $2, now())
       ON CONFLICT (instance_id) DO UPDATE SET versions = excluded.versions, seen_at = excluded.seen_at`,
      [this.instanceId, this.ring.versions],
    );
  }
}
