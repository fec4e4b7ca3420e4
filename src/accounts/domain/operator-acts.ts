import { type Envelope } from '../../kernel/envelope.js';
import { refuse } from '../../kernel/rejection.js';
import { type AccountEvent } from './account.events.js';
import { type AnswerOperatorAct, type FailOperatorAct, type ProposeOperatorAct } from './operator-act.commands.js';
import {
  type OperatorAct,
  type OperatorActApproved,
  type OperatorActEvent,
  type OperatorActFailed,
  type OperatorActProposed,
  type OperatorActRejected,
} from './operator-act.events.js';

export interface OperatorProposal {
  readonly proposalId: string;
  readonly act: OperatorAct;
  readonly proposedBy: string;
  readonly proposedAt: string;
  readonly status: 'open' | 'approved' | 'rejected' | 'failed';
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
  const isRepeated = proposal.status === wanted || (isApproved && proposal.status === 'failed');
  if (isRepeated && proposal.answeredBy === by) return [];
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

export const failAct = (
  { data: { proposalId }, metadata: { at } }: FailOperatorAct,
  { proposals }: WithProposals,
): OperatorActFailed[] =>
  proposals.get(proposalId)?.status === 'approved'
    ? [{ type: 'OperatorActFailed.v1', data: { proposalId, failedAt: at } }]
    : [];

const outcomeOf = (
  event: OperatorActApproved | OperatorActRejected | OperatorActFailed,
): Partial<Pick<OperatorProposal, 'status' | 'answeredBy'>> => {
  switch (event.type) {
    case 'OperatorActApproved.v1':
      return { status: 'approved', answeredBy: event.data.approvedBy };
    case 'OperatorActRejected.v1':
      return { status: 'rejected', answeredBy: event.data.rejectedBy };
    case 'OperatorActFailed.v1':
      return { status: 'failed' };
  }
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
  proposals.set(proposalId, { ...proposal, ...outcomeOf(event) });
};
