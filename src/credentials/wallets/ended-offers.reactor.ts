import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { FailedEffects } from '../../credits/domain/failed-effects.js';
import { Deductions } from '../../kernel/charging.js';
import { type Recorded, type StoredEvent } from '../../kernel/events.js';
import { Reactor } from '../../log/react/reactor.js';
import { CREDENTIAL_STREAM_PREFIX } from '../domain/credential.events.js';
import { type OfferEnded } from '../domain/offer.events.js';

/** Gives back the cost of an offer that no credential was issued for. */
@Reactor({
  name: 'ended-offers',
  version: 1,
  streamPrefixes: [CREDENTIAL_STREAM_PREFIX],
  eventTypes: ['OfferEnded.v1'] satisfies readonly OfferEnded['type'][],
  startsAt: 'beginning',
})
@Injectable()
export class EndedOffersReactor extends FailedEffects {
  protected readonly operation = 'issue_credential';
  protected readonly actor = 'offers';

  constructor(
    protected readonly deductions: Deductions,
    protected readonly commands: CommandBus,
  ) {
    super();
  }

  protected effectOf(event: StoredEvent): string {
    return (event as Recorded<OfferEnded>).data.credentialId;
  }
}
