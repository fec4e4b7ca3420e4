import * as fc from 'fast-check';
import { type Recorded } from '../../kernel/events.js';
import { isRejection } from '../../kernel/rejection.js';
import { decisionDecider, type Decision, reviewOf, type ReviewMatch } from './decision.js';
import { type DecisionEvent, type Judgement, type MatchReviewed } from './decision.events.js';

const { decide, evolve, initialState } = decisionDecider;
const sealed = { v: 1, alg: 'A256GCM', key: 'k', iv: '', ct: '' } as const;
const place = { decisionId: 'd1', matchIndex: 0 };

/** What a decision depends on beside the match: what record and list say, and who has left the account. */
const world = { dismissalHash: 'h', gone: new Set<string>() };
const judged = () => ({ ...place, dismissalHash: world.dismissalHash });

/** Keys of two people: Ann has two. */
const PEOPLE = { annKeyA1: 'Ann', annKeyA2: 'Ann', bobKeyB1: 'Bob' } as const;
const idOf = { annKeyA1: 'AAAAAAA1', annKeyA2: 'AAAAAAA2', bobKeyB1: 'BBBBBBB1' } as const;
type Key = keyof typeof PEOPLE;
const KEYS = Object.keys(PEOPLE) as Key[];
const personOf = (id: string): string => PEOPLE[KEYS.find((key) => idOf[key] === id) ?? 'annKeyA1'];

type Act =
  | { readonly what: 'judge' | 'propose' | 'approve'; readonly by: Key; readonly judgement: Judgement }
  | { readonly what: 'reject' | 'reopen' | 'assign'; readonly by: Key };

interface Happening {
  readonly what: 'list change' | 'removal';
  readonly by: Key;
}

const isAct = (each: Act | Happening): each is Act => each.what !== 'list change' && each.what !== 'removal';

const judgement = (judgement: Judgement, proposedBy: string | null): MatchReviewed =>
  judgement === 'confirmed'
    ? { type: 'MatchConfirmed.v1', data: { ...judged(), proposedBy, note: sealed } }
    : { type: 'MatchDismissed.v1', data: { ...judged(), proposedBy, reason: sealed } };

const eventOf = (act: Act, state: Decision): MatchReviewed => {
  switch (act.what) {
    case 'judge':
      return judgement(act.judgement, null);
    case 'approve':
      return judgement(act.judgement, reviewOf(state, 0).proposal?.by ?? idOf.bobKeyB1);
    case 'propose':
      return {
        type: 'MatchProposed.v1',
        data: { ...judged(), judgement: act.judgement, presentDigest: 'd', reason: sealed },
      };
    case 'reject':
      return { type: 'ProposalRejected.v1', data: { ...place, note: sealed } };
    case 'reopen':
      return { type: 'MatchReopened.v1', data: { ...judged(), reason: sealed } };
    case 'assign':
      return { type: 'MatchAssigned.v1', data: { ...place, to: sealed, memberId: null } };
  }
};

const commandOf = (act: Act, state: Decision, fourEyes = true): ReviewMatch => ({
  kind: 'review',
  event: eventOf(act, state),
  fourEyes,
  isAnother: (proposer) => personOf(proposer) !== PEOPLE[act.by] && !world.gone.has(personOf(proposer)),
});

const recorded = (event: DecisionEvent, by: Key): Recorded<DecisionEvent> =>
  ({ ...event, metadata: { actor: { type: 'tenant', id: idOf[by] }, time: '2026-11-27T10:00:00.000Z' } }) as never;

const apply = (act: Act, state: Decision, fourEyes = true): Decision =>
  decide(commandOf(act, state, fourEyes), state)
    .map((event) => recorded(event, act.by))
    .reduce(evolve, state);

const propose: Act = { what: 'propose', by: 'annKeyA1', judgement: 'dismissed' };
const proposed = (): Decision => apply(propose, initialState());
const statusOf = (state: Decision): string => reviewOf(state, 0).status;

