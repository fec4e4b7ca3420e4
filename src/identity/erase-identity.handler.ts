import { Inject } from '@nestjs/common';
import { CommandBus, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { EligibilityQueries } from '../../projections/eligibility/eligibility.queries.js';
import { AuditTrail } from '../kernel/access.js';
import { type Clock } from '../kernel/clock.js';
import { Unavailable } from '../kernel/unavailable.js';
import { CLOCK } from '../platform/tokens.js';
import { ApplyRetention, EraseIdentity } from './commands.js';
import { IdentityChange } from './identity.handler.js';
import { IdentityRepository } from './identity-repository.js';

/** A request of the person: the grace period ends now, and the erasure begins. */
@CommandHandler(EraseIdentity)
export class EraseIdentityHandler extends IdentityChange implements ICommandHandler<EraseIdentity, void> {
  constructor(
    ledger: IdentityRepository,
    audit: AuditTrail,
    index: EligibilityQueries,
    @Inject(CLOCK) clock: Clock,
    private readonly commands: CommandBus,
  ) {
    super(ledger, audit, index, clock);
  }

  async execute({ data }: EraseIdentity): Promise<void> {
    const { tenantId, identityId, reason } = data;
    const command = { kind: 'erase_at_once', identityId, now: this.clock.now() } as const;
    await this.change(data, command, 'identity_deleted', { identityId, reason });
    try {
      await this.commands.execute(new ApplyRetention({ tenantId, identityId, change: 'decide_erasure' }));
    } catch (error) {
      // What cannot begin now is found due within seconds.
      if (!(error instanceof Unavailable)) throw error;
    }
  }
}
