/** Signs and digits that are written for the letters that they look like: two ways to read each. */
const SIGNS = new Map(
  Array.from(
    '$ss€ee£ll¢cc¥yy@aa!il¡il|il0oo1il2zz3ee4aa5ss6bg7tt8bb9gg'.matchAll(/(.)(.)(.)/gu),
    ([, sign = '', first = '', second = '']): [string, readonly [string, string]] => [sign, [first, second]],
  ),
);
const SIGN = /[$€£¢¥@!¡|\d]/gu;
const WORD = /[\p{L}\p{M}$€£¢¥@!¡|\d]+/gu;
const LATIN = /\p{Script=Latin}/u;

/** Letters that are turned upside down, of which hardly a name is written. */
const TURNED = /[ɐǝɟƃɥᴉɾʞɯɹʇʌʍʎ∀⅂Ⅎ⅁⅄⊥ᴚ]/u;
const UPRIGHT = new Map(
  Array.from(
    'ɐaɔcǝeɟfƃgɓgɥhᴉiıiɾjʞkɯmɹrʇtʌvʍwʎy∀aƆcƎeℲf⅁g⅂lԀpᴚr⊥t∩uΛv⅄ybqqbdppdnuun'.matchAll(/(.)(.)/gu),
    ([, turned = '', letter = '']): [string, string] => [turned, letter],
  ),
);

/** From an override of the direction to its end, embeddings within it included: a reader sees the letters in the other order. */
const OVERRIDDEN = /[\u202d\u202e]((?:[^\u202a-\u202e]|[\u202a\u202b][^\u202a-\u202e]*\u202c)*)\u202c?/gu;
const INVISIBLE = /\p{Cf}/gu;

const backwards = (text: string): string => Array.from(text).reverse().join('');

/** As it looks: without what cannot be seen, in the order in which it is read. */
const shown = (name: string): string =>
  name
    .replace(OVERRIDDEN, (_, part: string) => backwards(part))
    .normalize('NFKC')
    .replace(INVISIBLE, '');

/** Each way in which letters that are upside down may be meant: the whole turned round, or each letter. */
const turnings = (text: string): readonly string[] => {
  if (!TURNED.test(text)) return [text];
  const upright = Array.from(text, (letter) => UPRIGHT.get(letter) ?? letter).join('');
  return [text, backwards(upright), upright];
};

const withLetters = (text: string, choice: 0 | 1): string =>
  text.replace(WORD, (word) =>
    LATIN.test(word) ? word.replace(SIGN, (sign) => SIGNS.get(sign)?.[choice] ?? sign) : word,
  );

/** The name as it is written, and each way in which a reader sees other letters than a program does: ten at most. */
export const waysToRead = (name: string): readonly string[] => {
  const read = turnings(shown(name)).flatMap((text) => [text, withLetters(text, 0), withLetters(text, 1)]);
  const plain = name.normalize('NFKC').replace(INVISIBLE, '');
  return [name, ...new Set(read.filter((text) => text !== plain))];
};
