import { type Envelope } from '../../kernel/envelope.js';
import { refuse } from '../../kernel/rejection.js';
import { type StreamDecider } from '../../kernel/category.js';
import { type AnnouncedMatch, type DecisionEvent } from './decision.events.js';

export type DecisionCommand =
  | { readonly kind: 'announce'; readonly decisionId: string; readonly matches: readonly AnnouncedMatch[] }
  | {
      readonly kind: 'dismiss';
      readonly decisionId: string;
      readonly matchIndex: number;
      readonly dismissalHash: string;
      readonly reason: Envelope;
    }
  | { readonly kind: 'erase'; readonly decisionId: string; readonly now: Date };

/** What followed one decision. */
export interface Decision {
  readonly announced: boolean;
  /** Places of dismissed matches. */
  readonly dismissed: ReadonlySet<number>;
  readonly erased: boolean;
}

const decide = (command: DecisionCommand, decision: Decision): readonly DecisionEvent[] => {
  const { decisionId } = command;
  if (command.kind === 'erase') {
    if (decision.erased) return [];
    return [{ type: 'DecisionErased.v1', data: { decisionId, erasedAt: command.now.toISOString() } }];
  }
  if (command.kind === 'announce') {
    if (decision.announced || decision.erased || command.matches.length === 0) return [];
    return [{ type: 'DecisionMatched.v1', data: { decisionId, matches: command.matches } }];
  }
  if (decision.erased) throw refuse('not_found');
  if (decision.dismissed.has(command.matchIndex)) return [];
  const { matchIndex, dismissalHash, reason } = command;
  return [{ type: 'MatchDismissed.v1', data: { decisionId, matchIndex, dismissalHash, reason } }];
};

const evolve = (decision: Decision, { type, data }: DecisionEvent): Decision => {
  switch (type) {
    case 'DecisionMatched.v1':
      return { ...decision, announced: true };
    case 'MatchDismissed.v1':
      return { ...decision, dismissed: new Set([...decision.dismissed, data.matchIndex]) };
    case 'DecisionErased.v1':
      return { ...decision, erased: true };
    default:
      return decision;
  }
};

export const decisionDecider = {
  initialState: (): Decision => ({ announced: false, dismissed: new Set(), erased: false }),
  decide,
  evolve,
} satisfies StreamDecider<Decision, DecisionCommand, DecisionEvent>;
