import anyAscii from 'any-ascii';
import { cantoneseCharacters, pinyinOfSurname } from './chinese.js';
import { isPinyin } from './wade-giles.js';

/** The syllables of Pinyin that each spelling of Hong Kong may be, those of most characters first. */
const meanings = new Map<string, readonly string[]>();

const counted = new Map<string, Map<string, number>>();
for (const [character, spellings] of cantoneseCharacters) {
  const readings = new Set([...pinyinOfSurname(character), anyAscii(character).toLowerCase()]);
  for (const spelling of spellings) {
    const counts = counted.get(spelling) ?? new Map<string, number>();
    for (const reading of readings) counts.set(reading, (counts.get(reading) ?? 0) + 1);
    counted.set(spelling, counts);
  }
}
for (const [spelling, counts] of counted) {
  const byCount = [...counts].sort(([, one], [, other]) => other - one);
  meanings.set(
    spelling,
    byCount.map(([reading]) => reading),
  );
}

const MAX_SYLLABLES = 2;
const MAX_LENGTH = 6;
/** Readings of one syllable in a word of two. */
const MAX_OF_A_SYLLABLE = 4;
const MAX_READINGS = 12;

const cut = (word: string, left = MAX_SYLLABLES): string[] => {
  const whole = meanings.get(word) ?? [];
  if (left === 1) return [...whole];
  const inTwo = Array.from({ length: Math.min(MAX_LENGTH, word.length - 1) }, (_, at) => at + 1).flatMap((length) => {
    const rest = cut(word.slice(length), left - 1).slice(0, MAX_OF_A_SYLLABLE);
    return (meanings.get(word.slice(0, length)) ?? [])
      .slice(0, MAX_OF_A_SYLLABLE)
      .flatMap((syllable) => rest.map((next) => syllable + next));
  });
  return [...whole, ...inTwo];
};

/** A word of a name that is spelt as in Hong Kong, in Pinyin. */
export const mandarinOf = (word: string): readonly string[] => [...new Set(cut(word))].slice(0, MAX_READINGS);

/** Beginnings and endings that neither Pinyin nor Wade-Giles has. */
const TELLING = /^(?:kw|ts[^uz]|ng)|(?:eu(?:ng|k|n)|oo|oi|uen|[aeiou][kpt])$/;

/** Whether a name is spelt so: each word can be, and one can be nothing else. */
export const isCantonese = (name: string): boolean => {
  const words = name.toLowerCase().match(/[a-z]+/g) ?? [];
  return (
    words.length > 1 &&
    !/[^\p{ASCII}]/u.test(name) &&
    words.some((word) => TELLING.test(word) && !isPinyin(word)) &&
    words.every((word) => mandarinOf(word).length > 0)
  );
};
