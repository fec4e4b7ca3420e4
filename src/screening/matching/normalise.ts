import anyAscii from 'any-ascii';

/** A word of a name in lower-case Latin letters and digits. */
export interface NameToken {
  readonly text: string;
  /** Written in a script without short vowels, so that only its consonants can be compared. */
  readonly abjad: boolean;
}

/** UTF-16 code units that are looked at; the interface takes 512 characters. */
const MAX_TEXT = 1_024;
const MAX_TOKENS = 16;
/** Longer names are several, or hide one: any four neighbours of theirs stand in a part together. */
const PART = 6;
const STEP = 3;
const MOST_WORDS = 100;
const MAX_TOKEN_LENGTH = 32;

const INVISIBLE = /[\p{Cf}\p{Cc}\p{Mn}\p{Me}\p{Cs}\p{Co}]/gu;
const APOSTROPHES = /['’‘‛`´ʼʻʹʾʿ‵′]/gu;
const SEPARATORS = /[^\p{L}\p{N}\p{Mc}]+/u;
const ABJAD = /[\u0590-\u08ff\ufb1d-\ufefc]/u;
/** The article, which Arabic writes together with the name. */
const ARABIC_ARTICLE = 'ال';

const readable = (word: string): string =>
  anyAscii(word)
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')
    .slice(0, MAX_TOKEN_LENGTH);

const abjadTokens = (word: string): NameToken[] => {
  const hasArticle = word.startsWith(ARABIC_ARTICLE) && word.length > 4;
  const text = readable(hasArticle ? word.slice(ARABIC_ARTICLE.length) : word);
  return [...(hasArticle ? [{ text: 'al', abjad: false }] : []), { text, abjad: true }];
};

const tokensIn = (word: string): NameToken[] =>
  ABJAD.test(word) ? abjadTokens(word) : [{ text: readable(word), abjad: false }];

const tokensAmong = (text: string, mostWords?: number): NameToken[] =>
  text
    .replace(INVISIBLE, '')
    .replace(APOSTROPHES, '')
    .split(SEPARATORS, mostWords)
    .filter((word) => word !== '')
    .flatMap(tokensIn)
    .filter(({ text }) => text !== '');

/** The words of a name in any script, in their order. Bounded, whatever the text. */
export const tokensOf = (name: string): readonly NameToken[] =>
  tokensAmong(name.slice(0, MAX_TEXT).normalize('NFKC').slice(0, MAX_TEXT), 4 * MAX_TOKENS).slice(0, MAX_TOKENS);

/** The words of a name in parts that are compared by themselves: one part, but for longer names than a check takes. */
export const partsOf = (name: string): readonly (readonly NameToken[])[] => {
  const beginning = tokensOf(name);
  if (beginning.length < MAX_TOKENS) return [beginning];
  const words = tokensAmong(name.slice(0, MAX_TEXT).normalize('NFKC'), MOST_WORDS).slice(0, MOST_WORDS);
  if (words.length === MAX_TOKENS) return [beginning];
  const parts = Array.from({ length: Math.ceil(words.length / STEP) }, (_, part) =>
    words.slice(part * STEP, part * STEP + PART),
  );
  return [beginning, ...parts];
};

/** Whether the whole name can be compared: otherwise "clear" would say nothing of it. */
export const isSearchable = (name: string): boolean => {
  const text = name.normalize('NFKC');
  if (name.length > MAX_TEXT || text.length > MAX_TEXT) return false;
  const words = tokensAmong(text).length;
  return words > 0 && words <= MAX_TOKENS;
};

/** Spellings of one sound by the ways of writing Cyrillic, Arabic and Greek in Latin letters. */
const SOUNDS: Readonly<Record<string, string>> = {
  tsch: 'ch',
  tch: 'ch',
  sch: 'sh',
  shch: 'sh',
  szcz: 'sh',
  cz: 'ch',
  sz: 'sh',
  dzh: 'j',
  dj: 'j',
  zh: 'j',
  ph: 'f',
  th: 't',
  dh: 'd',
  gh: 'g',
  kh: 'h',
  ck: 'k',
  ts: 'c',
  tz: 'c',
  ou: 'u',
  oo: 'u',
  oy: 'u',
  ee: 'i',
  ii: 'i',
  iy: 'i',
  yi: 'i',
  yy: 'i',
  ij: 'i',
  ei: 'ai',
  ey: 'ai',
  ay: 'ai',
  ae: 'a',
  oe: 'o',
  ue: 'u',
  ye: 'e',
  ie: 'e',
  aa: 'a',
  x: 'ks',
  q: 'k',
  w: 'v',
  y: 'i',
};
const SOUND = new RegExp(
  Object.keys(SOUNDS)
    .sort((a, b) => b.length - a.length)
    .join('|'),
  'g',
);

/** The form in which names are compared: one letter a sound, no doubled letters. */
export const foldedForm = (token: string): string =>
  token.replace(SOUND, (spelling) => SOUNDS[spelling] ?? spelling).replace(/(.)\1+/g, '$1');

/** A word as it is written, and as it sounds: a typing error may change either more. */
export interface Form {
  readonly written: string;
  readonly folded: string;
}

export const formOf = (text: string): Form => ({ written: text, folded: foldedForm(text) });

/** The consonants of a folded form, by which names from Arabic and Hebrew script are compared. */
export const skeletonOf = (folded: string): string =>
  folded
    .replace(/[aeiouv]/g, '')
    .replace(/p/g, 'b')
    .replace(/j/g, 'g')
    .replace(/h$/, '')
    .replace(/(.)\1+/g, '$1');
