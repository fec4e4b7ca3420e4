import { Inject, Injectable } from '@nestjs/common';
import { AuditTrail } from '../kernel/access.js';
import { auditedChange } from '../kernel/audited-change.js';
import { type Envelope } from '../kernel/envelope.js';
import { type FieldChange } from '../kernel/field-change.js';
import { deriveUuid, type TenantId } from '../kernel/ids.js';
import { type Config } from '../platform/config/config.js';
import { memberSubject } from '../platform/crypto/decision-keys.js';
import { Vault } from '../platform/crypto/vault.js';
import { AggregateStore } from '../log/append/aggregate-store.js';
import { type Aggregates } from '../log/append/aggregates.js';
import { CONFIG } from '../platform/tokens.js';
import { AccountDirectory } from './account-directory.js';
import { accountChanges } from './domain/account-changes.js';
import { accountCategory } from './domain/account.category.js';
import { type AccountMetadata } from './domain/account-metadata.commands.js';
import { type AccountCommand } from './domain/account.commands.js';
import { type AccountEvent, accountStream } from './domain/account.events.js';
import { type AccountRecord, placeOf, type SealedText } from './domain/account-record.js';

/** The account after a command, and what the command changed of it. */
export interface ChangedAccount {
  readonly record: AccountRecord;
  readonly changes: readonly FieldChange[];
  /** In the log. Undefined if nothing was changed. */
  readonly position: bigint | undefined;
}

/** A command yields at most one event of each type, so its id and the type identify the event. */
const eventIdOf = ({ commandId }: AccountMetadata, type: AccountEvent['type']): string => deriveUuid(commandId, type);

/** Reads and writes the account streams. Snapshots keep the cost of a read independent of the number of changes. */
@Injectable()
export class AccountRepository {
  private readonly accounts: Aggregates<AccountRecord, AccountCommand, AccountEvent>;

  constructor(
    aggregates: AggregateStore,
    private readonly vault: Vault,
    private readonly directory: AccountDirectory,
    private readonly audit: AuditTrail,
    @Inject(CONFIG) private readonly config: Config,
  ) {
    this.accounts = aggregates.of(accountCategory);
  }

  /** Seals a text for the event of this type that the command will yield. */
  async seal(
    tenantId: TenantId,
    metadata: AccountMetadata,
    type: AccountEvent['type'],
    field: SealedText['field'],
    text: string,
  ): Promise<Envelope> {
    const key = await this.vault.tenantKey(tenantId, 'texts');
    return this.vault.seal(key, placeOf(tenantId, eventIdOf(metadata, type), field), text);
  }

  /** Under the member's own key, which ends with the member. */
  async sealOf(
    memberId: string,
    tenantId: TenantId,
    metadata: AccountMetadata,
    type: AccountEvent['type'],
    field: SealedText['field'],
    text: string,
  ): Promise<Envelope> {
    const key = await this.vault.subjectKey(tenantId, memberSubject(memberId));
    return this.vault.seal(key, placeOf(tenantId, eventIdOf(metadata, type), field), text);
  }

  /** Throws Rejection, or Unavailable if the outcome is unknown. */
  async execute(command: AccountCommand): Promise<ChangedAccount> {
    const { tenantId } = command;
    const { entry, ...metadata } = command.metadata;
    let changes: readonly FieldChange[] = [];
    const { state, appended, position } = await auditedChange(this.audit, (record) =>
      this.accounts.execute(accountStream(tenantId), command, {
        metadata,
        idOf: ({ type }) => eventIdOf(metadata, type),
        // The state changes in place with the append, so what it was is read before.
        deciding: ({ account }, events) => {
          changes = accountChanges(account, events);
        },
        beforehand: async (_, events) => {
          if (entry !== undefined && events.length > 0) await record(entry);
        },
        inTurn: true,
        budgetMs: this.config.timing.storeBudget,
      }),
    );
    if (position !== undefined && appended.length > 0) this.directory.appended(state, position, appended);
    return { record: state, changes, position };
  }

  /** Reads the account's present state from its stream. */
  async read(tenantId: TenantId): Promise<AccountRecord> {
    return (await this.accounts.load(accountStream(tenantId))).state;
  }
}
