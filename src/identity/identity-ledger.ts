import { Inject, Injectable } from '@nestjs/common';
import { type Clock } from '../kernel/clock.js';
import { type TenantId } from '../kernel/ids.js';
import { EventStore } from '../platform/eventstore/event-store.js';
import { CLOCK } from '../platform/tokens.js';
import { type IdentityCommand } from './domain/identity.commands.js';
import { identityStream } from './domain/identity.events.js';
import { identityDecider, type Identity } from './domain/identity.js';
import { type Cause, type Decided, decideOnStream, type Loaded, loadStream } from './stream-decision.js';

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
    target: { readonly tenantId: TenantId; readonly identityId: string },
    command: IdentityCommand,
    cause: Cause,
    firstEventId?: string,
  ): Promise<Decided<Identity>> {
    const stream = identityStream(target.tenantId, target.identityId);
    const { store, clock } = this;
    return decideOnStream({ store, clock, stream, decider: identityDecider, command, cause, firstEventId });
  }
}
