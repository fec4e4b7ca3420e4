import anyAscii from 'any-ascii';
import { type NameToken } from '../name-token.js';
import { foldedForm, skeletonOf } from '../sounds.js';
import { burmeseReadings, isBurmese } from './burmese.js';
import { arabicSkeletons, withoutArticle } from './arabic.js';
import { hangulOf, hanName, isHan } from './chinese.js';
import { isCantonese, mandarinOf } from './cantonese.js';
import { cyrillicReadings } from './cyrillic.js';
import { indicReading, isIndic } from './indic.js';
import { japaneseName } from './japanese.js';
import { isHangul, koreanName, koreanWord } from './korean.js';
import { anglicised, isContinental, writtenOut } from './latin.js';
import { isWadeGiles, pinyinOf } from './wade-giles.js';

const MAX_TOKEN_LENGTH = 32;

/** How the Latin letters of a whole name are to be read. */
export interface Spelling {
  /** As Germans, Swedes, Dutch, Czechs and Poles spell Russian names. */
  readonly continental: boolean;
  readonly wadeGiles: boolean;
  /** As in Hong Kong. */
  readonly cantonese: boolean;
}

export const spellingOf = (name: string): Spelling => ({
  continental: isContinental(name),
  wadeGiles: isWadeGiles(name),
  cantonese: isCantonese(name),
});
const ABJAD = /[\u0590-\u08ff\ufb1d-\ufefc]/u;
const ARABIC = /[\u0600-\u06ff\u0750-\u077f\u08a0-\u08ff\ufb50-\ufefc]/u;
const CYRILLIC = /\p{Script=Cyrillic}/u;
/** Longer ones are no person’s name. */
const MAX_NAME_LENGTH = 4;
const MAX_JAPANESE_NAME_LENGTH = 6;
/** Characters of a word of a company’s name. */
const WORD = 2;

const inLatin = (word: string): string =>
  anyAscii(word)
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')
    .slice(0, MAX_TOKEN_LENGTH);

const token = (...readings: readonly string[]): NameToken => ({
  readings: [...new Set(readings.map((reading) => reading.slice(0, MAX_TOKEN_LENGTH)))].filter((text) => text !== ''),
});

const abjadToken = (word: string): NameToken => {
  const text = inLatin(word);
  if (!ARABIC.test(word)) return { readings: [text], skeletons: [skeletonOf(foldedForm(text))] };
  const bare = withoutArticle(word);
  return {
    readings: [text],
    skeletons: [...(bare === undefined ? [] : arabicSkeletons(bare)), ...arabicSkeletons(word)],
  };
};

const inPieces = (word: string): string[] => {
  const characters = Array.from(word);
  return Array.from({ length: Math.ceil(characters.length / WORD) }, (_, piece) =>
    characters.slice(piece * WORD, (piece + 1) * WORD).join(''),
  );
};

const asOne = (ways: readonly (readonly string[])[]): string[] => ways.map((way) => way.join(''));

/** Titles that stand behind a Chinese or Korean name, without a space. */
const HONORIFICS = /(?<=..)(?:先生|女士|小姐|太太|夫人|博士|教授|将军|將軍|主席|部长|部長|同志|씨|님|선생|박사|장군)$/;

/** Surname and given name; a name of Koreans or Japanese may be written in Chinese characters. */
const hanTokens = (written: string): readonly NameToken[] => {
  const word = written.replace(HONORIFICS, '');
  const characters = Array.from(word);
  const japanese = characters.length > MAX_JAPANESE_NAME_LENGTH ? undefined : japaneseName(word);
  if (characters.length === 1 || characters.length > MAX_NAME_LENGTH) {
    if (japanese !== undefined) return [token(...japanese.surname), token(...japanese.given)];
    return inPieces(word).map((piece) => token(inLatin(piece)));
  }
  const { surname, given } = hanName(word, inLatin);
  const korean = characters.slice(1).map(hangulOf);
  const asKorean = korean.every((hangul) => hangul !== undefined) ? koreanName(`김${korean.join('')}`).given : [];
  return [
    token(...surname, ...(japanese?.surname ?? [])),
    token(...asOne(given), ...asOne(asKorean), ...(japanese?.given ?? [])),
  ];
};

const hangulTokens = (written: string): readonly NameToken[] => {
  const word = written.replace(HONORIFICS, '');
  if (word.length > MAX_NAME_LENGTH) return inPieces(word).map((piece) => token(...koreanWord(piece)));
  const { surname, given } = koreanName(word);
  return word.length === 1 ? [token(...surname, ...koreanWord(word))] : [token(...surname), token(...asOne(given))];
};

const latinToken = (word: string, { continental, wadeGiles, cantonese }: Spelling): NameToken => {
  const plain = inLatin(word);
  const marked = inLatin(writtenOut(word));
  return token(
    plain,
    marked,
    ...(continental ? [anglicised(marked)] : []),
    ...(wadeGiles ? pinyinOf(plain) : []),
    ...(cantonese ? mandarinOf(plain) : []),
  );
};

/** Letters that look like Latin ones: a word that has both is read as what it looks like, too. */
const LOOK_ALIKE: Readonly<Record<string, string>> = Object.fromEntries(
  Array.from(
    'аaеeоoрpсcуyхxіiѕsјjһhкkмmтtнhвbΑaΕeΟoΡpΧxΙiΚkΜmΤtΗhΒbοoαaνvρpυu'.matchAll(/(.)(.)/gu),
    ([, letter = '', latin = '']) => [letter, latin],
  ),
);
const LATIN = /\p{Script=Latin}/u;
const NOT_LATIN = /[\p{Script=Cyrillic}\p{Script=Greek}]/u;

const asItLooks = (word: string): string =>
  inLatin(Array.from(word, (letter) => LOOK_ALIKE[letter] ?? LOOK_ALIKE[letter.toLowerCase()] ?? letter).join(''));

/** Runs of one kind of script: a foreign letter hides none of its neighbours. */
const RUNS =
  /[\u0590-\u08ff\ufb1d-\ufefc]+|\p{Script=Han}+|[\uac00-\ud7a3]+|[\u0900-\u0dff]+|[\u1000-\u109f]+|[^\u0590-\u08ff\ufb1d-\ufefc\p{Script=Han}\uac00-\ud7a3\u0900-\u0dff\u1000-\u109f]+/gu;

/** A word of any script as Latin letters; of scripts that are written without spaces, its words. */
export const readingsOf = (word: string, spelling: Spelling): readonly NameToken[] =>
  (word.match(RUNS) ?? []).flatMap((run) => readingsOfRun(run, spelling));

const readingsOfRun = (word: string, spelling: Spelling): readonly NameToken[] => {
  if (ABJAD.test(word)) return [abjadToken(word)];
  if (isHan(word)) return hanTokens(word);
  if (isHangul(word)) return hangulTokens(word);
  if (isBurmese(word)) return burmeseReadings(word).map((readings) => token(...readings));
  if (isIndic(word)) return [token(indicReading(word), inLatin(word))];
  if (LATIN.test(word) && NOT_LATIN.test(word)) return [token(asItLooks(word), inLatin(word))];
  if (CYRILLIC.test(word)) return [token(...cyrillicReadings(word, inLatin))];
  return [latinToken(word, spelling)];
};
