import anyAscii from 'any-ascii';
import { FAULTY, field } from '../field-rule.js';

const LONGEST_NAME = 512;
/** Postgres cannot store NUL, and UTF-8 cannot encode half a surrogate pair. */
const UNSTORABLE = /[\0\p{Cs}]/u;
const LETTERS = /\p{L}/gu;

/** Whether a text has a letter that can be read: fillers are letters too, of which nothing is left. */
const hasReadableLetter = (text: string): boolean =>
  (text.normalize('NFKC').match(LETTERS) ?? []).some((letter) => /[a-z]/i.test(anyAscii(letter)));

/** Whether a value is a name: text of at most 512 characters with a letter that can be read. */
export const isName = (value: unknown): value is string =>
  typeof value === 'string' &&
  value.length <= 2 * LONGEST_NAME &&
  Array.from(value).length <= LONGEST_NAME &&
  !UNSTORABLE.test(value) &&
  hasReadableLetter(value);

/** A person's or a company's name, in any script. */
export const NameField = (options: { readonly optional?: boolean; readonly description: string }): PropertyDecorator =>
  field(
    {
      code: 'INVALID_FIELD',
      detail: `A name of at most ${LONGEST_NAME} characters, with at least one letter`,
      optional: options.optional ?? false,
      read: (value) => (isName(value) ? value : FAULTY),
    },
    { type: String, minLength: 1, maxLength: LONGEST_NAME, description: options.description },
  );
