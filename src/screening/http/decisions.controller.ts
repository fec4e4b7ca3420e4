import { Body, Controller, Delete, Get, Param, Post } from '@nestjs/common';
import { ApiProperty, ApiTags } from '@nestjs/swagger';
import { type AuditResult, AuditTrail } from '../../kernel/access.js';
import { newUuid } from '../../kernel/ids.js';
import { refuse } from '../../kernel/rejection.js';
import { Context, RequiresKey } from '../../platform/http/access.js';
import { type RequestContext, type TenantPrincipal } from '../../platform/http/request-context.js';
import { RespondsWith } from '../../platform/http/responses.js';
import { DecisionChanges } from '../decisions/decision-changes.js';
import { Decisions, type OpenedDecision } from '../decisions/decisions.js';
import { Judge } from '../decisions/judge.js';
import { Replays } from '../decisions/replays.js';
import { DecisionResponse, ReplayResponse, toDecision, toReplay } from './decision.response.js';
import { DismissBody } from './screening.dto.js';

type Caller = RequestContext<TenantPrincipal>;

class DismissalResponse {
  @ApiProperty() match_id!: string;
  @ApiProperty() dismissed!: boolean;
}

/** Decisions of a tenant's own checks, and what it does with them. */
@ApiTags('Screening')
@Controller('api/v1/compliance')
export class DecisionsController {
  constructor(
    private readonly decisions: Decisions,
    private readonly changes: DecisionChanges,
    private readonly replays: Replays,
    private readonly judge: Judge,
    private readonly audit: AuditTrail,
  ) {}

  @Post('matches/:match_id/dismiss')
  @RequiresKey('compliance')
  @RespondsWith(200, {
    summary: 'Dismiss a match as another person: later checks of the same query do not count it',
    type: DismissalResponse,
  })
  async dismissMatch(
    @Param('match_id') id: string,
    @Body() { reason }: DismissBody,
    @Context() context: Caller,
  ): Promise<DismissalResponse> {
    await this.changes.dismiss(id, reason, context);
    return { match_id: id, dismissed: true };
  }

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
  @RespondsWith(204, { summary: 'Destroy the key of a decision, so that nobody can read it any more' })
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
      nameHash: this.judge.personHash(opened.decision.query),
      access: context,
    });
    return opened;
  }
}
