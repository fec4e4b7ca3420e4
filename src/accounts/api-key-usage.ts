import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { networkAround } from '../kernel/address-ranges.js';
import { type TenantId } from '../kernel/ids.js';
import { Unavailable } from '../kernel/unavailable.js';
import { describeError, LOGGER, type Logger } from '../observability/logging.js';
import { Periodic } from '../platform/periodic/periodic.js';
import { Database } from '../platform/postgres/database.js';

const UPSERT = `INSERT INTO api_key_usage (tenant_id, key_id, last_used_at, last_used_from)
SELECT tenant_id, key_id, to_timestamp(used_at / 1000), used_from
FROM unnest($1::text[], $2::text[], $3::float8[], $4::text[]) AS usage (tenant_id, key_id, used_at, used_from)
ORDER BY tenant_id, key_id
ON CONFLICT (tenant_id, key_id) DO UPDATE
SET last_used_at = excluded.last_used_at, last_used_from = excluded.last_used_from
WHERE api_key_usage.last_used_at <= excluded.last_used_at`;

export interface KeyUse {
  readonly tenantId: TenantId;
  readonly keyId: string;
  /** Milliseconds since 1970. */
  readonly usedAt: number;
  /** Null where it cannot be read. */
  readonly address: string | null;
}

export interface LastUse {
  readonly at: Date;
  /** The network of the caller, /24 of IPv4 or /48 of IPv6. Null: not known. */
  readonly from: string | null;
}

/**
 * Records when each key was last used, and from which network. Times are kept in memory and written every 15 s, so requests do not wait. A
 * crash loses at most 15 s. Only the response of GET /api/v1/keys depends on these times.
 */
@Injectable()
export class ApiKeyUsage implements OnApplicationShutdown {
  private used = new Map<string, KeyUse>();

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

  note(use: KeyUse): void {
    this.used.set(`${use.tenantId}/${use.keyId}`, use);
  }

  /** Last use of each of the account's keys, by key id. Throws Unavailable. */
  async of(tenantId: TenantId): Promise<Map<string, LastUse>> {
    await this.flush();
    const rows = await this.database.query<{ key_id: string; last_used_at: Date; last_used_from: string | null }>(
      'SELECT key_id, last_used_at, last_used_from FROM api_key_usage WHERE tenant_id = $1',
      [tenantId],
    );
    return new Map(rows.map((row) => [row.key_id, { at: row.last_used_at, from: row.last_used_from }]));
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
      for (const use of pending) if (!this.used.has(`${use.tenantId}/${use.keyId}`)) this.note(use);
      throw error;
    }
  }

  private async write(pending: readonly KeyUse[]): Promise<void> {
    await this.database.query(UPSERT, [
      pending.map(({ tenantId }) => tenantId),
      pending.map(({ keyId }) => keyId),
      pending.map(({ usedAt }) => usedAt),
      pending.map(({ address }) => (address === null ? null : networkAround(address))),
    ]);
  }
}
