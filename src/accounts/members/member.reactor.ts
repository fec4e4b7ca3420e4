import { Injectable } from '@nestjs/common';
import { tenantOfStream, type StoredEvent } from '../../kernel/events.js';
import { type TenantId } from '../../kernel/ids.js';
import { Mailer } from '../../kernel/mail.js';
import { type Reaction, type ReactionContext } from '../../kernel/reaction.js';
import { destroyKeyOf, memberSubject } from '../../platform/crypto/decision-keys.js';
import { Database } from '../../platform/postgres/database.js';
import { Reactor } from '../../log/react/reactor.js';
import { ACCOUNT_STREAM_PREFIX } from '../domain/account.events.js';
import { type MemberInvited, type MemberInvitedAgain, type MemberRemoved } from '../domain/member.events.js';

type Followed = MemberInvited | MemberInvitedAgain | MemberRemoved;

/** Sends invitations, and destroys the key and the traces of a member who was removed. */
@Reactor({
  name: 'members',
  version: 1,
  streamPrefixes: [ACCOUNT_STREAM_PREFIX],
  eventTypes: ['MemberInvited.v1', 'MemberInvitedAgain.v1', 'MemberRemoved.v1'] satisfies readonly Followed['type'][],
  startsAt: 'beginning',
})
@Injectable()
export class MemberReactor implements Reaction {
  constructor(
    private readonly mailer: Mailer,
    private readonly database: Database,
  ) {}

  async handle(event: StoredEvent, { effectId }: ReactionContext): Promise<void> {
    const { type, data } = event as StoredEvent & Followed;
    const tenantId = tenantOfStream(event.stream) as TenantId;
    const { memberId } = data;
    if (type === 'MemberRemoved.v1') {
      await destroyKeyOf(this.database, { tenantId, subject: memberSubject(memberId) }, new Date(data.removedAt));
      for (const table of [
        'passkey_counters WHERE member_id',
        'api_key_usage WHERE key_id',
        'saved_views WHERE actor_id',
      ])
        await this.database.query(`DELETE FROM ${table} = $2 AND tenant_id = $1`, [tenantId, memberId]);
      return;
    }
    await this.mailer.notify({
      id: effectId,
      tenantId,
      memberId,
      subject: 'You are invited to a KYC account',
      text: `Open this link by ${data.expiresAt} to join. It works once, and asks your browser or phone for a passkey:

{link}

If you expect no invitation, do nothing.
`,
    });
  }
}
