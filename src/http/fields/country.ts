import countries from 'i18n-iso-countries/index.js';
import { FAULTY, field } from '../field-rule.js';

/** The alpha-2 code of an ISO 3166-1 alpha-2 or alpha-3 code, in any case. Undefined if no country has it. */
const alpha2Of = (text: string): string | undefined => {
  const code = text.toUpperCase();
  if (code.length === 3) return countries.alpha3ToAlpha2(code);
  return countries.alpha2ToAlpha3(code) === undefined ? undefined : code;
};

/** A country by its ISO 3166-1 alpha-2 or alpha-3 code; the value is the alpha-2 code. */
export const CountryField = (): PropertyDecorator =>
  field(
    {
      code: 'INVALID_FIELD',
      detail: 'A country code, ISO 3166-1 alpha-2 or alpha-3',
      optional: true,
      read: (value) => (typeof value === 'string' ? (alpha2Of(value) ?? FAULTY) : FAULTY),
    },
    { type: String, pattern: '^[A-Za-z]{2,3}$', example: 'DE' },
  );
