import { type StreamDecider } from '../../kernel/category.js';
import { type RiskLevel } from './assessment.js';
import { type RiskEvent } from './risk.events.js';

export type RiskCommand =
  | {
      readonly kind: 'compare';
      readonly identityId: string;
      readonly assessmentId: string;
      readonly chargeRevision: number;
      readonly score: number;
      readonly level: RiskLevel;
    }
  | { readonly kind: 'forget'; readonly identityId: string };

export interface RiskState {
  /** Charges up to this revision are compared. -1 if none is. */
  readonly comparedTo: number;
  readonly last: { readonly score: number; readonly level: RiskLevel } | null;
}

/** Points by which a score has to move to be worth telling. */
const SIGNIFICANT = 10;

const decide = (command: RiskCommand, { comparedTo, last }: RiskState): readonly RiskEvent[] => {
  const { identityId } = command;
  if (command.kind === 'forget') {
    return last === null ? [] : [{ type: 'RiskForgotten.v1', data: { identityId, chargeRevision: comparedTo } }];
  }
  const { assessmentId, chargeRevision, score, level } = command;
  if (chargeRevision <= comparedTo || last?.score === score) return [];
  const assessed: RiskEvent = {
    type: 'RiskAssessed.v1',
    data: { identityId, assessmentId, chargeRevision, score, level },
  };
  if (last === null || (Math.abs(score - last.score) < SIGNIFICANT && level === last.level)) return [assessed];
  const data = { identityId, previousScore: last.score, previousLevel: last.level, score, level };
  return [assessed, { type: 'RiskScoreChanged.v1', data }];
};

const evolve = (state: RiskState, { type, data }: RiskEvent): RiskState => {
  switch (type) {
    case 'RiskAssessed.v1':
      return { comparedTo: data.chargeRevision, last: { score: data.score, level: data.level } };
    case 'RiskForgotten.v1':
      return { comparedTo: data.chargeRevision, last: null };
    case 'RiskScoreChanged.v1':
    default:
      return state;
  }
};

export const riskDecider = {
  initialState: (): RiskState => ({ comparedTo: -1, last: null }),
  decide,
  evolve,
} satisfies StreamDecider<RiskState, RiskCommand, RiskEvent>;
