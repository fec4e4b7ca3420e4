import { Inject, Injectable } from '@nestjs/common';
import { CREDITS_STREAM_PREFIX, GIVEN_BACK, unpaidEffect } from '../credits/domain/credits.events.js';
import { type Clock } from '../kernel/clock.js';
import { type StoredEvent } from '../kernel/events.js';
import { type Reaction } from '../kernel/reaction.js';
import { Reactor } from '../log/react/reactor.js';
import { CLOCK } from '../platform/tokens.js';
import { CredentialRepository } from './credential-repository.js';

/** Undoes issuances whose credits went back. */
@Reactor({
  name: 'unpaid-credentials',
  version: 1,
  streamPrefixes: [CREDITS_STREAM_PREFIX],
  eventTypes: GIVEN_BACK,
  startsAt: 'beginning',
})
@Injectable()
export class UnpaidCredentialsReactor implements Reaction {
  constructor(
    private readonly credentials: CredentialRepository,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  concerns(event: StoredEvent): boolean {
    return unpaidEffect(event).operation === 'issue_credential';
  }

  async handle(event: StoredEvent): Promise<void> {
    const { tenantId, effectId, metadata } = unpaidEffect(event);
    await this.credentials.withdraw({ tenantId, credentialId: effectId }, this.clock.now(), metadata);
  }
}
