import { Injectable } from '@nestjs/common';
import { CommandHandler } from '@nestjs/cqrs';
import { type Envelope } from '../kernel/envelope.js';
import { refuse } from '../kernel/rejection.js';
import { handlersOf } from '../log/append/handlers-of.js';
import { ERASED, Vault } from '../platform/crypto/vault.js';
import { AccountRepository, type ChangedAccount } from './account-repository.js';
import { placeOf } from './domain/account-record.js';
import {
  type AccountCommand,
  ChangeAccount,
  CreateAccount,
  IssueApiKey,
  JudgeAccount,
  LimitApiKey,
  ReinstateAccount,
  RevokeApiKey,
  RotateApiKey,
  SuspendAccount,
} from './domain/account.commands.js';
import { AddPasskey, InviteMemberAgain, JoinAccount, RemoveMember, RemovePasskey } from './domain/member.commands.js';
import { FailOperatorAct } from './domain/operator-act.commands.js';
import { AnswerOperatorActHandler, ProposeOperatorActHandler } from './operator-act.handler.js';
import { ChangeMemberHandler, InviteMemberHandler } from './members/member.handler.js';
import { KeepPaymentCustomer, LapseSubscription, ObserveSubscription } from './domain/subscription.commands.js';

/**
 * The handlers seal personal data and free text, and the decider then decides. Each returns the account after the
 * change, and what changed.
 */
@CommandHandler(CreateAccount)
export class CreateAccountHandler {
  constructor(private readonly ledger: AccountRepository) {}

  async execute({ tenantId, data, metadata }: CreateAccount): Promise<ChangedAccount> {
    const { name, tier, environment, firstKey } = data;
    const contactEmail = await this.ledger.seal(
      tenantId,
      metadata,
      'AccountCreated.v1',
      'contactEmail',
      data.contactEmail,
    );
    const keyName = await this.ledger.seal(tenantId, metadata, 'ApiKeyIssued.v1', 'name', firstKey.name);
    const sealed = { name, tier, environment, contactEmail, firstKey: { ...firstKey, name: keyName } };
    return this.ledger.execute(new CreateAccount<Envelope>(tenantId, sealed, metadata));
  }
}

@CommandHandler(SuspendAccount)
export class SuspendAccountHandler {
  constructor(private readonly ledger: AccountRepository) {}

  async execute({ tenantId, data, metadata }: SuspendAccount): Promise<ChangedAccount> {
    const { reason } = data;
    const sealed = await this.ledger.seal(tenantId, metadata, 'AccountSuspended.v1', 'reason', reason);
    return this.ledger.execute(new SuspendAccount<Envelope>(tenantId, { reason: sealed }, metadata));
  }
}

@CommandHandler(ReinstateAccount)
export class ReinstateAccountHandler {
  constructor(private readonly ledger: AccountRepository) {}

  async execute({ tenantId, data, metadata }: ReinstateAccount): Promise<ChangedAccount> {
    const { reason } = data;
    const sealed = reason && (await this.ledger.seal(tenantId, metadata, 'AccountReinstated.v1', 'reason', reason));
    return this.ledger.execute(new ReinstateAccount<Envelope>(tenantId, { reason: sealed || null }, metadata));
  }
}

@CommandHandler(JudgeAccount)
export class JudgeAccountHandler {
  constructor(private readonly ledger: AccountRepository) {}

  async execute({ tenantId, data, metadata }: JudgeAccount): Promise<ChangedAccount> {
    const type = data.trusted ? 'AccountTrusted.v1' : 'AccountDistrusted.v1';
    const reason = await this.ledger.seal(tenantId, metadata, type, 'reason', data.reason);
    return this.ledger.execute(new JudgeAccount<Envelope>(tenantId, { ...data, reason }, metadata));
  }
}

@CommandHandler(ChangeAccount)
export class ChangeAccountHandler {
  constructor(private readonly ledger: AccountRepository) {}

  async execute({ tenantId, data, metadata }: ChangeAccount): Promise<ChangedAccount> {
    const { contactEmail, ...limits } = data;
    if (contactEmail === undefined) return this.ledger.execute(new ChangeAccount<Envelope>(tenantId, limits, metadata));
    const sealed = await this.ledger.seal(tenantId, metadata, 'AccountContactChanged.v1', 'contactEmail', contactEmail);
    return this.ledger.execute(new ChangeAccount<Envelope>(tenantId, { ...limits, contactEmail: sealed }, metadata));
  }
}

@CommandHandler(IssueApiKey)
export class IssueApiKeyHandler {
  constructor(private readonly ledger: AccountRepository) {}

  async execute({ tenantId, data, metadata }: IssueApiKey): Promise<ChangedAccount> {
    const name = await this.ledger.seal(tenantId, metadata, 'ApiKeyIssued.v1', 'name', data.key.name);
    const { grantedBy } = data;
    return this.ledger.execute(
      new IssueApiKey<Envelope>(tenantId, { key: { ...data.key, name }, grantedBy }, metadata),
    );
  }
}

@CommandHandler(RotateApiKey)
export class RotateApiKeyHandler {
  constructor(
    private readonly ledger: AccountRepository,
    private readonly vault: Vault,
  ) {}

  async execute({ tenantId, data, metadata }: RotateApiKey): Promise<ChangedAccount> {
    const name = await this.ledger.seal(
      tenantId,
      metadata,
      'ApiKeyIssued.v1',
      'name',
      await this.nameOf(tenantId, data),
    );
    return this.ledger.execute(new RotateApiKey<Envelope>(tenantId, { ...data, name }, metadata));
  }

  private async nameOf(tenantId: RotateApiKey['tenantId'], { keyId }: RotateApiKey['data']): Promise<string> {
    const record = await this.ledger.read(tenantId);
    const sealed = record.keyNames.get(keyId);
    if (sealed === undefined) throw refuse('not_found');
    const name = await this.vault.open(placeOf(tenantId, sealed.eventId, sealed.field), sealed.envelope);
    return name === ERASED ? '' : String(name);
  }
}

/** Handles commands with nothing to seal. */
@Injectable()
class PlainHandler {
  constructor(private readonly ledger: AccountRepository) {}

  execute(command: AccountCommand): Promise<ChangedAccount> {
    return this.ledger.execute(command);
  }
}

export const ACCOUNT_HANDLERS = [
  CreateAccountHandler,
  SuspendAccountHandler,
  ReinstateAccountHandler,
  JudgeAccountHandler,
  ChangeAccountHandler,
  IssueApiKeyHandler,
  RotateApiKeyHandler,
  ProposeOperatorActHandler,
  AnswerOperatorActHandler,
  InviteMemberHandler,
  ChangeMemberHandler,
  ...handlersOf(PlainHandler, [
    LimitApiKey,
    RevokeApiKey,
    FailOperatorAct,
    InviteMemberAgain,
    JoinAccount,
    AddPasskey,
    RemovePasskey,
    RemoveMember,
    ObserveSubscription,
    LapseSubscription,
    KeepPaymentCustomer,
  ]),
];
