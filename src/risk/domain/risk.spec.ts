import { type RiskCommand, riskDecider } from './risk.js';
import { type RiskEvent } from './risk.events.js';

const { decide, evolve, initialState } = riskDecider;
const identityId = 'idn_1';

const assessed = (chargeRevision: number, score: number): RiskCommand => {
  const level = score >= 60 ? 'high' : score >= 30 ? 'medium' : 'low';
  return { kind: 'compare', identityId, assessmentId: `a${chargeRevision}`, chargeRevision, score, level };
};

const after = (...commands: readonly RiskCommand[]): RiskEvent[] => {
  const events: RiskEvent[] = [];
  for (const command of commands) events.push(...decide(command, events.reduce(evolve, initialState())));
  return events;
};

const moves = (...scores: readonly number[]): unknown[] =>
  after(...scores.map((score, index) => assessed(index, score)))
    .filter(({ type }) => type === 'RiskScoreChanged.v1')
    .map(({ data }) => data);

describe('successive assessments of a person', () => {
  it('tell a move by 10 points or more', () => {
    expect(moves(30, 39)).toEqual([]);
    expect(moves(30, 40)).toMatchObject([{ previousScore: 30, score: 40 }]);
  });

  it('tell another level, however near', () => expect(moves(29, 30)).toMatchObject([{ level: 'medium' }]));

  it('are each compared with the one before, not with the last that was told', () =>
    expect(moves(30, 38, 46, 54)).toEqual([]));

  it('append nothing for the same score, nor for one that was compared before', () => {
    expect(after(assessed(1, 40), assessed(2, 40))).toHaveLength(1);
    expect(after(assessed(1, 40), assessed(2, 80), assessed(1, 40), assessed(2, 80))).toHaveLength(3);
  });

  it('begin anew once the person is erased', () => {
    const events = after(assessed(1, 40), { kind: 'forget', identityId }, assessed(1, 40), assessed(2, 90));
    expect(events.map(({ type }) => type)).toEqual(['RiskAssessed.v1', 'RiskForgotten.v1', 'RiskAssessed.v1']);
    expect(decide({ kind: 'forget', identityId }, initialState())).toEqual([]);
  });
});
