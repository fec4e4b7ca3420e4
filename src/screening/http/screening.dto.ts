import { BirthDateField } from '../../platform/http/birth-date.js';
import { CountryField } from '../../platform/http/country.js';
import { FAULTY, field } from '../../platform/http/field-rule.js';
import { TextField } from '../../platform/http/fields.js';
import { isSearchable } from '../matching/normalise.js';
import { type ScreeningQuery } from '../screener.js';

const isText = (value: unknown): value is string =>
  typeof value === 'string' && Array.from(value).length <= 512 && !/[\0\p{Cs}]/u.test(value);

/** A name that is searched as a whole. */
const NameField = (): PropertyDecorator =>
  field(
    {
      code: 'INVALID_FIELD',
      detail: 'A name of 1 to 16 words in letters or digits, 512 characters at most',
      optional: false,
      read: (value) => (isText(value) && isSearchable(value) ? value : FAULTY),
    },
    { type: String, minLength: 1, maxLength: 512, description: 'Full name, in any script' },
  );

export class ScreeningBody {
  @NameField()
  full_name!: string;

  @BirthDateField()
  date_of_birth?: string;

  @CountryField()
  country?: string;
}

export class DismissBody {
  @TextField({ description: 'Why the match is another person; kept encrypted' })
  reason!: string;
}

export const toQuery = ({ full_name: fullName, date_of_birth: born, country }: ScreeningBody): ScreeningQuery => ({
  fullName,
  ...(born === undefined ? {} : { dateOfBirth: born }),
  ...(country === undefined ? {} : { country }),
});
