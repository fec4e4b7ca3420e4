import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { FICTIONAL_PHONES, fictionalEmail, fictionalPhone } from './fiction.js';

describe('contact details made up for the demo', () => {
  it('gives every person a number of their own that is possible, up to the number of reserved numbers', () => {
    const numbers = Array.from({ length: FICTIONAL_PHONES }, (_, index) => fictionalPhone(index));
    expect(new Set(numbers).size).toBe(FICTIONAL_PHONES);
    expect(numbers.filter((number) => parsePhoneNumberFromString(number)?.isPossible() !== true)).toEqual([]);
    expect(FICTIONAL_PHONES).toBeGreaterThanOrEqual(10_000);
  });

  it('gives e-mail addresses of one length under example.org', () => {
    expect(fictionalEmail('k3f9', 7)).toBe('p00000007.k3f9@example.org');
    expect(fictionalEmail('k3f9', 999_999)).toHaveLength(fictionalEmail('k3f9', 0).length);
  });
});
