import { Inject, Injectable } from '@nestjs/common';
import { type UnpaidEffect, UnpaidEffects, unpaidReactor } from '../credits/domain/unpaid-effects.js';
import { type Clock } from '../kernel/clock.js';
import { Reactor } from '../log/react/reactor.js';
import { CLOCK } from '../platform/tokens.js';
import { RequestedClaims } from './requested-claims.js';

/** Undoes claims whose credits went back. */
@Reactor(unpaidReactor('unpaid-claims'))
@Injectable()
export class UnpaidClaimsReactor extends UnpaidEffects {
  protected readonly operation = 'request_claim';

  constructor(
    private readonly requestedClaims: RequestedClaims,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    super();
  }

  protected withdraw({ tenantId, effectId, metadata }: UnpaidEffect): Promise<unknown> {
    return this.requestedClaims.withdraw(tenantId, effectId, this.clock.now(), metadata);
  }
}
