import fc from 'fast-check';
import { getCountries, getCountryCallingCode, parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { isPossiblePhone } from './phone.js';

const codes = [...new Set(getCountries().map((country) => getCountryCallingCode(country))), '800', '999', '0', '210'];
const digits = (length: number): fc.Arbitrary<string> =>
  fc.string({
    unit: fc.constantFrom('0', '1', '2', '3', '4', '5', '6', '7', '8', '9'),
    minLength: 1,
    maxLength: length,
  });

describe('possible phone numbers', () => {
  it('are those that libphonenumber takes for possible and would write alike', () => {
    fc.assert(
      fc.property(fc.constantFrom(...codes), digits(13), (code, national) => {
        const text = `+${code}${national}`;
        const phone = parsePhoneNumberFromString(text);
        expect([text, isPossiblePhone(text)]).toEqual([
          text,
          /^\+[1-9][0-9]{5,14}$/.test(text) && phone?.number === text && phone.isPossible(),
        ]);
      }),
      { numRuns: 5_000 },
    );
  });
});
