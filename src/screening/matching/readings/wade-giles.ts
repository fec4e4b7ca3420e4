import { wadeGiles } from './chinese.js';

/** The syllables of Pinyin, by initial. */
const PINYIN = `
  : a ai an ang ao e ei en eng er o ou wa wai wan wang wei wen weng wo wu ya yan yang yao ye yi yin ying yong you yu yuan yue yun
  | b: a ai an ang ao ei en eng i ian iao ie in ing o u | p: a ai an ang ao ei en eng i ian iao ie in ing o ou u
  | m: a ai an ang ao e ei en eng i ian iao ie in ing iu o ou u | f: a an ang ei en eng o ou u
  | d: a ai an ang ao e ei eng i ian iao ie ing iu ong ou u uan ui un uo | t: a ai an ang ao e eng i ian iao ie ing ong ou u uan ui un uo
  | n: a ai an ang ao e ei en eng i ian iang iao ie in ing iu ong ou u uan uo | l: a ai an ang ao e ei eng i ian iang iao ie in ing iu ong ou u uan un uo
  | g: a ai an ang ao e ei en eng ong ou u ua uai uan uang ui un uo | k: a ai an ang ao e en eng ong ou u ua uai uan uang ui un uo
  | h: a ai an ang ao e ei en eng ong ou u ua uai uan uang ui un uo | j: i ia ian iang iao ie in ing iong iu u uan ue un
  | q: i ia ian iang iao ie in ing iong iu u uan ue un | x: i ia ian iang iao ie in ing iong iu u uan ue un
  | zh: a ai an ang ao e en eng i ong ou u ua uai uan uang ui un uo | ch: a ai an ang ao e en eng i ong ou u uai uan uang ui un uo
  | sh: a ai an ang ao e ei en eng i ou u ua uai uan uang ui un uo | r: an ang ao e en eng i ong ou u uan ui un uo
  | z: a ai an ang ao e ei en eng i ong ou u uan ui un uo | c: a ai an ang ao e en eng i ong ou u uan ui un uo | s: a ai an ang ao e en eng i ong ou u uan ui un uo
`;

const pinyin = new Set(
  PINYIN.split('|').flatMap((group) => {
    const [initial = '', finals = ''] = group.split(':');
    return finals
      .trim()
      .split(/\s+/)
      .map((final) => initial.trim() + final);
  }),
);

export const isPinyin = (word: string): boolean => pinyin.has(word);

/** The syllables of Pinyin that each of Wade-Giles may be; without its marks p is b or p. */
const syllables = new Map<string, string[]>();
for (const syllable of pinyin) {
  const written = wadeGiles(syllable);
  syllables.set(written, [...(syllables.get(written) ?? []), syllable]);
}

/** Syllables of one word. */
const MOST = 3;
const MAX_SYLLABLE_LENGTH = 6;
const MAX_READINGS = 6;

/** Each way to cut the word into syllables of Wade-Giles, in Pinyin. */
const cut = (word: string, left = MOST): string[] => {
  if (word === '') return [''];
  if (left === 0) return [];
  return Array.from({ length: Math.min(MAX_SYLLABLE_LENGTH, word.length) }, (_, at) => at + 1).flatMap((length) => {
    const meant = syllables.get(word.slice(0, length)) ?? [];
    return meant.length === 0
      ? []
      : cut(word.slice(length), left - 1).flatMap((rest) => meant.map((syllable) => syllable + rest));
  });
};

/** A word of a name that is written in Wade-Giles, in Pinyin. */
export const pinyinOf = (word: string): readonly string[] => [...new Set(cut(word))].slice(0, MAX_READINGS);

/** Endings and beginnings that Pinyin does not have. */
const TELLING = /^hs|(?:ung|ueh|ieh|ien|uei)$|^(?:tzu|ssu|jih|chih|shih|erh|kuo)$/;

/** Whether a name is written so: each word can be, and one cannot be Pinyin. */
export const isWadeGiles = (name: string): boolean => {
  const words = name.toLowerCase().match(/[a-zü]+/g) ?? [];
  const isOfLatin = !/[^\p{ASCII}ü]/u.test(name);
  return (
    isOfLatin &&
    words.length > 1 &&
    words.some((word) => TELLING.test(word) && !pinyin.has(word)) &&
    words.every((word) => pinyinOf(word.replaceAll('ü', 'u')).length > 0)
  );
};
