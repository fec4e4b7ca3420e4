import { Controller, Get, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { refuse } from '../../kernel/rejection.js';
import { Context, RequiresRole } from '../../http/access.js';
import { type OperatorPrincipal, type RequestContext } from '../../http/request-context.js';
import { RespondsWith } from '../../http/responses.js';
import { type OpenedDecision } from '../decisions/opened-decision.js';
import { DecisionFinder } from '../decisions/decision-finder.js';
import { Replays } from '../decisions/replays.js';
import { DecisionResponse, ReplayResponse, toDecision, toReplay } from './decision.response.js';

type Operator = RequestContext<OperatorPrincipal>;

/** Names are for `admin`; `security` sees ids, versions and scores. */
const seesNames = ({ principal }: Operator): boolean => principal.roles.has('admin');

/** Decisions of all tenants, for operators. Every request is recorded in the operators' log. */
@ApiTags('Operators')
@Controller('admin/decisions')
export class AdminDecisionsController {
  constructor(
    private readonly decisions: DecisionFinder,
    private readonly replays: Replays,
  ) {}

  @Get(':decision_id')
  @RequiresRole('admin', 'security')
  @RespondsWith(200, { summary: 'What a check of any account decided', type: DecisionResponse })
  async getAccountDecision(@Param('decision_id') id: string, @Context() context: Operator): Promise<DecisionResponse> {
    return toDecision(await this.opened(id), seesNames(context));
  }

  @Get(':decision_id/replay')
  @RequiresRole('admin', 'security')
  @RespondsWith(200, { summary: 'A decision beside what the lists of then and of now say', type: ReplayResponse })
  async replayAccountDecision(@Param('decision_id') id: string, @Context() context: Operator): Promise<ReplayResponse> {
    return toReplay(await this.replays.replay(await this.opened(id)), seesNames(context));
  }

  private async opened(id: string): Promise<OpenedDecision> {
    const opened = await this.decisions.find(id);
    if (opened === undefined) throw refuse('not_found');
    return opened;
  }
}
