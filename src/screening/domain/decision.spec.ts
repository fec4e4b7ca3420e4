import * as fc from 'fast-check';
import { type Recorded } from '../../kernel/events.js';
import { isRejection } from '../../kernel/rejection.js';
import { decisionDecider, type Decision, type DecisionCommand, reviewOf } from './decision.js';
import { type DecisionEvent, type MatchReviewed } from './decision.events.js';

const { decide, evolve, initialState } = decisionDecider;
const decisionId = 'd1';
const sealed = { v: 1, alg: 'A256GCM', key: 'k', iv: '', ct: '' } as const;
const of = { decisionId, matchIndex: 0, dismissalHash: 'h' };
const erase: DecisionCommand = { kind: 'erase', decisionId, now: new Date(0) };

const EVENTS = {
  assign: { type: 'MatchAssigned.v1', data: { decisionId, matchIndex: 0, to: sealed, memberId: null } },
  confirm: { type: 'MatchConfirmed.v1', data: { ...of, proposedBy: null, note: sealed } },
  dismiss: { type: 'MatchDismissed.v1', data: { ...of, proposedBy: null, reason: sealed } },
  reopen: { type: 'MatchReopened.v1', data: { ...of, reason: sealed } },
} as const satisfies Record<string, MatchReviewed>;

const review = (name: keyof typeof EVENTS, version?: number): DecisionCommand => ({
  kind: 'review',
  event: EVENTS[name],
  version,
  fourEyes: false,
  isAnother: () => true,
});

const announce = (dismissed = false): DecisionCommand => ({
  kind: 'announce',
  matched: {
    decisionId,
    kind: 'sanctions',
    matches: [
      { matchIndex: 0, list: 'L', entryId: '1', score: 1, status: 'potential_match', listVersion: 'v', dismissed },
    ],
  },
});

const recorded = (event: DecisionEvent): Recorded<DecisionEvent> =>
  ({ ...event, metadata: { actor: { type: 'tenant', id: 'HyBJKgiB' }, time: '2026-11-27T10:00:00.000Z' } }) as never;

const after = (commands: readonly DecisionCommand[], from: Decision = initialState()): Decision =>
  commands.reduce((state, command) => decide(command, state).map(recorded).reduce(evolve, state), from);

describe('what follows a decision', () => {
  it('is announced and erased once, and neither announced nor judged after that', () => {
    const announced = after([announce()]);
    expect(decide(announce(), announced)).toEqual([]);
    const erased = after([erase], announced);
    expect([decide(erase, erased), decide(announce(), erased)]).toEqual([[], []]);
    expect(() => decide(review('assign'), erased)).toThrow('not_found');
  });
});

describe('the review of a match', () => {
  it('refuses a second judgement by who decided what and when, also of whoever names no version', () => {
    const confirmed = after([review('confirm', 1)]);
    const change = 'The match was confirmed at 2026-11-27T10:00:00.000Z by API key HyBJKgiB and has version 2';
    for (const late of [review('dismiss', 1), review('assign', 1)])
      expect(() => decide(late, confirmed)).toThrow(`${change}, not 1`);
    for (const late of [review('dismiss'), review('confirm', 2), review('assign')])
      expect(() => decide(late, confirmed)).toThrow(`${change}: reopen it to change that`);
  });

  it('refuses a judgement of a version that an assignment has replaced', () => {
    const assigned = after([review('assign', 1)]);
    expect(() => decide(review('confirm', 1), assigned)).toThrow(/was assigned at .* and has version 2, not 1/);
    expect(decide(review('confirm', 2), assigned)).toEqual([EVENTS.confirm]);
  });

  it('opens again what was judged, or dismissed with an earlier match, and nothing that is open', () => {
    expect(() => decide(review('reopen'), initialState())).toThrow('it is open');
    const dismissed = after([announce(true)]);
    expect(() => decide(review('confirm'), dismissed)).toThrow('dismissed with an earlier one of the same query');
    expect(reviewOf(after([review('reopen', 1), review('confirm', 2)], dismissed), 0)).toMatchObject({
      version: 3,
      status: 'confirmed',
    });
  });

  it('changes a hundred times at most, and is judged even then', () => {
    const often = after(Array.from({ length: 100 }, () => review('assign')));
    expect(() => decide(review('assign'), often)).toThrow('changed 100 times');
    const judged = after([review('dismiss')], often);
    expect(reviewOf(judged, 0)).toMatchObject({ version: 102, status: 'dismissed' });
    expect(() => decide(review('reopen'), judged)).toThrow('changed 100 times');
  });

  it('lets one of any that saw the same version through, whatever the order', () => {
    const names = fc.constantFrom(...(Object.keys(EVENTS) as (keyof typeof EVENTS)[]));
    fc.assert(
      fc.property(fc.array(fc.tuple(names, fc.integer({ min: 1, max: 6 })), { maxLength: 20 }), (wanted) => {
        let state = initialState();
        const taken = new Set<number>();
        for (const [name, version] of wanted) {
          const before = reviewOf(state, 0);
          try {
            state = after([review(name, version)], state);
          } catch (error) {
            if (!isRejection(error, 'match_changed')) throw error;
            expect(reviewOf(state, 0)).toEqual(before);
            continue;
          }
          expect([before.version, taken.has(version)]).toEqual([version, false]);
          expect(before.status === 'open').toBe(name !== 'reopen');
          taken.add(version);
        }
        expect(reviewOf(state, 0).version).toBe(taken.size + 1);
      }),
    );
  });
});
