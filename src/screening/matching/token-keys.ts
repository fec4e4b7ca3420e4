import { doubleMetaphone } from 'double-metaphone';
import { hashOf } from './buckets.js';
import { type Form, skeletonOf } from './normalise.js';

const SPELLING = 1;
const CONSONANTS = 2;
const SOUND = 3;

/** Two errors are looked for in words of this length; in shorter ones they would make another name. */
const LONG = 6;
const SHORT = 3;
/** Two errors are not looked for in longer words: their pairs of letters are too many. */
const LONGEST = 16;

export const spellingKey = (folded: string): number => hashOf(folded, SPELLING);

const consonantKeys = (folded: string): number[] => {
  const skeleton = skeletonOf(folded);
  return skeleton.length < 2 ? [] : [hashOf(skeleton, CONSONANTS)];
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

/** Words that may be the same name share a key. */
export const keysOf = ({ written, folded }: Form): number[] => [
  ...new Set([...spellingKeys(folded), ...spellingKeys(written), ...consonantKeys(folded), ...soundKeys(folded)]),
];

/** Of two words written as one: they are found by their whole spelling or consonants only. */
export const keysOfPair = ({ folded }: Form): number[] => [spellingKey(folded), ...consonantKeys(folded)];
