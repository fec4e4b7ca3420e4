import { Inject } from '@nestjs/common';
import { CommandBus, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { EligibilityQueries } from '../../projections/eligibility/eligibility.queries.js';
import { AuditTrail } from '../kernel/access.js';
import { type Clock } from '../kernel/clock.js';
import { Unavailable } from '../kernel/unavailable.js';
import { CLOCK } from '../platform/tokens.js';
import { AnswerErasure, ApplyRetention, EraseIdentity, type ErasureState, type IdentityRequest } from './commands.js';
import { type Identity, isPastGrace } from './domain/identity.js';
import { IdentityChange } from './identity.handler.js';
import { IdentityRepository } from './identity-repository.js';

/** The erasure of an identity at once: the grace period ends now, and the erasure begins. */
abstract class ErasingHandler extends IdentityChange {
  constructor(
    ledger: IdentityRepository,
    audit: AuditTrail,
    index: EligibilityQueries,
    @Inject(CLOCK) clock: Clock,
    private readonly commands: CommandBus,
  ) {
    super(ledger, audit, index, clock);
  }

  /** What became of it, also where an earlier attempt of this request made the change. */
  protected async outcome({ tenantId, identityId }: IdentityRequest, identity: Identity): Promise<ErasureState> {
    if (identity.erasureProposal !== null) return 'proposed';
    if (identity.phase === 'active' || (identity.phase === 'deleted' && !isPastGrace(identity, this.clock.now())))
      return 'kept';
    try {
      await this.commands.execute(new ApplyRetention({ tenantId, identityId, change: 'decide_erasure' }));
    } catch (error) {
      // What cannot begin now is found due within seconds.
      if (!(error instanceof Unavailable)) throw error;
    }
    return 'erasing';
  }
}

/** A request of the person. */
@CommandHandler(EraseIdentity)
export class EraseIdentityHandler extends ErasingHandler implements ICommandHandler<EraseIdentity, ErasureState> {
  async execute({ data }: EraseIdentity): Promise<ErasureState> {
    const { identityId, changeId, reason, needsTwo = false, access } = data;
    const proposal = needsTwo ? { proposalId: changeId, by: access.actorId } : undefined;
    const command = { kind: 'erase_at_once', identityId, now: this.clock.now(), proposal } as const;
    const action = needsTwo ? 'erasure_proposed' : 'identity_deleted';
    return this.outcome(data, await this.change(data, command, action, { identityId, reason }));
  }
}

@CommandHandler(AnswerErasure)
export class AnswerErasureHandler extends ErasingHandler implements ICommandHandler<AnswerErasure, ErasureState> {
  async execute({ data }: AnswerErasure): Promise<ErasureState> {
    const { identityId, reason, proposalId, isApproved, isAnother } = data;
    const now = this.clock.now();
    const command = { kind: 'answer_erasure', identityId, now, proposalId, isApproved, isAnother } as const;
    const action = isApproved ? 'identity_deleted' : 'erasure_rejected';
    return this.outcome(data, await this.change(data, command, action, { identityId, reason }));
  }
}
