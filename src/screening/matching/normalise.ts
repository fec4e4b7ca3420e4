import { shortLegalForms } from './company-forms.js';
import { type NameToken, textOf } from './name-token.js';
import { joinJapanese } from './readings/japanese.js';
import { readingsOf, spellingOf } from './readings/readings.js';

/** UTF-16 code units that are looked at; the API takes 512 characters. */
const MAX_TEXT = 1_024;
/** Words that are aligned with a listed name at once. */
export const MAX_TOGETHER = 16;
/** Longer names are several, or hide one: any four neighbours of theirs are in one part. */
const PART = 6;
const STEP = 3;
/** Words of a name that is ingested which are compared, and of one that is asked for: no listed name has more. */
const MAX_WORDS = 100;
export const MAX_ASKED = 40;

/** Vowels of the scripts of India, Thailand and Burma are marks too: they are read. */
const INVISIBLE =
  /[\p{Cf}\p{Cc}\p{Me}\p{Cs}\p{Co}\u0640]|(?![\u0900-\u109f\u1780-\u17ff])\p{Mn}|(?<![\u0900-\u109f\u1780-\u17ff])[\u0900-\u109f\u1780-\u17ff](?<=\p{Mn})/gu;
const APOSTROPHES = /['’‘‛`´ʼʻʹʾʿ‵′]/gu;
const SEPARATORS = /[^\p{L}\p{N}\p{M}]+/u;
/** `I.B.M.` is one word. Two letters may be a person's initials. */
const INITIALISM = /(?<![\p{L}\p{N}])(?:\p{L}\.){2,}\p{L}\.?(?![\p{L}\p{N}])/gu;

/** Words of which nothing is left do not count, so that none of them can hide another. */
const tokensAmong = (text: string): readonly NameToken[] => {
  const plain = joinJapanese(text)
    .replace(INVISIBLE, '')
    .replace(APOSTROPHES, '')
    .replace(INITIALISM, (letters) => letters.replaceAll('.', ''));
  const spelling = spellingOf(plain);
  const tokens = plain
    .split(SEPARATORS)
    .filter((word) => word !== '')
    .flatMap((word) => readingsOf(word, spelling))
    .filter((token) => textOf(token) !== '');
  return shortLegalForms(tokens);
};

/** The words of a name in any script, in their order. Bounded, whatever the text. */
export const tokensOf = (name: string): readonly NameToken[] =>
  tokensAmong(name.slice(0, MAX_TEXT).normalize('NFKC').slice(0, MAX_TEXT)).slice(0, MAX_TOGETHER);

/** A word that is repeated says nothing more, and would only take the place of others. */
const distinct = (tokens: readonly NameToken[]): readonly NameToken[] => {
  const seen = new Set<string>();
  return tokens.filter((token) => {
    const isNew = !seen.has(textOf(token));
    seen.add(textOf(token));
    return isNew;
  });
};

/** The words of a name in parts that are compared by themselves: one part, but for longer names. */
export const partsOf = (name: string): readonly (readonly NameToken[])[] => {
  const all = tokensAmong(name.slice(0, MAX_TEXT).normalize('NFKC').slice(0, MAX_TEXT));
  const beginning = all.slice(0, MAX_TOGETHER);
  if (all.length <= MAX_TOGETHER) return [beginning];
  const words = distinct(all).slice(0, MAX_WORDS);
  if (words.length <= MAX_TOGETHER) return [beginning, words];
  const parts = Array.from({ length: Math.ceil(words.length / STEP) }, (_, part) =>
    words.slice(part * STEP, part * STEP + PART),
  );
  return [beginning, ...parts, words];
};

const LETTER = /[a-z]/;

/** Whether a word of the name has a letter that can be read. */
export const isReadable = (name: string): boolean => tokensOf(name).some((token) => LETTER.test(textOf(token)));

/** Whether the whole name can be compared, in parts where it is long: otherwise "clear" would say nothing of it. */
export const isSearchable = (name: string, mostWords = MAX_ASKED): boolean => {
  const text = name.normalize('NFKC');
  if (name.length > MAX_TEXT || text.length > MAX_TEXT || !isReadable(name)) return false;
  return distinct(tokensAmong(text)).length <= mostWords;
};
