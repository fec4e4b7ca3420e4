import { FAULTY, field } from '../../http/field-rule.js';

const MOST = 10;
const MAX_NAME_LENGTH = 40;
const MAX_TEXT_LENGTH = 100;
/** Postgres cannot store NUL, and UTF-8 cannot encode half a surrogate pair. */
const UNSTORABLE = /[\0\p{Cs}]/u;

const fits = (text: unknown, longest: number): text is string =>
  typeof text === 'string' && text.length > 0 && text.length <= longest && !UNSTORABLE.test(text);

const isLabels = (value: unknown): value is Record<string, string> => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const entries = Object.entries(value);
  return (
    entries.length <= MOST &&
    entries.every(([name, text]) => fits(name, MAX_NAME_LENGTH) && fits(text, MAX_TEXT_LENGTH))
  );
};

/** The caller's own texts on something: they are given back as they came, and mean nothing to the service. */
export const LabelsField = (): PropertyDecorator =>
  field(
    {
      code: 'INVALID_FIELD',
      detail: `At most ${MOST} texts of 1 to ${MAX_TEXT_LENGTH} characters, by names of 1 to ${MAX_NAME_LENGTH}`,
      optional: true,
      read: (value) => (isLabels(value) ? value : FAULTY),
    },
    {
      type: 'object',
      additionalProperties: { type: 'string', minLength: 1, maxLength: MAX_TEXT_LENGTH },
      description: 'Your own texts about the purchase, kept encrypted and given back as they are',
      example: { order: '4711' },
    },
  );
