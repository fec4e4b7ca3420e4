import fc from 'fast-check';

/** Any bytes that may stand in a header's value. */
const headerText = (maxLength: number): fc.Arbitrary<string> =>
  fc
    .array(
      fc.oneof({ weight: 6, arbitrary: fc.integer({ min: 0x21, max: 0x7e }) }, fc.integer({ min: 0x80, max: 0xff })),
      {
        maxLength,
      },
    )
    .map((codes) => String.fromCharCode(...codes));

const WORDS = [
  '',
  '0',
  '-1',
  'null',
  '[]',
  '{}',
  '__proto__',
  'constructor',
  'toString',
  '*',
  ',',
  ';',
  '=',
  '"',
  '\\',
  '%00',
  '%',
  '%zz',
  '%ff',
  '..',
  'NaN',
  '1e999',
  '9007199254740993',
  '99999999999999999999999999999999',
  'é',
  'ÿ',
  '\u00ad',
] as const;

const word = fc.constantFrom(...WORDS);

/** The text with a piece of it cut out, doubled or replaced: what comes close gets furthest. */
const spoilt = (text: string): fc.Arbitrary<string> =>
  fc
    .tuple(fc.nat(text.length), fc.nat(8), fc.oneof(word, headerText(4)), fc.constantFrom('cut', 'put', 'double'))
    .map(([at, length, other, how]) => {
      const [before, piece, after] = [text.slice(0, at), text.slice(at, at + length), text.slice(at + length)];
      return before + (how === 'cut' ? '' : how === 'put' ? other : piece + piece) + after;
    });

const long = fc
  .tuple(fc.oneof(word, headerText(3)), fc.integer({ min: 50, max: 3_000 }))
  .map(([text, times]) => (text === '' ? 'x' : text).repeat(times).slice(0, 6_000));

const base64url = fc
  .oneof(
    fc.json(),
    fc.constantFrom(
      '{"alg":"EdDSA"}',
      '{"alg":{}}',
      '{"alg":"EdDSA","crit":["b64"],"b64":false}',
      '{"kid":[]}',
      'null',
    ),
    headerText(20),
  )
  .map((text) => Buffer.from(text).toString('base64url'));

const dotted = fc.array(fc.oneof(base64url, word), { minLength: 1, maxLength: 6 }).map((parts) => parts.join('.'));

/** Names and values as signatures, ranges and lists of them have. */
const pairs = (names: readonly string[]): fc.Arbitrary<string> =>
  fc
    .array(
      fc
        .tuple(fc.constantFrom(...names), fc.constantFrom('=', '', '==', ' = '), fc.oneof(word, headerText(6), long))
        .map((parts) => parts.join('')),
      { maxLength: 5 },
    )
    .chain((list) => fc.constantFrom(',', ';', ', ', ' ').map((between) => list.join(between)));

/** Values for a place in which one of `good` would be right. */
export const nastyValue = (good: readonly string[], names: readonly string[] = ['t', 'v1', 'v0', 'q', 'for']) =>
  fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom(...(good.length === 0 ? [''] : good)).chain(spoilt) },
    { weight: 2, arbitrary: pairs(names) },
    { weight: 2, arbitrary: dotted },
    { weight: 1, arbitrary: word },
    { weight: 1, arbitrary: headerText(60) },
    { weight: 1, arbitrary: long },
  );

/** The same values in every run. */
export const nastyValues = (good: readonly string[], count: number, names?: readonly string[]): readonly string[] =>
  fc.sample(nastyValue(good, names), { numRuns: count, seed: 34 }).map((value) => value.replaceAll(/[\r\n\0]/g, ''));
