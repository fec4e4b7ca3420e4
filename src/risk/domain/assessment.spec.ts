import fc from 'fast-check';
import { assess, FACTORS, RISK_LEVELS, type RiskFacts } from './assessment.js';

const screening = fc.option(
  fc.record({
    sanctions: fc.constantFrom('clear' as const, 'potential_match' as const, 'confirmed_match' as const),
    pep: fc.boolean(),
  }),
);

const anyFacts: fc.Arbitrary<RiskFacts> = fc.record({
  own: fc.constantFrom('APPROVED' as const, 'EXPIRED' as const, 'PENDING_REVIEW' as const, 'REJECTED' as const, null),
  attesting: fc.constantFrom('none' as const, 'some' as const, 'three_and_more' as const),
  screening,
  disposableEmail: fc.boolean(),
  phoneElsewhere: fc.boolean(),
  lookUps: fc.nat(500),
});

describe('a risk assessment', () => {
  it('is the sum of its factors from 0 to 100, with the level of the sum, alike for alike facts', () =>
    fc.assert(
      fc.property(anyFacts, (facts) => {
        const { score, level, factors } = assess(facts);
        const sum = factors.reduce((total, { weight }) => total + weight, 0);
        expect(score).toBe(Math.min(100, Math.max(0, sum)));
        expect(level).toBe(score >= 60 ? 'high' : score >= 30 ? 'medium' : 'low');
        expect(assess({ ...facts })).toEqual({ score, level, factors });
      }),
    ));

  it('never falls for a graver fact', () =>
    fc.assert(
      fc.property(anyFacts, (facts) => {
        const { score } = assess(facts);
        const graver: readonly Partial<RiskFacts>[] = [
          { own: 'REJECTED' },
          { attesting: 'none' },
          { screening: { sanctions: 'confirmed_match', pep: facts.screening?.pep ?? false } },
          { disposableEmail: true },
          { phoneElsewhere: true },
          { lookUps: 500 },
        ];
        for (const fact of graver) expect(assess({ ...facts, ...fact }).score).toBeGreaterThanOrEqual(score);
      }),
    ));

  it('is high for whoever is surely on a sanctions list, whatever speaks for them', () =>
    fc.assert(
      fc.property(anyFacts, (facts) => {
        expect(assess({ ...facts, screening: { sanctions: 'confirmed_match', pep: false } }).level).toBe('high');
      }),
    ));

  it('reaches every level, and has a code of its own for each factor', () => {
    const calm: RiskFacts = {
      own: 'APPROVED',
      attesting: 'some',
      screening: { sanctions: 'clear', pep: false },
      disposableEmail: false,
      phoneElsewhere: false,
      lookUps: 0,
    };
    const levels = [
      calm,
      { ...calm, screening: { sanctions: 'potential_match', pep: false } as const },
      { ...calm, own: 'REJECTED' as const },
    ];
    expect(levels.map((facts) => assess(facts).level)).toEqual(RISK_LEVELS);
    expect(new Set(FACTORS.map(({ code }) => code)).size).toBe(FACTORS.length);
  });
});
