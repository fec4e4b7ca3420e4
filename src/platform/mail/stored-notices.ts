import { Injectable } from '@nestjs/common';
import { type TenantId } from '../../kernel/ids.js';
import { Mailer, type Notice } from '../../kernel/mail.js';
import { Database } from '../postgres/database.js';

export interface DueNotice extends Notice {
  /** Earlier attempts. */
  readonly attempts: number;
}

/** The notices that wait to be sent. Everything throws Unavailable. */
@Injectable()
export class StoredNotices extends Mailer {
  constructor(private readonly database: Database) {
    super();
  }

  async notify({ id, tenantId, memberId, subject, text }: Notice): Promise<void> {
    await this.database.query(
      `INSERT INTO mail_notices (id, tenant_id, member_id, subject, text) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (id) DO NOTHING`,
      [id, tenantId, memberId ?? null, subject, text],
    );
  }

  /** Takes the longest due one. If this process dies before it notes the end, the notice is due again after `heldForS` seconds. */
  async next(heldForS: number): Promise<DueNotice | undefined> {
    const [notice] = await this.database.query<DueNotice & { readonly tenantId: TenantId }>(
      `UPDATE mail_notices SET due_at = now() + make_interval(secs => $1)
       WHERE id = (SELECT id FROM mail_notices WHERE due_at <= now() ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED)
       RETURNING id, tenant_id AS "tenantId", member_id AS "memberId", subject, text, attempts`,
      [heldForS],
    );
    return notice && { ...notice, memberId: notice.memberId ?? undefined };
  }

  async sent(id: string): Promise<void> {
    await this.database.query(
      `UPDATE mail_notices SET due_at = NULL, sent_at = now(), attempts = attempts + 1, error = NULL WHERE id = $1`,
      [id],
    );
  }

  /** `again`: seconds until the next attempt. Undefined gives it up. */
  async failed(id: string, error: string, again: number | undefined): Promise<void> {
    await this.database.query(
      `UPDATE mail_notices SET due_at = now() + make_interval(secs => $3), attempts = attempts + 1, error = $2
       WHERE id = $1`,
      [id, error, again ?? null],
    );
  }

  /** Forgets those that ended this many days ago. */
  async forget(days: number): Promise<void> {
    await this.database.query(
      `DELETE FROM mail_notices WHERE due_at IS NULL AND noted_at < now() - make_interval(days => $1)`,
      [days],
    );
  }
}
