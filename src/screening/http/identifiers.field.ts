import { alpha2Of } from '../matching/countries.js';
import { FAULTY, field } from '../../http/field-rule.js';
import { type Identifier, IDENTIFIER_TYPES, type IdentifierType } from '../screener.js';

const MOST = 10;
const LONGEST = 128;

const typeOf = (value: unknown): IdentifierType | undefined => IDENTIFIER_TYPES.find((type) => type === value);

const identifierOf = (value: unknown): Identifier | undefined => {
  if (typeof value !== 'object' || value === null) return undefined;
  const { type, number, country } = value as Readonly<Record<string, unknown>>;
  const known = typeOf(type);
  if (known === undefined || typeof number !== 'string' || number.length > LONGEST || !/[\p{L}\p{N}]/u.test(number)) {
    return undefined;
  }
  if (country === undefined || country === null) return { type: known, number };
  const code = typeof country === 'string' && /^[a-z]{2,3}$/i.test(country) ? alpha2Of(country) : undefined;
  return code === undefined ? undefined : { type: known, number, country: code };
};

/** Numbers that authorities gave: one that is listed is a match by itself. */
export const IdentifiersField = (): PropertyDecorator =>
  field(
    {
      code: 'INVALID_FIELD',
      detail: `A list of 1 to ${MOST} identifiers, each with a type (${IDENTIFIER_TYPES.join(', ')}), a number of at most ${LONGEST} characters and, optionally, an ISO 3166-1 country`,
      optional: true,
      read: (value) => {
        if (!Array.isArray(value) || value.length === 0 || value.length > MOST) return FAULTY;
        const read = value.map(identifierOf);
        return read.includes(undefined) ? FAULTY : read;
      },
    },
    {
      type: 'array',
      minItems: 1,
      maxItems: MOST,
      description: 'Numbers that authorities gave; a listed one is a match by itself',
      items: {
        type: 'object',
        required: ['type', 'number'],
        properties: {
          type: { type: 'string', enum: [...IDENTIFIER_TYPES] },
          number: { type: 'string', minLength: 1, maxLength: LONGEST },
          country: { type: 'string', pattern: '^[A-Za-z]{2,3}$' },
        },
      },
      example: [{ type: 'passport', number: 'A1234567', country: 'DE' }],
    },
  );
