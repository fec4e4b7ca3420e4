import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { type Clock } from '../../kernel/clock.js';
import { newUuid, type TenantId } from '../../kernel/ids.js';
import { refuse } from '../../kernel/rejection.js';
import { CLOCK } from '../../platform/tokens.js';
import { AccountReader } from '../account-reader.js';
import { type AccountRecord } from '../domain/account-record.js';
import { JoinAccount } from '../domain/member.commands.js';

/** Members who arrive by the deployment's identity provider, which vouches for their address. */
@Injectable()
export class MemberArrivals {
  constructor(
    private readonly commands: CommandBus,
    private readonly reader: AccountReader,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** The member with this address, who joins where an invitation waits. Throws forbidden where there is none. */
  async memberOf(tenantId: TenantId, email: string, requestId: string): Promise<string> {
    const record = await this.reader.require(tenantId);
    const memberId = await this.withAddress(record, email);
    const member = memberId === undefined ? undefined : record.account.members.get(memberId);
    if (memberId === undefined || member === undefined)
      throw refuse('forbidden', { detail: 'No member of the account has this address' });
    if (member.status === 'active') return memberId;
    const data = { memberId, invitationId: member.invitation?.invitationId ?? '', passkey: null };
    const at = this.clock.now().toISOString();
    const metadata = { requestId, commandId: newUuid(), actor: { type: 'tenant', id: memberId } as const, at };
    await this.commands.execute(new JoinAccount(tenantId, data, metadata));
    return memberId;
  }

  private async withAddress(record: AccountRecord, email: string): Promise<string | undefined> {
    const people = await Promise.all(
      [...record.people].map(async ([id, person]) => [id, await this.reader.open(record, person.email)] as const),
    );
    return people.find(([, address]) => address?.toLowerCase() === email.toLowerCase())?.[0];
  }
}
