import { decisionDecider, type DecisionCommand } from './decision.js';
import { type DecisionEvent } from './decision.events.js';

const { decide, evolve, initialState } = decisionDecider;
const decisionId = 'd1';
const envelope = { v: 1, alg: 'A256GCM', key: 'k', iv: '', ct: '' } as const;
const erase: DecisionCommand = { kind: 'erase', decisionId, now: new Date(0) };
const assign: DecisionCommand = {
  kind: 'review',
  event: { type: 'MatchAssigned.v1', data: { decisionId, matchIndex: 0, to: envelope } },
};
const announce: DecisionCommand = {
  kind: 'announce',
  matched: {
    decisionId,
    matches: [
      {
        matchIndex: 0,
        list: 'L',
        entryId: '1',
        score: 1,
        status: 'potential_match',
        listVersion: 'v',
        dismissed: false,
      },
    ],
  },
};

const typesAfter = (...commands: readonly DecisionCommand[]): string[] => {
  const events: DecisionEvent[] = [];
  for (const command of commands) events.push(...decide(command, events.reduce(evolve, initialState())));
  return events.map(({ type }) => type);
};

describe('what follows a decision', () => {
  it('is announced and erased once, and judged as often as somebody judges', () => {
    expect(typesAfter(announce, announce, assign, assign, erase, erase)).toEqual([
      'DecisionMatched.v1',
      'MatchAssigned.v1',
      'MatchAssigned.v1',
      'DecisionErased.v1',
    ]);
  });

  it('is neither announced nor judged once it is erased', () => {
    expect(typesAfter(erase, announce)).toEqual(['DecisionErased.v1']);
    expect(() => typesAfter(erase, assign)).toThrow('not_found');
  });
});
