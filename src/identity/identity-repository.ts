import { Injectable } from '@nestjs/common';
import { type CommandMetadata, type Recorded } from '../kernel/events.js';
import { type TenantId } from '../kernel/ids.js';
import { AggregateStore } from '../log/append/aggregate-store.js';
import { type Aggregates, type Decided, type DecideOptions, type Loaded } from '../log/append/aggregates.js';
import { identityCategory } from './domain/identity.category.js';
import { type ApplyAttestation, type IdentityCommand } from './domain/identity.commands.js';
import { type IdentityEvent, identityStream } from './domain/identity.events.js';
import { type IdentityHistory, type NotableEvents } from './domain/identity-history.js';

interface Target {
  readonly tenantId: TenantId;
  readonly identityId: string;
}

export type LoadedIdentity = Loaded<IdentityHistory, IdentityEvent>;

type DecidedIdentity = Decided<IdentityHistory, IdentityEvent>;

type Options = Omit<DecideOptions<IdentityHistory, IdentityEvent>, 'metadata'>;

/** Reads and writes the identity streams. The cost of a read does not depend on the number of ingestions. */
@Injectable()
export class IdentityRepository {
  private readonly identities: Aggregates<IdentityHistory, IdentityCommand, IdentityEvent>;

  constructor(aggregates: AggregateStore) {
    this.identities = aggregates.of(identityCategory);
  }

  load(tenantId: TenantId, identityId: string): Promise<LoadedIdentity> {
    return this.identities.load(identityStream(tenantId, identityId));
  }

  /** The notable event of this kind in the loaded identity. Undefined if there is none. */
  async notable(loaded: LoadedIdentity, kind: keyof NotableEvents): Promise<Recorded<IdentityEvent> | undefined> {
    const revision = loaded.state.at[kind];
    return revision === null ? undefined : this.identities.eventAt(loaded, revision);
  }

  /** Removes Postgres's data about the identity's stream. */
  forget({ tenantId, identityId }: Target): Promise<void> {
    return this.identities.forget(identityStream(tenantId, identityId));
  }

  execute(
    { tenantId, identityId }: Target,
    command: IdentityCommand,
    metadata: CommandMetadata,
    options: Options = {},
  ): Promise<DecidedIdentity> {
    return this.identities.execute(identityStream(tenantId, identityId), command, { ...options, metadata });
  }

  /**
   * Most people are new to a tenant. So the stream is assumed not to exist until the append fails, which saves a
   * read. The record's personal part is sealed for `eventId`.
   */
  apply(
    target: Target,
    command: ApplyAttestation,
    metadata: CommandMetadata,
    eventId: string,
  ): Promise<DecidedIdentity> {
    const loaded = this.identities.unread(identityStream(target.tenantId, target.identityId));
    return this.execute(target, command, metadata, { firstEventId: eventId, loaded });
  }
}
