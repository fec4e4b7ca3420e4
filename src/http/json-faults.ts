import jsonParser from 'jsonc-parser';

const { visit, ParseErrorCode } = jsonParser;

const EXPECTED: Readonly<Record<number, string>> = {
  [ParseErrorCode.InvalidSymbol]: 'what stands there is no JSON value or name; names and texts take double quotes',
  [ParseErrorCode.InvalidNumberFormat]: 'the number is not written as JSON writes it',
  [ParseErrorCode.PropertyNameExpected]: 'a name in double quotes is expected',
  [ParseErrorCode.ValueExpected]: 'a value is expected',
  [ParseErrorCode.ColonExpected]: 'a colon is expected',
  [ParseErrorCode.CommaExpected]: 'a comma is expected',
  [ParseErrorCode.CloseBraceExpected]: 'a closing brace is expected',
  [ParseErrorCode.CloseBracketExpected]: 'a closing bracket is expected',
  [ParseErrorCode.EndOfFileExpected]: 'the end of the body is expected',
  [ParseErrorCode.InvalidCommentToken]: 'JSON has no comments',
  [ParseErrorCode.UnexpectedEndOfString]: 'the text that begins there has no closing quote on its line',
  [ParseErrorCode.UnexpectedEndOfNumber]: 'the number that begins there is cut short',
  [ParseErrorCode.InvalidUnicode]: 'the text that begins there has a faulty \\u escape',
  [ParseErrorCode.InvalidEscapeCharacter]: 'the text that begins there has an escape that JSON does not know',
  [ParseErrorCode.InvalidCharacter]: 'the text that begins there holds a control character; escape it',
};

class FirstFault extends Error {
  constructor(readonly detail: string) {
    super(detail);
  }
}

/** Characters of a doubled name that the error shows. */
const MAX_NAME_LENGTH = 64;

/** The first name that stands twice in one object, however it is spelt, as JSON. */
export const doubledName = (text: string): string | undefined => {
  const objects: Set<string>[] = [];
  let doubled: string | undefined;
  visit(text, {
    onObjectBegin: () => void objects.push(new Set()),
    onObjectProperty: (name) => {
      const names = objects.at(-1);
      if (names?.has(name) === true) doubled ??= name;
      names?.add(name);
    },
    onObjectEnd: () => void objects.pop(),
  });
  return doubled === undefined ? undefined : JSON.stringify(doubled.slice(0, MAX_NAME_LENGTH));
};

/** Where a text stops being JSON and what is expected there; undefined if that is unknown. It never quotes the text. */
export const faultInJson = (text: string): string | undefined => {
  try {
    visit(
      text,
      {
        onError: (code, _offset, _length, line, column) => {
          const expected = EXPECTED[code];
          throw new FirstFault(
            `line ${line + 1}, column ${column + 1}${expected === undefined ? '' : `: ${expected}`}`,
          );
        },
      },
      { disallowComments: true, allowTrailingComma: false },
    );
  } catch (fault) {
    if (fault instanceof FirstFault) return fault.detail;
    // Nesting that the visitor does not bear. The body is refused without a position.
    if (!(fault instanceof RangeError)) throw fault;
  }
  return undefined;
};
