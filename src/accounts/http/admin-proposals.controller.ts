import { Controller, Get, HttpCode, Inject, Param, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiProperty, ApiTags } from '@nestjs/swagger';
import { type Clock } from '../../kernel/clock.js';
import { refuse } from '../../kernel/rejection.js';
import { Context, RequiresRole } from '../../http/access.js';
import { noteChanges } from '../../http/operator-trail.js';
import { RespondsWith } from '../../http/responses.js';
import { CLOCK } from '../../platform/tokens.js';
import { AccountReader } from '../account-reader.js';
import { type AccountRecord } from '../domain/account-record.js';
import { AnswerOperatorAct } from '../domain/operator-act.commands.js';
import { type OperatorProposal } from '../domain/operator-acts.js';
import { metadataOf, type OperatorContext } from './command-metadata.js';

const OPERATOR = '5f2b7c1d9e0a4836b1c7d2e8f4a90536';

class ProposalResponse {
  @ApiProperty({ format: 'uuid' }) proposal_id!: string;
  @ApiProperty({ enum: ['adjust_credits', 'distrust'] }) act!: string;
  @ApiProperty({ type: 'integer', nullable: true, description: 'Credits, signed; null of other acts' })
  amount!: number | null;
  @ApiProperty({ type: String, nullable: true, description: 'Why; withheld from other roles than admin' })
  reason!: string | null;
  @ApiProperty({ enum: ['open', 'approved', 'rejected', 'failed'] }) status!: OperatorProposal['status'];
  @ApiProperty({ example: OPERATOR, description: 'Keyed hash of the subject, as the operators’ log has it' })
  proposed_by!: string;
  @ApiProperty({ format: 'date-time' }) proposed_at!: string;
  @ApiProperty({ type: String, nullable: true, example: OPERATOR, description: 'Keyed hash of the subject' })
  answered_by!: string | null;
}

class ProposalsResponse {
  @ApiProperty({ type: [ProposalResponse], description: 'Newest first' }) proposals!: ProposalResponse[];
}

/** What needs a second operator, where the deployment sets FOUR_EYES_CREDITS. */
@ApiTags('Operators')
@Controller('admin/accounts/:id/proposals')
export class AdminProposalsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly reader: AccountReader,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  @Get()
  @RequiresRole('admin', 'support')
  @RespondsWith(200, { summary: 'What operators proposed to do to an account', type: ProposalsResponse })
  async listProposals(@Param('id') id: string, @Context() { principal }: OperatorContext): Promise<ProposalsResponse> {
    const record = await this.reader.require(id);
    const proposals = [...record.account.proposals.values()].reverse();
    const withReason = principal.roles.has('admin');
    return { proposals: await Promise.all(proposals.map((proposal) => this.shown(record, proposal, withReason))) };
  }

  @Post(':proposal_id/approve')
  @HttpCode(200)
  @RequiresRole('admin')
  @RespondsWith(200, {
    summary: 'Approve, as a second operator, what was proposed; credits follow within a second',
    type: ProposalResponse,
    refuses: ['CONFLICT'],
  })
  approveProposedAct(
    @Param('id') id: string,
    @Param('proposal_id') proposalId: string,
    @Context() context: OperatorContext,
  ): Promise<ProposalResponse> {
    return this.answer(id, proposalId, true, context);
  }

  @Post(':proposal_id/reject')
  @HttpCode(200)
  @RequiresRole('admin')
  @RespondsWith(200, {
    summary: 'Reject what was proposed, or take it back',
    type: ProposalResponse,
    refuses: ['CONFLICT'],
  })
  rejectProposedAct(
    @Param('id') id: string,
    @Param('proposal_id') proposalId: string,
    @Context() context: OperatorContext,
  ): Promise<ProposalResponse> {
    return this.answer(id, proposalId, false, context);
  }

  private async answer(
    id: string,
    proposalId: string,
    isApproved: boolean,
    context: OperatorContext,
  ): Promise<ProposalResponse> {
    const before = await this.reader.require(id);
    const reason = await this.reader.open(before, before.proposalReasons.get(proposalId));
    const data = { proposalId, isApproved, reason: reason ?? '', by: context.principal.subjectHash };
    const command = new AnswerOperatorAct(before.tenantId, data, metadataOf(context, this.clock));
    const { record, changes } = await this.commands.execute(command);
    noteChanges(context, changes);
    const proposal = record.account.proposals.get(proposalId);
    if (proposal === undefined) throw refuse('not_found');
    return this.shown(record, proposal, true);
  }

  private async shown(
    record: AccountRecord,
    proposal: OperatorProposal,
    withReason: boolean,
  ): Promise<ProposalResponse> {
    const { proposalId, act, status, proposedBy, proposedAt, answeredBy } = proposal;
    return {
      proposal_id: proposalId,
      act: act.kind,
      amount: act.kind === 'adjust_credits' ? act.amount : null,
      reason: withReason ? await this.reader.open(record, record.proposalReasons.get(proposalId)) : null,
      status,
      proposed_by: proposedBy,
      proposed_at: proposedAt,
      answered_by: answeredBy,
    };
  }
}
