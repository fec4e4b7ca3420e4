import { CommandHandler } from '@nestjs/cqrs';
import { ProposeOperatorAct } from '../accounts/domain/operator-act.commands.js';
import { refuse } from '../kernel/rejection.js';

/** A name given on the command line proves no person, so it neither proposes nor approves. */
@CommandHandler(ProposeOperatorAct)
export class RefuseProposalHandler {
  execute(): Promise<never> {
    const detail =
      'FOUR_EYES_CREDITS asks for two operators here. Propose it over HTTP, where a token says who you are: ' +
      'POST /admin/accounts/{id}/credits or /distrust.';
    return Promise.reject(refuse('forbidden', { detail }));
  }
}
