import { Inject, Injectable } from '@nestjs/common';
import { type Clock } from '../kernel/clock.js';
import { type Envelope } from '../kernel/envelope.js';
import { type NewEvent, type StoredEvent } from '../kernel/events.js';
import { deriveUuid, type TenantId } from '../kernel/ids.js';
import { Unavailable } from '../kernel/unavailable.js';
import { type Config } from '../platform/config/config.js';
import { Vault } from '../platform/crypto/vault.js';
import { EventStore, WrongExpectedRevision } from '../platform/eventstore/event-store.js';
import { CLOCK, CONFIG } from '../platform/tokens.js';
import { AccountDirectory } from './account-directory.js';
import { type AccountRecord, applyStored, placeOf, type SealedText } from './domain/account-record.js';
import { AccountStreams } from './account-streams.js';
import { type AccountCommand, type Cause } from './domain/account.commands.js';
import { type AccountEvent, accountStream } from './domain/account.events.js';
import { accountDecider } from './domain/account.js';

const MOST_ATTEMPTS = 20;

/** A command yields at most one event of a type, so that its id and the type name the event. */
const eventIdOf = (cause: Cause, type: AccountEvent['type']): string => deriveUuid(cause.commandId, type);

/** Decides commands against the account's stream and appends what comes of it. */
@Injectable()
export class AccountLedger {
  /** The end of the last command of each account here: those of one process take turns and meet no conflict among themselves. */
  private readonly turns = new Map<TenantId, Promise<void>>();

  constructor(
    private readonly store: EventStore,
    private readonly streams: AccountStreams,
    private readonly vault: Vault,
    private readonly directory: AccountDirectory,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Seals a text for the event of this type that the command is going to yield. */
  async seal(
    tenantId: TenantId,
    cause: Cause,
    type: AccountEvent['type'],
    field: SealedText['field'],
    text: string,
  ): Promise<Envelope> {
    const key = await this.vault.tenantKey(tenantId, 'texts');
    return this.vault.seal(key, placeOf(tenantId, eventIdOf(cause, type), field), text);
  }

  /** The account as it stands after the command. Throws Rejection, or Unavailable with an unknown outcome. */
  async execute(command: AccountCommand): Promise<AccountRecord> {
    const { tenantId } = command;
    const deadline = this.clock.monotonic() + this.config.timing.storeBudget;
    const earlier = this.turns.get(tenantId) ?? Promise.resolve();
    const turn = earlier.then(() => this.decideAndAppend(command, deadline));
    const done = turn.then(
      () => undefined,
      () => undefined,
    );
    this.turns.set(tenantId, done);
    void done.then(() => this.turns.get(tenantId) === done && this.turns.delete(tenantId));
    return turn;
  }

  /** The account as its stream has it now. */
  read(tenantId: TenantId): Promise<AccountRecord> {
    return this.streams.load(tenantId);
  }

  private async decideAndAppend(command: AccountCommand, deadline: number): Promise<AccountRecord> {
    const record = await this.streams.load(command.tenantId);
    for (let attempt = 0; attempt < MOST_ATTEMPTS && this.clock.monotonic() < deadline; attempt += 1) {
      if (attempt > 0) await this.readTail(record);
      const events = accountDecider.decide(command, record.account);
      if (events.length === 0) return record;
      if (await this.append(record, events, command.cause)) return record;
    }
    throw new Unavailable('event_store');
  }

  private async readTail(record: AccountRecord): Promise<void> {
    const from = record.revision + 1n;
    for await (const page of this.store.readPages(accountStream(record.tenantId), { from })) {
      for (const stored of page) applyStored(record, stored);
    }
  }

  /** False: someone else appended in between, and nothing was written. */
  private async append(record: AccountRecord, events: readonly AccountEvent[], cause: Cause): Promise<boolean> {
    const { tenantId, revision } = record;
    const stream = accountStream(tenantId);
    const written = events.map((event) => this.toNewEvent(event, cause));
    try {
      const result = await this.store.append(stream, written, revision < 0n ? 'no_stream' : revision);
      this.directory.appended(tenantId, result, events);
      for (const [index, event] of written.entries()) {
        const place = { stream, revision: revision + BigInt(index) + 1n, position: result.position };
        const stored: StoredEvent = { ...event, ...place, created: this.clock.now() };
        applyStored(record, stored);
      }
      return true;
    } catch (error) {
      if (error instanceof WrongExpectedRevision) return false;
      throw error;
    }
  }

  private toNewEvent(event: AccountEvent, cause: Cause): NewEvent<AccountEvent> {
    return {
      id: eventIdOf(cause, event.type),
      type: event.type,
      data: event.data,
      metadata: {
        $correlationId: cause.requestId,
        actor: cause.actor,
        time: this.clock.now().toISOString(),
        schemaVersion: 1,
      },
    };
  }
}
