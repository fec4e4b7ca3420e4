import { type Envelope } from '../../kernel/envelope.js';
import { refuse } from '../../kernel/rejection.js';
import { type AccountEvent } from './account.events.js';
import { type AnswerOperatorAct, type ProposeOperatorAct } from './operator-act.commands.js';
import { type OperatorAct, type OperatorActEvent, type OperatorActProposed } from './operator-act.events.js';

export interface OperatorProposal {
  readonly proposalId: string;
  readonly act: OperatorAct;
  readonly proposedBy: string;
  readonly proposedAt: string;
  readonly status: 'open' | 'approved' | 'rejected';
  readonly answeredBy: string | null;
}

interface WithProposals {
  readonly distrusted: boolean;
  readonly proposals: ReadonlyMap<string, OperatorProposal>;
}

export const proposeAct = (
  { data, metadata }: ProposeOperatorAct<Envelope>,
  { proposals }: WithProposals,
): OperatorActProposed[] => {
  const { proposalId, act, reason, by } = data;
  if (proposals.has(proposalId)) return [];
  const proposed = { proposalId, act, reason, proposedBy: by, proposedAt: metadata.at };
  return [{ type: 'OperatorActProposed.v1', data: proposed }];
};

export const answerAct = (
  { data, metadata: { at } }: AnswerOperatorAct<Envelope>,
  { distrusted, proposals }: WithProposals,
): AccountEvent[] => {
  const { proposalId, isApproved, by, reason } = data;
  const proposal = proposals.get(proposalId);
  if (proposal === undefined) throw refuse('not_found');
  const wanted = isApproved ? 'approved' : 'rejected';
  if (proposal.status === wanted && proposal.answeredBy === by) return [];
  if (proposal.status !== 'open')
    throw refuse('account_state_conflict', { detail: `The proposal was ${proposal.status} already.` });
  if (!isApproved) return [{ type: 'OperatorActRejected.v1', data: { proposalId, rejectedBy: by, rejectedAt: at } }];
  if (proposal.proposedBy === by) throw refuse('forbidden', { detail: 'Another operator approves what you proposed.' });
  const { act } = proposal;
  const approved: AccountEvent = {
    type: 'OperatorActApproved.v1',
    data: { proposalId, act, approvedBy: by, approvedAt: at },
  };
  if (act.kind !== 'distrust' || distrusted) return [approved];
  return [approved, { type: 'AccountDistrusted.v1', data: { reason, distrustedAt: at } }];
};

/** Changes the map in place, as the keys of an account. */
export const applyOperatorAct = (proposals: Map<string, OperatorProposal>, event: OperatorActEvent): void => {
  const { proposalId } = event.data;
  if (event.type === 'OperatorActProposed.v1') {
    const { act, proposedBy, proposedAt } = event.data;
    proposals.set(proposalId, { proposalId, act, proposedBy, proposedAt, status: 'open', answeredBy: null });
    return;
  }
  const proposal = proposals.get(proposalId);
  if (proposal === undefined) return;
  const answer =
    event.type === 'OperatorActApproved.v1'
      ? ({ status: 'approved', answeredBy: event.data.approvedBy } as const)
      : ({ status: 'rejected', answeredBy: event.data.rejectedBy } as const);
  proposals.set(proposalId, { ...proposal, ...answer });
};
