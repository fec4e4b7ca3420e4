import fc from 'fast-check';
import { DIGESTS, DISCLOSABLE, disclosedClaimsOf, termByDays, tokenListOf, tokenListUrl } from './wallet-credential.js';

const DAY_S = 86_400;
const PERSON = { full_name: 'Ada Example', phone: '+12025550123', date_of_birth: '2008-02-29' };
const KNOWN = { verifiedAt: new Date('2026-11-29T23:59:59.999Z'), birthDateKnown: true, attestedBy: ['Acme Bank'] };

const claimsAt = (now: string, known: Parameters<typeof disclosedClaimsOf>[2] = KNOWN) =>
  disclosedClaimsOf(PERSON, 'Tier2', known, new Date(now));

describe('what a wallet may disclose', () => {
  it.each([
    ['2026-02-28T23:59:59.999Z', false],
    ['2026-03-01T00:00:00.000Z', true],
  ])('says at %s of a person born on February 29 that they are 18: %s', (now, isAdult) => {
    expect(claimsAt(now).age_over_18).toBe(isAdult);
  });

  it('names the day of the verification alone, and nothing that no member said', () => {
    const much = claimsAt('2026-11-29T00:00:00.000Z');
    expect(much).toMatchObject({ verified_at: '2026-11-29', attested_by: ['Acme Bank'] });
    const little = claimsAt('2026-11-29T00:00:00.000Z', { verifiedAt: null, birthDateKnown: false, attestedBy: [] });
    expect(Object.keys(little).toSorted()).toEqual(['full_name', 'phone_number', 'tier']);
  });

  it('leaves room for a digest of no claim, so that no number of digests says what is known', () => {
    expect(DISCLOSABLE.length).toBeLessThan(DIGESTS);
  });
});

describe('the term of a copy', () => {
  it('is of whole days, never later than the credential, and never over as it begins', () => {
    const anyTime = fc.integer({ min: Date.parse('2026-01-01'), max: Date.parse('2030-01-01') });
    fc.assert(
      fc.property(anyTime, fc.integer({ min: 1_000, max: 400 * DAY_S * 1_000 }), (begin, lasts) => {
        const [issuedAt, expiresAt] = [new Date(begin), new Date(begin + lasts)];
        const { iat, exp } = termByDays(issuedAt, expiresAt);
        expect(iat % DAY_S).toBe(0);
        expect(iat * 1_000).toBeLessThanOrEqual(begin);
        expect(exp * 1_000).toBeLessThanOrEqual(begin + lasts);
        expect(exp * 1_000).toBeGreaterThan(begin);
        const isWithinTheDay = Math.floor((begin + lasts) / (DAY_S * 1_000)) * DAY_S * 1_000 <= begin;
        expect(exp % DAY_S === 0 || isWithinTheDay).toBe(true);
      }),
    );
  });
});

describe('the place of a copy', () => {
  it('is read from the URLs of this issuer alone', () => {
    const base = 'https://kyc.example.org';
    expect(tokenListOf(base, tokenListUrl(base, 12))).toBe(12);
    for (const url of [
      tokenListUrl('https://other.example', 12),
      `${tokenListUrl(base, 12)}/..`,
      `${base}/credentials/token-status/0`,
      `${base}/credentials/token-status/1e3`,
      '',
    ])
      expect(tokenListOf(base, url)).toBeUndefined();
  });
});
