import { refuse } from '../../kernel/rejection.js';
import { type StreamDecider } from '../../kernel/category.js';
import { type DecisionEvent, type DecisionMatched, type MatchReviewed } from './decision.events.js';

export type DecisionCommand =
  | { readonly kind: 'announce'; readonly matched: DecisionMatched['data'] }
  | { readonly kind: 'review'; readonly event: MatchReviewed }
  | { readonly kind: 'erase'; readonly decisionId: string; readonly now: Date };

/** What followed one decision. */
export interface Decision {
  readonly announced: boolean;
  /** The last judgement of each match that was judged, by its place. */
  readonly judged: ReadonlyMap<number, 'dismissed' | 'confirmed'>;
  readonly erased: boolean;
}

const judgementOf = ({ type }: MatchReviewed): 'dismissed' | 'confirmed' | undefined => {
  if (type === 'MatchAssigned.v1') return undefined;
  return type === 'MatchDismissed.v1' ? 'dismissed' : 'confirmed';
};

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
  const judgement = judgementOf(command.event);
  const isRepeated = judgement !== undefined && decision.judged.get(command.event.data.matchIndex) === judgement;
  return isRepeated ? [] : [command.event];
};

const evolve = (decision: Decision, event: DecisionEvent): Decision => {
  switch (event.type) {
    case 'DecisionMatched.v1':
      return { ...decision, announced: true };
    case 'MatchDismissed.v1':
      return { ...decision, judged: new Map(decision.judged).set(event.data.matchIndex, 'dismissed') };
    case 'MatchConfirmed.v1':
      return { ...decision, judged: new Map(decision.judged).set(event.data.matchIndex, 'confirmed') };
    case 'DecisionErased.v1':
      return { ...decision, erased: true };
    case 'MatchAssigned.v1':
    default:
      return decision;
  }
};

export const decisionDecider = {
  initialState: (): Decision => ({ announced: false, judged: new Map(), erased: false }),
  decide,
  evolve,
} satisfies StreamDecider<Decision, DecisionCommand, DecisionEvent>;
