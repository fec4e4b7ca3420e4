import { Inject, Injectable } from '@nestjs/common';
import { type UnpaidEffect, UnpaidEffects, unpaidReactor } from '../credits/domain/unpaid-effects.js';
import { type Clock } from '../kernel/clock.js';
import { Reactor } from '../log/react/reactor.js';
import { CLOCK } from '../platform/tokens.js';
import { CredentialRepository } from './credential-repository.js';

/** Undoes issuances whose credits went back. */
@Reactor(unpaidReactor('unpaid-credentials'))
@Injectable()
export class UnpaidCredentialsReactor extends UnpaidEffects {
  protected readonly operation = 'issue_credential';

  constructor(
    private readonly credentials: CredentialRepository,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    super();
  }

  protected withdraw({ tenantId, effectId, metadata }: UnpaidEffect): Promise<unknown> {
    return this.credentials.withdraw({ tenantId, credentialId: effectId }, this.clock.now(), metadata);
  }
}
