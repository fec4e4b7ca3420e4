import { Inject, Injectable } from '@nestjs/common';
import { offersPastTheirTime, type WaitingOffer } from '../../../projections/credentials/offers.queries.js';
import { type Clock } from '../../kernel/clock.js';
import { newUuid } from '../../kernel/ids.js';
import { ReadModels } from '../../log/project/projection.js';
import { forEachDue } from '../../platform/periodic/for-each-due.js';
import { Periodic } from '../../platform/periodic/periodic.js';
import { CLOCK } from '../../platform/tokens.js';
import { CredentialRepository } from '../credential-repository.js';

const CONCURRENCY = 8;

/** Ends offers that no wallet redeemed in time. */
@Injectable()
export class ExpiredOffers {
  constructor(
    private readonly readModels: ReadModels,
    private readonly credentials: CredentialRepository,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  @Periodic({ every: ({ erasure }) => erasure.ageEvery, role: 'jobs', alone: true })
  async run(stopping?: AbortSignal): Promise<void> {
    const now = this.clock.now();
    const find = (last: WaitingOffer | undefined, limit: number) =>
      offersPastTheirTime(this.readModels, now, last, limit);
    const end = async (target: WaitingOffer): Promise<void> => {
      const metadata = { requestId: newUuid(), actor: { type: 'system', id: 'offers' } } as const;
      const command = { kind: 'end_offer', cause: 'expired', now: this.clock.now() } as const;
      await this.credentials.changeOffer(target, command, metadata);
    };
    await forEachDue(find, end, { concurrency: CONCURRENCY, signal: stopping });
  }
}
