const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const [OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = [0x7b, 0x7d, 0x5b, 0x5d];

/** Values of a batch of 1,000 records with their free-form data; and how deep these may stand in it. */
const MAX_VALUES = 50_000;
const DEEPEST = 20;

/** The place of the quote that ends the text beginning at `from`; of a text that does not end, the end. */
const endOfText = (body: Buffer, from: number): number => {
  for (let end = body.indexOf(QUOTE, from + 1); end !== -1; end = body.indexOf(QUOTE, end + 1)) {
    let slashes = 0;
    while (body[end - 1 - slashes] === BACKSLASH) slashes += 1;
    if (slashes % 2 === 0) return end;
  }
  return body.length;
};

/**
 * How many names a text of JSON has, each as often as it stands there. Undefined where it has too many values to be parsed while
 * others wait. It costs a hundredth of the parsing.
 */
export const namesInBoundedJson = (body: Buffer): number | undefined => {
  let [depth, values, names] = [0, 0, 0];
  for (let at = 0; at < body.length; at += 1) {
    const byte = body[at];
    if (byte === QUOTE) at = endOfText(body, at);
    else if (byte === COMMA) values += 1;
    else if (byte === COLON) names += 1;
    else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) [depth, values] = [depth + 1, values + 1];
    else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) depth -= 1;
    if (depth > DEEPEST || values > MAX_VALUES) return undefined;
  }
  return names;
};

/** How many members a parsed value has. Fewer than names were written: one stands twice in an object. */
export const membersOf = (value: unknown): number => {
  if (typeof value !== 'object' || value === null) return 0;
  const within = Object.values(value);
  return within.reduce<number>((sum, one) => sum + membersOf(one), Array.isArray(value) ? 0 : within.length);
};
