const VOWEL = 1;
const A = 'a'.charCodeAt(0);

/** Consonants that ways of writing exchange for each other share a bit. */
const KINDS: readonly string[] = ['aeiou', 'kgch', 'dt', 'bpv', 'szc', 'vf', 'mn', 'jgi'];

const kinds = new Uint16Array(128);
KINDS.forEach((letters, kind) => {
  for (const letter of letters) {
    const code = letter.charCodeAt(0);
    kinds[code] = (kinds[code] ?? 0) | (1 << kind);
  }
});

const kindOf = (code: number): number => kinds[code] ?? 0;

const ALIKE_VOWELS = 0.4;
const ALIKE_CONSONANTS = 0.6;
const VOWEL_LEFT_OUT = 0.5;
const H_LEFT_OUT = 0.5;
const OTHER = 1;

const substitution = (a: number, b: number): number => {
  if (a === b) return 0;
  const shared = kindOf(a) & kindOf(b);
  if ((shared & VOWEL) !== 0) return ALIKE_VOWELS;
  return shared === 0 ? OTHER : ALIKE_CONSONANTS;
};

const omission = (code: number): number => {
  if ((kindOf(code) & VOWEL) !== 0) return VOWEL_LEFT_OUT;
  return code === A + 7 ? H_LEFT_OUT : OTHER;
};

/** Folded forms are at most twice as long as the 32 letters of a token. */
const WIDTH = 66;
const rows = [new Float32Array(WIDTH), new Float32Array(WIDTH), new Float32Array(WIDTH)] as const;

/**
 * Weighted edit distance with transpositions; letters that transliterations exchange cost less. Infinity where it is more than
 * `most`.
 */
const distance = (a: string, b: string, most: number): number => {
  let [twoBack, previous, current] = rows;
  previous[0] = 0;
  for (let j = 1; j <= b.length; j += 1) previous[j] = (previous[j - 1] ?? 0) + omission(b.charCodeAt(j - 1));
  let leastBefore = 0;
  for (let i = 1; i <= a.length; i += 1) {
    const letter = a.charCodeAt(i - 1);
    const left = omission(letter);
    current[0] = (previous[0] ?? 0) + left;
    let least = current[0];
    for (let j = 1; j <= b.length; j += 1) {
      const other = b.charCodeAt(j - 1);
      let cost = Math.min(
        (previous[j - 1] ?? 0) + substitution(letter, other),
        (previous[j] ?? 0) + left,
        (current[j - 1] ?? 0) + omission(other),
      );
      if (i > 1 && j > 1 && letter === b.charCodeAt(j - 2) && a.charCodeAt(i - 2) === other) {
        cost = Math.min(cost, (twoBack[j - 2] ?? 0) + OTHER);
      }
      current[j] = cost;
      if (cost < least) least = cost;
    }
    // A transposition goes on from the row before the last.
    if (least > most && leastBefore > most) return Infinity;
    leastBefore = least;
    [twoBack, previous, current] = [previous, current, twoBack];
  }
  return previous[b.length] ?? 0;
};

/** How much of a letter's cost counts: a typing error in a name of six letters leaves 0.87. */
const WEIGHT_OF_LETTER = 0.8;

/** 0–1, of two folded forms; 0 where it is less than `least`. */
export const similarityOf = (a: string, b: string, least: number): number => {
  if (a === b) return 1;
  const longer = Math.max(a.length, b.length);
  const most = ((1 - least) * longer) / WEIGHT_OF_LETTER;
  if (Math.min(VOWEL_LEFT_OUT, H_LEFT_OUT) * (2 * longer - a.length - b.length) > most) return 0;
  const similarity = 1 - (WEIGHT_OF_LETTER * distance(a, b, most)) / longer;
  return similarity >= least ? similarity : 0;
};
