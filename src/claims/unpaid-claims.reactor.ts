import { Inject, Injectable } from '@nestjs/common';
import { CREDITS_STREAM_PREFIX, GIVEN_BACK, unpaidEffect } from '../credits/domain/credits.events.js';
import { type Clock } from '../kernel/clock.js';
import { type StoredEvent } from '../kernel/events.js';
import { type Reaction } from '../kernel/reaction.js';
import { Reactor } from '../log/react/reactor.js';
import { CLOCK } from '../platform/tokens.js';
import { RequestedClaims } from './requested-claims.js';

/** Undoes claims whose credits went back. */
@Reactor({
  name: 'unpaid-claims',
  version: 1,
  streamPrefixes: [CREDITS_STREAM_PREFIX],
  eventTypes: GIVEN_BACK,
  startsAt: 'beginning',
})
@Injectable()
export class UnpaidClaimsReactor implements Reaction {
  constructor(
    private readonly requestedClaims: RequestedClaims,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  concerns(event: StoredEvent): boolean {
    return unpaidEffect(event).operation === 'request_claim';
  }

  async handle(event: StoredEvent): Promise<void> {
    const { tenantId, effectId, metadata } = unpaidEffect(event);
    await this.requestedClaims.withdraw(tenantId, effectId, this.clock.now(), metadata);
  }
}