describe('with four eyes', () => {
  it('a judgement is proposed by one person and approved by another', () => {
    const state = proposed();
    expect(reviewOf(state, 0)).toMatchObject({ status: 'proposed', version: 2, proposal: { judgement: 'dismissed' } });
    expect(statusOf(apply({ what: 'approve', by: 'bobKeyB1', judgement: 'dismissed' }, state))).toBe('dismissed');
  });

  it.each<[string, Act]>([
    ['the same key', { what: 'approve', by: 'annKeyA1', judgement: 'dismissed' }],
    ['another key of the same person', { what: 'approve', by: 'annKeyA2', judgement: 'dismissed' }],
  ])('a proposal is not approved by %s', (_, act) => {
    expect(() => apply(act, proposed())).toThrow('A second person approves');
  });

  it('one person judges nothing, proposes nothing twice, and approves nothing else than what is proposed', () => {
    expect(() => apply({ what: 'judge', by: 'bobKeyB1', judgement: 'confirmed' }, initialState())).toThrow(
      'propose it',
    );
    expect(() => apply(propose, proposed())).toThrow('another person approves or rejects that');
    expect(() => apply({ what: 'approve', by: 'bobKeyB1', judgement: 'confirmed' }, proposed())).toThrow(
      'Another judgement is proposed',
    );
    expect(() => apply({ what: 'approve', by: 'bobKeyB1', judgement: 'confirmed' }, initialState())).toThrow(
      'it is open',
    );
  });

  it('an approval judges the person that the proposer saw', () => {
    const event = judgement('dismissed', idOf.annKeyA1);
    const changed = { ...event, data: { ...event.data, dismissalHash: 'another record' } } as MatchReviewed;
    const command: ReviewMatch = { kind: 'review', event: changed, fourEyes: true, isAnother: () => true };
    expect(() => decide(command, proposed())).toThrow('record changed since the proposal');
  });

  it('a rejected proposal leaves the match open, also where the proposer takes it back', () => {
    for (const by of ['annKeyA1', 'bobKeyB1'] as const) {
      const state = apply({ what: 'reject', by }, proposed());
      expect(reviewOf(state, 0)).toMatchObject({ status: 'open', proposal: undefined, version: 3 });
    }
  });

  it('a proposal survives an assignment, and the end of four eyes makes no one its approver', () => {
    const assigned = apply({ what: 'assign', by: 'bobKeyB1' }, proposed());
    expect(reviewOf(assigned, 0)).toMatchObject({ status: 'proposed', version: 3, proposal: { by: idOf.annKeyA1 } });
    expect(() => apply({ what: 'approve', by: 'annKeyA2', judgement: 'dismissed' }, assigned, false)).toThrow('second');
    expect(() => apply({ what: 'judge', by: 'annKeyA1', judgement: 'dismissed' }, assigned, false)).toThrow('approves');
  });

  it('no judgement counts that one person alone made, in any order of acts, changes of the list and removals', () => {
    const by = fc.constantFrom(...KEYS);
    const judgements = fc.constantFrom<Judgement>('confirmed', 'dismissed');
    const act = fc.oneof(
      fc.record({ what: fc.constantFrom('judge', 'propose', 'approve'), by, judgement: judgements }),
      fc.record({ what: fc.constantFrom('reject', 'reopen', 'assign', 'list change', 'removal'), by }),
    ) as fc.Arbitrary<Act | Happening>;
    let decided = 0;
    fc.assert(
      fc.property(fc.array(act, { maxLength: 30 }), (acts) => {
        let state = initialState();
        let proposed: { readonly by: string; readonly hash: string } | undefined;
        world.gone.clear();
        for (const each of acts) {
          if (each.what === 'list change') world.dismissalHash += 'h';
          if (each.what === 'removal') world.gone.add(PEOPLE[each.by]);
          if (!isAct(each) || world.gone.has(PEOPLE[each.by])) continue;
          const before = statusOf(state);
          try {
            state = apply(each, state);
          } catch (error) {
            if (!isRejection(error)) throw error;
            continue;
          }
          const after = statusOf(state);
          if (after === 'proposed' && before !== 'proposed')
            proposed = { by: PEOPLE[each.by], hash: world.dismissalHash };
          if (after !== before && (after === 'confirmed' || after === 'dismissed')) {
            expect([before, proposed?.hash]).toEqual(['proposed', world.dismissalHash]);
            expect([...world.gone, PEOPLE[each.by]]).not.toContain(proposed?.by);
            decided += 1;
          }
        }
      }),
      { numRuns: 1_000, seed: 1 },
    );
    expect(decided).toBeGreaterThan(20);
  });
});
