import { CommandHandler } from '@nestjs/cqrs';
import { type Envelope } from '../../kernel/envelope.js';
import { AccountRepository, type ChangedAccount } from '../account-repository.js';
import { ChangeMember, InviteMember } from '../domain/member.commands.js';

@CommandHandler(InviteMember)
export class InviteMemberHandler {
  constructor(private readonly ledger: AccountRepository) {}

  async execute({ tenantId, data, metadata }: InviteMember): Promise<ChangedAccount> {
    const seal = (field: 'name' | 'email'): Promise<Envelope> =>
      this.ledger.sealOf(data.memberId, tenantId, metadata, 'MemberInvited.v1', field, data[field]);
    const [name, email] = [await seal('name'), await seal('email')];
    return this.ledger.execute(new InviteMember<Envelope>(tenantId, { ...data, name, email }, metadata));
  }
}

@CommandHandler(ChangeMember)
export class ChangeMemberHandler {
  constructor(private readonly ledger: AccountRepository) {}

  async execute({ tenantId, data, metadata }: ChangeMember): Promise<ChangedAccount> {
    const { name, ...rest } = data;
    if (name === undefined) return this.ledger.execute(new ChangeMember<Envelope>(tenantId, rest, metadata));
    const sealed = await this.ledger.sealOf(data.memberId, tenantId, metadata, 'MemberRenamed.v1', 'name', name);
    return this.ledger.execute(new ChangeMember<Envelope>(tenantId, { ...rest, name: sealed }, metadata));
  }
}
