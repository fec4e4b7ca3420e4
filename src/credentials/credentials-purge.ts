import { Inject, Injectable } from '@nestjs/common';
import { type CredentialId, credentialsEndedBefore } from '../../projections/credentials/credentials.queries.js';
import { type Clock } from '../kernel/clock.js';
import { type TenantId } from '../kernel/ids.js';
import { EventStore } from '../platform/eventstore/event-store.js';
import { ReadModels } from '../log/project/projection.js';
import { PurgeStep, type PurgeRound, type Purges } from '../contract/purging/purge-step.js';
import { purgeEach } from '../contract/purging/streams.js';
import { CLOCK } from '../platform/tokens.js';
import { CREDENTIAL_STREAM_PREFIX, credentialStream } from './domain/credential.events.js';

type Ended = CredentialId & { readonly tenantId: TenantId };

/** Purges the credentials that were revoked, or expired, before their limit. */
@Injectable()
@PurgeStep({ name: 'credentials', categories: ['credential'] })
export class CredentialsPurge implements Purges {
  constructor(
    private readonly store: EventStore,
    private readonly readModels: ReadModels,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  purge(round: PurgeRound): Promise<void> {
    const before = round.keptSince(CREDENTIAL_STREAM_PREFIX);
    return purgeEach<Ended>(this.store, round, before, {
      find: (last, limit) => credentialsEndedBefore(this.readModels, { before, now: this.clock.now() }, last, limit),
      streamOf: ({ tenantId, credentialId }) => credentialStream(tenantId, credentialId),
    });
  }
}
