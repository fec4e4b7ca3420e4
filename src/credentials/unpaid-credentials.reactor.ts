import { Inject, Injectable } from '@nestjs/common';
import { type UnpaidEffect, UnpaidEffects, unpaidEffects } from '../credits/domain/unpaid.events.js';
import { type Clock } from '../kernel/clock.js';
import { Reactor } from '../log/react/reactor.js';
import { CLOCK } from '../platform/tokens.js';
import { CredentialRepository } from './credential-repository.js';

/** Undoes issuances whose credits went back. */
@Reactor(unpaidEffects('unpaid-credentials'))
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
