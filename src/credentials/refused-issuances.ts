import { Injectable } from '@nestjs/common';
import { type TenantId } from '../kernel/ids.js';
import { Periodic } from '../platform/periodic/periodic.js';
import { Database } from '../platform/postgres/database.js';

/** Refusals of one tenant about one person before it has to wait. */
const MOST_REFUSALS = 5;
const WINDOW = 24 * 3_600_000;
const PURGE_EVERY = 3_600_000;

/** A person at a tenant. */
export interface RefusedSubject {
  readonly tenantId: TenantId;
  readonly identityHash: string;
}

/** Remembers for a day whom a tenant was refused a credential for, so that refusals cannot be used to guess names. */
@Injectable()
export class RefusedIssuances {
  constructor(private readonly database: Database) {}

  /** `attemptId` is chosen by the service: a caller that repeats its own id would count once. */
  async add({ tenantId, identityHash }: RefusedSubject, attemptId: string, now: Date): Promise<void> {
    await this.database.query(
      `INSERT INTO refused_issuances (tenant_id, identity_hash, request_id, refused_at) VALUES ($1, $2, $3, $4)
       ON CONFLICT DO NOTHING`,
      [tenantId, identityHash, attemptId, now],
      'add-refused-issuance',
    );
  }

  /** The time from which the tenant may ask about this person again. Undefined: now. */
  async waitUntil({ tenantId, identityHash }: RefusedSubject, now: Date): Promise<Date | undefined> {
    const rows = await this.database.query<{ refused_at: Date }>(
      `SELECT refused_at FROM refused_issuances WHERE tenant_id = $1 AND identity_hash = $2 AND refused_at > $3
       ORDER BY refused_at DESC LIMIT $4`,
      [tenantId, identityHash, new Date(now.getTime() - WINDOW), MOST_REFUSALS],
      'refused-issuances',
    );
    const oldest = rows[MOST_REFUSALS - 1];
    return oldest && new Date(oldest.refused_at.getTime() + WINDOW);
  }

  @Periodic({ every: PURGE_EVERY, role: 'jobs', alone: true })
  async purge(): Promise<void> {
    await this.database.query(`DELETE FROM refused_issuances WHERE refused_at < now() - interval '2 days'`);
  }
}
