import { Inject, Injectable } from '@nestjs/common';
import { type Clock } from '../kernel/clock.js';
import { type TenantId } from '../kernel/ids.js';
import { EventStore } from '../platform/eventstore/event-store.js';
import { CLOCK } from '../platform/tokens.js';
import { type ApplyAttestation, type IdentityCommand } from './domain/identity.commands.js';
import { identityStream } from './domain/identity.events.js';
import { identityDecider, type Identity } from './domain/identity.js';
import { type Cause, type Decided, decideOnStream, type Loaded, loadStream, unread } from './stream-decision.js';

interface Target {
  readonly tenantId: TenantId;
  readonly identityId: string;
}

/** The streams of identities. */
@Injectable()
export class IdentityLedger {
  constructor(
    private readonly store: EventStore,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  load(tenantId: TenantId, identityId: string): Promise<Loaded<Identity>> {
    return loadStream(this.store, identityStream(tenantId, identityId), identityDecider);
  }

  execute(
    target: Target,
    command: IdentityCommand,
    cause: Cause,
    options: {
      /** Fixed by the caller where a second attempt has to find the first. */
      readonly firstEventId?: string;
      /** See decideOnStream. */
      readonly beforehand?: (identity: Identity) => Promise<void>;
    } = {},
  ): Promise<Decided<Identity>> {
    return this.decide(target, command, cause, options);
  }

  /**
   * Most people are new to a tenant: the stream is taken not to exist until the append says otherwise, which saves a read.
   * The record's personal part is sealed for `eventId`.
   */
  apply(target: Target, command: ApplyAttestation, cause: Cause, eventId: string): Promise<Decided<Identity>> {
    return this.decide(target, command, cause, { firstEventId: eventId, loaded: unread(identityDecider) });
  }

  private decide(
    target: Target,
    command: IdentityCommand,
    cause: Cause,
    options: {
      readonly firstEventId?: string;
      readonly loaded?: Loaded<Identity>;
      readonly beforehand?: (identity: Identity) => Promise<void>;
    },
  ): Promise<Decided<Identity>> {
    const stream = identityStream(target.tenantId, target.identityId);
    const { store, clock } = this;
    return decideOnStream({ store, clock, stream, decider: identityDecider, command, cause, ...options });
  }
}
