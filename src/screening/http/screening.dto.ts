import { PartialBirthDateField } from '../../http/fields/birth-date.js';
import { CountryField } from '../../http/fields/country.js';
import { FAULTY, field } from '../../http/field-rule.js';
import { type Clock } from '../../kernel/clock.js';
import { type FieldFault, HttpFailure } from '../../http/failure.js';
import { validate } from '../../http/validate.js';
import { EnumField, TextField } from '../../http/fields.js';
import { isName } from '../../http/fields/name-field.js';
import { isSearchable, MAX_TOGETHER, MAX_ASKED } from '../matching/normalise.js';
import {
  ENTITY_TYPES,
  type EntityType,
  type Gender,
  GENDERS,
  type Identifier,
  LIST_ID,
  type ScreeningQuery,
} from '../screener.js';
import { IdentifiersField } from './identifiers.field.js';

const MAX_ALIASES = 10;

const isAskable = (value: unknown): value is string => isName(value) && isSearchable(value);
/** A long one is compared in many parts, so that ten of them would take seconds. */
const isAlias = (value: unknown): boolean => isName(value) && isSearchable(value, MAX_TOGETHER);

/** A name that is searched as a whole. */
const SearchedNameField = (): PropertyDecorator =>
  field(
    {
      code: 'INVALID_FIELD',
      detail: `A name of 1 to ${MAX_ASKED} words with at least one letter, 512 characters at most`,
      optional: false,
      read: (value) => (isAskable(value) ? value : FAULTY),
    },
    { type: String, minLength: 1, maxLength: 512, description: 'Full name, in any script' },
  );

const AliasesField = (): PropertyDecorator =>
  field(
    {
      code: 'INVALID_FIELD',
      detail: `A list of 1 to ${MAX_ALIASES} names, each of 1 to ${MAX_TOGETHER} words with at least one letter`,
      optional: true,
      read: (value) =>
        Array.isArray(value) && value.length > 0 && value.length <= MAX_ALIASES && value.every(isAlias)
          ? value
          : FAULTY,
    },
    {
      type: 'array',
      items: { type: 'string', minLength: 1, maxLength: 512 },
      minItems: 1,
      maxItems: MAX_ALIASES,
      description: 'Other names of the same person or thing',
      example: ['Mia Example'],
    },
  );

const MAX_LISTS = 50;

const ListsField = (): PropertyDecorator =>
  field(
    {
      code: 'INVALID_FIELD',
      detail: `A list of 1 to ${MAX_LISTS} ids of lists, such as UK_SANCTIONS`,
      optional: true,
      read: (value) =>
        Array.isArray(value) &&
        value.length > 0 &&
        value.length <= MAX_LISTS &&
        value.every((id) => typeof id === 'string' && LIST_ID.test(id))
          ? value
          : FAULTY,
    },
    {
      type: 'array',
      items: { type: 'string', pattern: LIST_ID.source },
      minItems: 1,
      maxItems: MAX_LISTS,
      description:
        'Lists to screen against, beside those that every check has; default all in force. `GET /api/v1/compliance/lists` names them',
      example: ['UK_SANCTIONS'],
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

  @EnumField(ENTITY_TYPES, { optional: true, description: 'What is asked for; a birth date says that it is a person' })
  entity_type?: EntityType;

  @EnumField(GENDERS, { optional: true })
  gender?: Gender;

  @IdentifiersField()
  identifiers?: readonly Identifier[];

  @TextField({ optional: true, description: 'Address, in any form' })
  address?: string;

  @ListsField()
  lists?: readonly string[];
}

export const MAX_QUERIES = 100;

/** Each query is validated by itself, so that its faults have a place. */
export class ScreeningBatchBody {
  @field(
    {
      code: 'INVALID_FIELD',
      detail: `A list of 1 to ${MAX_QUERIES} queries`,
      optional: false,
      items: ScreeningBody,
      read: (value) => (Array.isArray(value) && value.length > 0 && value.length <= MAX_QUERIES ? value : FAULTY),
    },
    { type: [ScreeningBody], minItems: 1, maxItems: MAX_QUERIES },
  )
  queries!: unknown[];
}

const given = <Key extends string, Value>(key: Key, value: Value | undefined): { [each in Key]?: Value } =>
  (value === undefined ? {} : { [key]: value }) as { [each in Key]?: Value };

/** Bytes of a query as JSON: the decision keeps it, with what was found. */
const MAX_QUERY = 4_000;

/** Throws a 422 where the names, identifiers and address together are too long to be kept. */
export const toQuery = (body: ScreeningBody): ScreeningQuery => {
  const query = queryOf(body);
  if (Buffer.byteLength(JSON.stringify(query)) <= MAX_QUERY) return query;
  const detail = `All members together take at most ${MAX_QUERY} bytes: give fewer aliases or identifiers`;
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
  ...given('lists', body.lists),
});

const NOT_AN_OBJECT: FieldFault = { field: '', code: 'INVALID_FIELD', detail: 'The query must be a JSON object' };

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const faultAt = (index: number, { field: name, ...fault }: FieldFault): FieldFault => ({
  ...fault,
  field: name === '' ? `queries[${index}]` : `queries[${index}].${name}`,
});

/** All queries of a batch. Throws a 422 that names every fault of each, since nothing is charged then. */
export const toQueries = ({ queries }: ScreeningBatchBody, clock: Pick<Clock, 'now'>): ScreeningQuery[] => {
  const judged = queries.map((raw) =>
    isObject(raw) ? validate(ScreeningBody, raw, clock) : { faults: [NOT_AN_OBJECT] },
  );
  const faults = judged.flatMap(({ faults: found = [] }, index) => found.map((fault) => faultAt(index, fault)));
  const [first] = faults;
  if (first !== undefined) {
    const isMissing = faults.some(({ code }) => code === 'MISSING_FIELD');
    const code = isMissing ? 'MISSING_FIELD' : first.code;
    throw new HttpFailure(isMissing ? 400 : 422, code, `${first.field}: ${first.detail}`, {
      errors: faults,
      beforeOperation: true,
    });
  }
  return judged.flatMap((one) => ('value' in one ? [toQuery(one.value)] : []));
};
