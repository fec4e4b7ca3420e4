import { doubleMetaphone } from 'double-metaphone';
import { hashOf } from './buckets.js';
import { type Form } from './sounds.js';
import { isAbjad, skeletonsOf, type Word } from './word.js';

/** The seed of keys of whole spellings. */
export const SPELLING = 1;
const CONSONANTS = 2;
const SOUND = 3;
const LETTERS = 4;

/** Two errors are looked for in words of this length; in shorter ones they would make another name. */
const LONG = 6;
const SHORT = 3;
/** Two errors are not looked for in longer words: their pairs of letters are too many. */
const LONGEST = 16;

export const spellingKey = (folded: string): number => hashOf(folded, SPELLING);

/** Words of the query in Latin letters have other keys: half of the list would share one consonant. */
const consonantKeys = (word: Word, isQuery: boolean): number[] => {
  const shortest = isQuery && !isAbjad(word) ? 2 : 1;
  return skeletonsOf(word)
    .filter((skeleton) => skeleton.length >= shortest)
    .map((skeleton) => hashOf(skeleton, CONSONANTS));
};

/** Two words that differ by one letter, or by two if both are long, share a spelling with letters left out. */
const spellingKeys = (folded: string): number[] => {
  const keys = [spellingKey(folded)];
  if (folded.length < SHORT) return keys;
  const both = folded.length >= LONG && folded.length <= LONGEST;
  for (let first = 0; first < folded.length; first += 1) {
    keys.push(hashOf(folded, SPELLING, first));
    for (let second = first + 1; both && second < folded.length; second += 1) {
      keys.push(hashOf(folded, SPELLING, first, second));
    }
  }
  return keys;
};

const soundKeys = (folded: string): number[] => {
  const codes = new Set(doubleMetaphone(folded).filter((code) => code.length > 1));
  return [...codes].map((code) => hashOf(code, SOUND));
};

/** Errors are looked for in the usual reading alone: the others would double what is kept of a list. */
const readingKeys = ({ written, folded }: Form, place: number): number[] =>
  place === 0
    ? [...spellingKeys(folded), ...spellingKeys(written), ...soundKeys(folded)]
    : [spellingKey(folded), spellingKey(written)];

/** Words that may be the same name share a key. Those without short vowels share their consonants or all of their letters. */
export const keysOf = (word: Word, isQuery: boolean): number[] => {
  const spelled = isAbjad(word)
    ? word.forms.map(({ written }) => hashOf(written, LETTERS))
    : word.forms.flatMap(readingKeys);
  return [...new Set([...consonantKeys(word, isQuery), ...spelled])];
};

const wholeKeys = (word: Word): number[] => (isAbjad(word) ? [] : word.forms.map(({ folded }) => spellingKey(folded)));

/** Of neighbours written as one: they are found by their whole spelling or consonants only. */
export const keysOfJoined = (word: Word, isQuery: boolean): number[] => [
  ...new Set([...consonantKeys(word, isQuery), ...wholeKeys(word)]),
];

/** Of other words written as one: there are many, so that they are found by their whole spelling alone. */
export const keysOfRearranged = (word: Word): number[] => [...new Set(wholeKeys(word))];
