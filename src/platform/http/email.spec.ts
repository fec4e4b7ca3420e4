import { isEmail } from 'class-validator';
import fc from 'fast-check';
import { isValidEmail } from './email.js';

describe('valid e-mail addresses', () => {
  it('are those that class-validator takes', () => {
    const label = fc.string({ unit: fc.constantFrom('a', 'b', '1', '-', '.', '_', '+', '@'), maxLength: 70 });
    const address = fc
      .tuple(label, label, fc.constantFrom('', '.com', '.c', '.museum', '.x1', '.1'))
      .map(([local, domain, end]) => `${local}@${domain}${end}`);
    fc.assert(
      fc.property(fc.oneof(address, fc.emailAddress(), fc.string()), (email) => {
        expect([email, isValidEmail(email)]).toEqual([email, isEmail(email)]);
      }),
      { numRuns: 5_000 },
    );
  });

  it('are judged in time that grows with their length alone', () => {
    const began = performance.now();
    for (const text of ['a'.repeat(500), 'a.'.repeat(250), `a@${'a-'.repeat(240)}`, `a@${'a.'.repeat(240)}`])
      isValidEmail(text);
    expect(performance.now() - began).toBeLessThan(100);
  });
});
