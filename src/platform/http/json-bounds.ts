const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const [OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = [0x7b, 0x7d, 0x5b, 0x5d];

/** Values of a batch of 1,000 records with their free-form data; and how deep these may stand in it. */
const MOST_VALUES = 50_000;
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

/** Whether a text of JSON has few enough values to be parsed while others wait. It costs a hundredth of the parsing. */
export const isBoundedJson = (body: Buffer): boolean => {
  let [depth, values] = [0, 0];
  for (let at = 0; at < body.length; at += 1) {
    const byte = body[at];
    if (byte === QUOTE) at = endOfText(body, at);
    else if (byte === COMMA) values += 1;
    else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) [depth, values] = [depth + 1, values + 1];
    else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) depth -= 1;
    if (depth > DEEPEST || values > MOST_VALUES) return false;
  }
  return true;
};
