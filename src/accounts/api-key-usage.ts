import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { type TenantId } from '../kernel/ids.js';
import { Unavailable } from '../kernel/unavailable.js';
import { describeError, LOGGER, type Logger } from '../observability/logging.js';
import { Periodic } from '../platform/periodic/periodic.js';
import { Database } from '../platform/postgres/database.js';

const UPSERT = `INSERT INTO api_key_usage (tenant_id, key_id, last_used_at)
SELECT tenant_id, key_id, to_timestamp(used_at / 1000)
FROM unnest($1::text[], $2::text[], $3::float8[]) AS usage (tenant_id, key_id, used_at)
ORDER BY tenant_id, key_id
ON CONFLICT (tenant_id, key_id) DO UPDATE
SET last_used_at = greatest(api_key_usage.last_used_at, excluded.last_used_at)`;

/** A key in use. The authenticator writes the time of each request into it. */
export interface UsedKey {
  readonly tenantId: TenantId;
  readonly keyId: string;
  /** Milliseconds since 1970. */
  usedAt: number;
}

/**
 * Records when each key was last used. Times are kept in memory and written every 15 s, so requests do not wait. A
 * crash loses at most 15 s. Only the response of GET /api/v1/keys depends on these times.
 */
@Injectable()
export class ApiKeyUsage implements OnApplicationShutdown {
  private used = new Map<string, UsedKey>();

  constructor(
    private readonly database: Database,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async onApplicationShutdown(): Promise<void> {
    await this.flush().catch((error: unknown) => {
      if (!(error instanceof Unavailable))
        this.logger.error({ error: describeError(error) }, 'writing down the use of keys failed');
    });
  }

  note(tenantId: TenantId, keyId: string, usedAt: number): void {
    const id = `${tenantId}/${keyId}`;
    const known = this.used.get(id);
    if (known === undefined) this.used.set(id, { tenantId, keyId, usedAt });
    else known.usedAt = usedAt;
  }

  /** Last use of each of the account's keys, by key id. Throws Unavailable. */
  async of(tenantId: TenantId): Promise<Map<string, Date>> {
    await this.flush();
    const rows = await this.database.query<{ key_id: string; last_used_at: Date }>(
      'SELECT key_id, last_used_at FROM api_key_usage WHERE tenant_id = $1',
      [tenantId],
    );
    return new Map(rows.map((row) => [row.key_id, row.last_used_at]));
  }

  /** Writes the times noted since the last run. Times that cannot be written stay for the next run. */
  @Periodic({ every: 15_000 })
  async flush(): Promise<void> {
    if (this.used.size === 0) return;
    const pending = [...this.used.values()];
    this.used = new Map();
    try {
      await this.write(pending);
    } catch (error) {
      for (const { tenantId, keyId, usedAt } of pending) {
        if (!this.used.has(`${tenantId}/${keyId}`)) this.note(tenantId, keyId, usedAt);
      }
      throw error;
    }
  }

  private async write(pending: readonly UsedKey[]): Promise<void> {
    await this.database.query(UPSERT, [
      pending.map(({ tenantId }) => tenantId),
      pending.map(({ keyId }) => keyId),
      pending.map(({ usedAt }) => usedAt),
    ]);
  }
}
