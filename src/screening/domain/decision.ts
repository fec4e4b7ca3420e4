import { refuse } from '../../kernel/rejection.js';
import { type StreamDecider } from '../../kernel/category.js';
import { type DecisionEvent, type DecisionMatched, type MatchReviewed } from './decision.events.js';

export type DecisionCommand =
  | { readonly kind: 'announce'; readonly matched: DecisionMatched['data'] }
  | { readonly kind: 'review'; readonly event: MatchReviewed }
  | { readonly kind: 'erase'; readonly decisionId: string; readonly now: Date };

/** What followed one decision. A match may be judged again and again: the last judgement counts. */
export interface Decision {
  readonly announced: boolean;
  readonly erased: boolean;
}

const decide = (command: DecisionCommand, decision: Decision): readonly DecisionEvent[] => {
  if (command.kind === 'erase') {
    const { decisionId, now } = command;
    return decision.erased ? [] : [{ type: 'DecisionErased.v1', data: { decisionId, erasedAt: now.toISOString() } }];
  }
  if (command.kind === 'announce') {
    if (decision.announced || decision.erased || command.matched.matches.length === 0) return [];
    return [{ type: 'DecisionMatched.v1', data: command.matched }];
  }
  if (decision.erased) throw refuse('not_found');
  return [command.event];
};

const evolve = (decision: Decision, { type }: DecisionEvent): Decision => {
  if (type === 'DecisionMatched.v1') return { ...decision, announced: true };
  return type === 'DecisionErased.v1' ? { ...decision, erased: true } : decision;
};

export const decisionDecider = {
  initialState: (): Decision => ({ announced: false, erased: false }),
  decide,
  evolve,
} satisfies StreamDecider<Decision, DecisionCommand, DecisionEvent>;
