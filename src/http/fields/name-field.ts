import anyAscii from 'any-ascii';
import { FAULTY, field } from '../field-rule.js';

const MAX_NAME_LENGTH = 512;
/** Postgres cannot store NUL, and UTF-8 cannot encode half a surrogate pair. */
const UNSTORABLE = /[\0\p{Cs}]/u;
const LETTERS = /\p{L}/gu;

/** Whether a text has a letter that can be read: fillers are letters too, of which nothing is left. */
const hasReadableLetter = (text: string): boolean =>
  (text.normalize('NFKC').match(LETTERS) ?? []).some((letter) => /[a-z]/i.test(anyAscii(letter)));

/** Whether a value is a name: text of at most 512 characters with a letter that can be read. */
export const isName = (value: unknown): value is string =>
  typeof value === 'string' &&
  value.length <= 2 * MAX_NAME_LENGTH &&
  Array.from(value).length <= MAX_NAME_LENGTH &&
  !UNSTORABLE.test(value) &&
  hasReadableLetter(value);

/** A person's or a company's name, in any script. */
export const NameField = (options: { readonly optional?: boolean; readonly description: string }): PropertyDecorator =>
  field(
    {
      code: 'INVALID_FIELD',
      detail: `A name of at most ${MAX_NAME_LENGTH} characters, with at least one letter`,
      optional: options.optional ?? false,
      read: (value) => (isName(value) ? value : FAULTY),
    },
    { type: String, minLength: 1, maxLength: MAX_NAME_LENGTH, description: options.description },
  );
