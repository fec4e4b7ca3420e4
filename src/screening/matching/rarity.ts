import { COMMON_WORDS, ENTRIES } from './common-words.js';

const owners = new Map<string, number>();
for (const line of COMMON_WORDS.trim().split('\n')) {
  const [count = '', ...words] = line.trim().split(' ');
  for (const word of words) owners.set(word, Number(count));
}

const MOST = Math.log(ENTRIES + 2);
/** Entries that are taken to have a word which is not among the common ones. */
const FEW = 1;

/**
 * 0–1, how rare a word is in names, by its folded form. It is a fact of names and not of one list: so a list of five entries finds what
 * a large one does, and a part of a list what the whole does.
 */
export const rarityOf = (folded: string): number =>
  Math.max(0, Math.log((ENTRIES + 2) / ((owners.get(folded) ?? FEW) + 1)) / MOST);
