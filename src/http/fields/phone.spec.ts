import fc from 'fast-check';
import { getCountries, getCountryCallingCode, parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { faultOfPhone, isPossiblePhone } from './phone.js';

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

describe('what is wrong with a phone number', () => {
  it.each([
    ['0123456789', /begins with \+ and the country code/],
    ['+1 202 555 0123', /digits only/],
    ['+999123456', /No country code in use/],
    ['+120255501', /8 digits after \+1 has an impossible length for \+1/],
    ['+1202555012345', /impossible length for \+1$/],
    ['+4402079460000', /leave out what is dialled before it within \+44/],
  ])('is told of %s', (text, expectedFault) => expect(faultOfPhone(text)).toMatch(expectedFault));

  it('names no more of it than its country code', () =>
    fc.assert(
      fc.property(fc.constantFrom(...codes), digits(13), (code, national) => {
        const text = `+${code}${national}`;
        if (national.length > 3) expect(faultOfPhone(text)).not.toContain(national);
      }),
      { numRuns: 500 },
    ));
});
