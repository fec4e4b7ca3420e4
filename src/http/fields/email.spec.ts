import { isEmail } from 'class-validator';
import fc from 'fast-check';
import { emailIn } from './email.js';

const isValidEmail = (email: string): boolean => email.trim() === email && emailIn(email) !== undefined;

/** What a reader of the address does not see, or sees elsewhere. */
const HIDDEN = fc.constantFrom(
  ...'\u0000\u0007\u0085\u00a0\u00ad\u061c\u115f\u200b\u200e\u202e\u2028\u2066\u3000\u3164\ufe0f',
);

describe('valid e-mail addresses', () => {
  it('hold no character that is invisible or turns the direction of the text', () => {
    fc.assert(
      fc.property(fc.emailAddress(), fc.nat(), HIDDEN, (email, at, hidden) => {
        const place = at % (email.length + 1);
        expect(isValidEmail(`${email.slice(0, place)}${hidden}${email.slice(place)}`)).toBe(false);
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([
    'jos\u00e9@example.org',
    '\u043c\u0430\u0440\u0438\u044f@\u043f\u043e\u0447\u0442\u0430.\u0440\u0444',
    '"a b"@example.org',
  ])('may be %s', (email) => expect(isValidEmail(email)).toBe(true));

  it('are otherwise those that class-validator takes', () => {
    const label = fc.string({ unit: fc.constantFrom('a', 'b', '1', '-', '.', '_', '+', '@'), maxLength: 70 });
    const address = fc
      .tuple(label, label, fc.constantFrom('', '.com', '.c', '.museum', '.x1', '.1'))
      .map(([local, domain, end]) => `${local}@${domain}${end}`);
    fc.assert(
      fc.property(fc.oneof(address, fc.emailAddress(), fc.string()), (email) => {
        // fc.string() makes printable ASCII alone: nothing in it is hidden.
        expect([email, isValidEmail(email)]).toEqual([email, isEmail(email)]);
      }),
      { numRuns: 5_000 },
    );
  });

  it('are judged in time that grows with their length alone', () => {
    const once = (text: string): number => {
      const began = performance.now();
      isValidEmail(text);
      return performance.now() - began;
    };
    const fastest = (text: string): number => Math.min(...Array.from({ length: 20 }, () => once(text)));
    const plain = fastest(`${'a'.repeat(488)}@example.org`);
    for (const text of ['a'.repeat(500), 'a.'.repeat(250), `a@${'a-'.repeat(240)}`, `a@${'a.'.repeat(240)}`])
      expect(fastest(text)).toBeLessThan(20 * plain);
  });
});
