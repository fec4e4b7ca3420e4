import { Controller, Delete, Get, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type AuditResult } from '../../kernel/contract.js';
import { AuditTrail } from '../../kernel/access.js';
import { newUuid } from '../../kernel/ids.js';
import { refuse } from '../../kernel/rejection.js';
import { Context, RequiresKey } from '../../http/access.js';
import { type RequestContext, type TenantPrincipal } from '../../http/request-context.js';
import { RespondsWith } from '../../http/responses.js';
import { DecisionChanges } from '../decisions/decision-changes.js';
import { type OpenedDecision } from '../decisions/opened-decision.js';
import { DecisionFinder, referenceOf } from '../decisions/decision-finder.js';
import { Judge } from '../decisions/judge.js';
import { Replays } from '../decisions/replays.js';
import { DecisionResponse, ReplayResponse, toDecision, toReplay } from './decision.response.js';

type Caller = RequestContext<TenantPrincipal>;

/** Decisions of a tenant's checks, and of screening its identities in the background. */
@ApiTags('Screening')
@Controller('api/v1/compliance')
export class DecisionsController {
  constructor(
    private readonly decisions: DecisionFinder,
    private readonly changes: DecisionChanges,
    private readonly replays: Replays,
    private readonly judge: Judge,
    private readonly audit: AuditTrail,
  ) {}

  @Get('decisions/:id')
  @RequiresKey('compliance')
  @RespondsWith(200, { summary: 'What a check decided, and on what grounds', type: DecisionResponse })
  async getDecision(@Param('id') id: string, @Context() context: Caller): Promise<DecisionResponse> {
    return toDecision(await this.opened(id, context), true);
  }

  @Get('decisions/:id/replay')
  @RequiresKey('compliance')
  @RespondsWith(200, {
    summary: 'A decision beside what the lists of then and of now say today',
    type: ReplayResponse,
  })
  async replayDecision(@Param('id') id: string, @Context() context: Caller): Promise<ReplayResponse> {
    const opened = await this.opened(id, context);
    return toReplay(await this.replays.replay(opened), true);
  }

  @Delete('decisions/:id')
  @RequiresKey('compliance')
  @RespondsWith(204, { summary: 'Destroy the key of a decision, so that it can never be read again' })
  async deleteDecision(@Param('id') id: string, @Context() context: Caller): Promise<void> {
    await this.changes.erase(id, context);
  }

  /** Audited before it is disclosed. */
  private async opened(id: string, context: Caller): Promise<OpenedDecision> {
    const { tenantId } = context.principal;
    const opened = await this.decisions.find(id, tenantId);
    if (opened === undefined) throw refuse('not_found');
    await this.audit.record({
      entryId: newUuid(),
      tenantId,
      action: 'decision_replayed',
      result: opened.row.result as AuditResult,
      ...this.judge.auditedPerson({ query: opened.decision.query, identityHash: opened.identityHash }),
      about: referenceOf(opened),
      access: context,
    });
    return opened;
  }
}
