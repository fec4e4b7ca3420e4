import { Inject, Injectable } from '@nestjs/common';
import { type UnpaidEffect, UnpaidEffects, unpaidReactor } from '../credits/domain/unpaid-effects.js';
import { type Clock } from '../kernel/clock.js';
import { Reactor } from '../log/react/reactor.js';
import { CLOCK } from '../platform/tokens.js';
import { DocumentRepository } from './document-repository.js';

/** Undoes reports whose credits went back. */
@Reactor(unpaidReactor('unpaid-reports'))
@Injectable()
export class UnpaidReportsReactor extends UnpaidEffects {
  protected readonly operation = 'report';

  constructor(
    private readonly documents: DocumentRepository,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    super();
  }

  protected withdraw({ tenantId, effectId, metadata }: UnpaidEffect): Promise<unknown> {
    const command = { kind: 'withdraw', documentId: effectId, now: this.clock.now() } as const;
    return this.documents.execute({ tenantId, documentId: effectId }, command, metadata);
  }
}
