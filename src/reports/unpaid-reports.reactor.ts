import { Inject, Injectable } from '@nestjs/common';
import { CREDITS_STREAM_PREFIX, GIVEN_BACK, unpaidEffect } from '../credits/domain/credits.events.js';
import { type Clock } from '../kernel/clock.js';
import { type StoredEvent } from '../kernel/events.js';
import { type Reaction } from '../kernel/reaction.js';
import { Reactor } from '../log/react/reactor.js';
import { CLOCK } from '../platform/tokens.js';
import { DocumentRepository } from './document-repository.js';

/** Undoes reports whose credits went back. */
@Reactor({
  name: 'unpaid-reports',
  version: 1,
  streamPrefixes: [CREDITS_STREAM_PREFIX],
  eventTypes: GIVEN_BACK,
  startsAt: 'beginning',
})
@Injectable()
export class UnpaidReportsReactor implements Reaction {
  constructor(
    private readonly documents: DocumentRepository,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  concerns(event: StoredEvent): boolean {
    return unpaidEffect(event).operation === 'report';
  }

  async handle(event: StoredEvent): Promise<void> {
    const { tenantId, effectId, metadata } = unpaidEffect(event);
    const command = { kind: 'withdraw', documentId: effectId, now: this.clock.now() } as const;
    await this.documents.execute({ tenantId, documentId: effectId }, command, metadata);
  }
}
