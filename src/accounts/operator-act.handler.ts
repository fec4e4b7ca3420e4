import { CommandHandler } from '@nestjs/cqrs';
import { type Envelope } from '../kernel/envelope.js';
import { AccountRepository, type ChangedAccount } from './account-repository.js';
import { AnswerOperatorAct, ProposeOperatorAct } from './domain/operator-act.commands.js';

@CommandHandler(ProposeOperatorAct)
export class ProposeOperatorActHandler {
  constructor(private readonly ledger: AccountRepository) {}

  async execute({ tenantId, data, metadata }: ProposeOperatorAct): Promise<ChangedAccount> {
    const reason = await this.ledger.seal(tenantId, metadata, 'OperatorActProposed.v1', 'reason', data.reason);
    return this.ledger.execute(new ProposeOperatorAct<Envelope>(tenantId, { ...data, reason }, metadata));
  }
}

@CommandHandler(AnswerOperatorAct)
export class AnswerOperatorActHandler {
  constructor(private readonly ledger: AccountRepository) {}

  async execute({ tenantId, data, metadata }: AnswerOperatorAct): Promise<ChangedAccount> {
    const reason = await this.ledger.seal(tenantId, metadata, 'AccountDistrusted.v1', 'reason', data.reason);
    return this.ledger.execute(new AnswerOperatorAct<Envelope>(tenantId, { ...data, reason }, metadata));
  }
}
