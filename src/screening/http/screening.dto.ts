import { PartialBirthDateField } from '../../platform/http/birth-date.js';
import { CountryField } from '../../platform/http/country.js';
import { FAULTY, field } from '../../platform/http/field-rule.js';
import { HttpFailure } from '../../platform/http/failure.js';
import { EnumField, TextField } from '../../platform/http/fields.js';
import { isName } from '../../platform/http/name-field.js';
import { isSearchable } from '../matching/normalise.js';
import {
  ASKED_TYPES,
  type AskedType,
  type Gender,
  GENDERS,
  type Identifier,
  type ScreeningQuery,
} from '../screener.js';
import { IdentifiersField } from './identifiers.field.js';

const MOST_ALIASES = 10;

const isAskable = (value: unknown): value is string => isName(value) && isSearchable(value);

/** A name that is searched as a whole. */
const SearchedNameField = (): PropertyDecorator =>
  field(
    {
      code: 'INVALID_FIELD',
      detail: 'A name of 1 to 16 words with at least one letter, 512 characters at most',
      optional: false,
      read: (value) => (isAskable(value) ? value : FAULTY),
    },
    { type: String, minLength: 1, maxLength: 512, description: 'Full name, in any script' },
  );

const AliasesField = (): PropertyDecorator =>
  field(
    {
      code: 'INVALID_FIELD',
      detail: `A list of 1 to ${MOST_ALIASES} names, each of 1 to 16 words with at least one letter`,
      optional: true,
      read: (value) =>
        Array.isArray(value) && value.length > 0 && value.length <= MOST_ALIASES && value.every(isAskable)
          ? value
          : FAULTY,
    },
    {
      type: 'array',
      items: { type: 'string', minLength: 1, maxLength: 512 },
      minItems: 1,
      maxItems: MOST_ALIASES,
      description: 'Other names of the same person or thing',
      example: ['Mia Example'],
    },
  );

export class ScreeningBody {
  @SearchedNameField()
  full_name!: string;

  @PartialBirthDateField()
  date_of_birth?: string;

  @CountryField()
  country?: string;

  @AliasesField()
  aliases?: readonly string[];

  @EnumField(ASKED_TYPES, { optional: true, description: 'What is asked for; a birth date says that it is a person' })
  entity_type?: AskedType;

  @EnumField(GENDERS, { optional: true })
  gender?: Gender;

  @IdentifiersField()
  identifiers?: readonly Identifier[];

  @TextField({ optional: true, description: 'Address, in any form' })
  address?: string;
}

export class DismissBody {
  @TextField({ description: 'Why the match is another person; kept encrypted' })
  reason!: string;
}

const given = <Key extends string, Value>(key: Key, value: Value | undefined): { [each in Key]?: Value } =>
  (value === undefined ? {} : { [key]: value }) as { [each in Key]?: Value };

/** Bytes of a query as JSON: the decision keeps it, with what was found. */
const LARGEST_QUERY = 4_000;

/** Throws a 422 where the names, identifiers and address together are too long to be kept. */
export const toQuery = (body: ScreeningBody): ScreeningQuery => {
  const query = queryOf(body);
  if (Buffer.byteLength(JSON.stringify(query)) <= LARGEST_QUERY) return query;
  const detail = `All members together take at most ${LARGEST_QUERY} bytes: give fewer aliases or identifiers`;
  throw new HttpFailure(422, 'INVALID_FIELD', detail, {
    errors: [{ field: 'aliases', code: 'INVALID_FIELD', detail }],
    beforeOperation: true,
  });
};

const queryOf = (body: ScreeningBody): ScreeningQuery => ({
  fullName: body.full_name,
  ...given('dateOfBirth', body.date_of_birth),
  ...given('country', body.country),
  ...given('aliases', body.aliases),
  ...given('entityType', body.entity_type),
  ...given('gender', body.gender),
  ...given('identifiers', body.identifiers),
  ...given('address', body.address),
});
