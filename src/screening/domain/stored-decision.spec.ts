import fc from 'fast-check';
import { fitted, matchId, matchOf, MAX_DECISION_BYTES, type StoredDecision } from './stored-decision.js';

const decisionOf = (fullName: string, names: readonly string[], idLength: number): StoredDecision => ({
  kind: 'sanctions',
  status: 'potential_match',
  query: { fullName },
  versions: { OFAC_SDN: '2026-11-20.0123456789abcdef' },
  engineVersion: '1',
  thresholds: { potential: 0.85, confirmed: 0.95 },
  matches: names.map((name, index) => ({
    list: 'UN_SECURITY_COUNCIL',
    entryId: String(index).padStart(idLength, '0'),
    entryDigest: 'ab'.repeat(32),
    score: 0.9123456789,
    status: 'potential_match',
    dismissed: false,
    name,
  })),
  total: names.length,
});

const anyName = fc.string({ unit: 'binary', minLength: 1, maxLength: 512 });

describe('a stored decision', () => {
  it('fits its charge, whatever the names, and keeps query, status and number of matches', () =>
    fc.assert(
      fc.property(
        anyName,
        fc.array(anyName, { maxLength: 20 }),
        fc.integer({ min: 1, max: 300 }),
        (full, names, ids) => {
          const decision = decisionOf(full, names, ids);
          const kept = fitted(decision);
          const { matches, ...rest } = decision;
          expect(kept).toMatchObject(rest);
          expect(kept.matches.map(({ entryId }) => entryId)).toEqual(
            matches.slice(0, kept.matches.length).map(({ entryId }) => entryId),
          );
          // A query of 512 characters may itself take more than half of the room.
          expect(Buffer.byteLength(JSON.stringify(kept)) <= MAX_DECISION_BYTES || kept.matches.length === 0).toBe(true);
        },
      ),
    ));

  it('keeps all 20 matches of ordinary names, and the best ones’ names', () => {
    const kept = fitted(decisionOf('Maria Example', Array(20).fill('A name of an ordinary length'), 12));
    expect(kept.matches).toHaveLength(20);
    expect(kept.matches[0]?.name).toBeDefined();
  });
});

describe('the id of a match', () => {
  it('names decision and place', () =>
    fc.assert(
      fc.property(fc.uuid(), fc.integer({ min: 0, max: 19 }), (decisionId, index) => {
        expect(matchOf(matchId(decisionId, index))).toEqual({ decisionId, index });
      }),
    ));

  it('is nothing else', () => {
    for (const text of ['', 'mat_', `${matchId('3f0c7f0e-3c53-4d0c-9a53-6f6f6d1f2f6a', 0)}0`]) {
      expect(matchOf(text)).toBeUndefined();
    }
  });
});
