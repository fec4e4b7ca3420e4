/** Signs and digits that are written for the letters that they look like. */
const SIGNS: Readonly<Record<string, readonly [string, string]>> = {
  $: ['s', 's'],
  '€': ['e', 'e'],
  '£': ['l', 'l'],
  '@': ['a', 'a'],
  '!': ['i', 'l'],
  '¡': ['i', 'l'],
  '|': ['i', 'l'],
  '0': ['o', 'o'],
  '1': ['i', 'l'],
  '3': ['e', 'e'],
  '4': ['a', 'a'],
  '5': ['s', 's'],
  '7': ['t', 't'],
};
const SIGN = /[$€£@!¡|013457]/gu;
const WORD = /[\p{L}\p{M}$€£@!¡|013457]+/gu;
const LATIN = /\p{Script=Latin}/u;

/** Letters that are turned upside down: no living language writes them in a name. */
const TURNED = /[ɐǝɟƃɥᴉɾʞɯɹʇʌʍʎ∀⅂Ⅎ⅁⅄⊥ᴚ]/u;
const UPRIGHT: Readonly<Record<string, string>> = Object.fromEntries(
  Array.from(
    'ɐaɔcǝeɟfƃgɓgɥhᴉiıiɾjʞkɯmɹrʇtʌvʍwʎy∀aƆcƎeℲf⅁g⅂lԀpᴚr⊥t∩uΛv⅄ybqqbdppdnuun'.matchAll(/(.)(.)/gu),
    ([, turned = '', upright = '']) => [turned, upright],
  ),
);

/** From an override of the direction to its end: a reader sees the letters in the other order. */
const OVERRIDDEN = /[\u202d\u202e]([^\u202a-\u202e]*)\u202c?/gu;

const backwards = (text: string): string => Array.from(text).reverse().join('');

const withLetters =
  (choice: 0 | 1) =>
  (text: string): string =>
    text.replace(WORD, (word) =>
      LATIN.test(word) ? word.replace(SIGN, (sign) => SIGNS[sign]?.[choice] ?? sign) : word,
    );

const upright = (text: string): string =>
  TURNED.test(text) ? Array.from(text, (letter) => UPRIGHT[letter] ?? letter).join('') : text;

const turnedBack = (text: string): string => (TURNED.test(text) ? backwards(upright(text)) : text);

const WAYS: readonly ((text: string) => string)[] = [
  (text) => text.replace(OVERRIDDEN, (_, part: string) => backwards(part)),
  turnedBack,
  upright,
  withLetters(0),
  withLetters(1),
];

/** The name as it is written, and each way in which a reader sees other letters than a program does. */
export const waysToRead = (name: string): readonly string[] =>
  WAYS.reduce<readonly string[]>((ways, way) => [...new Set([...ways, ...ways.map(way)])], [name]);
