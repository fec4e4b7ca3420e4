import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Periodic } from '../../platform/periodic/periodic.js';
import { Database } from '../../platform/postgres/database.js';
import { type TenantId } from '../../kernel/ids.js';

/** How long a nonce is remembered, seconds: longer than a proof with it is accepted. */
const REMEMBERED_S = 900;

/** `attempt`: a UUID. The same request may present a nonce again. */
export interface Presented {
  readonly tenantId: TenantId;
  readonly nonce: string;
  readonly attempt: string;
}

/** The nonces that were presented lately. Each counts once an account. Everything throws Unavailable. */
@Injectable()
export class PresentedNonces {
  constructor(private readonly database: Database) {}

  /** Whether this request is the first that presents the nonce. */
  async use({ tenantId, nonce, attempt }: Presented): Promise<boolean> {
    const rows = await this.database.query<{ attempt: string }>(
      `INSERT INTO presented_nonces (tenant_id, nonce_hash, attempt, presented_at) VALUES ($1, $2, $3, now())
       ON CONFLICT (tenant_id, nonce_hash) DO UPDATE SET presented_at = presented_nonces.presented_at RETURNING attempt`,
      [tenantId, hash('sha256', nonce, 'buffer'), attempt],
    );
    return rows[0]?.attempt === attempt;
  }

  @Periodic({ every: ({ erasure }) => erasure.purgeCheckEvery, role: 'jobs', alone: true })
  async forget(): Promise<void> {
    await this.database.query(
      `DELETE FROM presented_nonces WHERE presented_at < now() - make_interval(secs => ${REMEMBERED_S})`,
    );
  }
}
