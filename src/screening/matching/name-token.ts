/** A word of a name. */
export interface NameToken {
  /** In lower-case Latin letters and digits: the usual reading first. */
  readonly readings: readonly string[];
  /** Of a word in a script without short vowels: the consonants that it may have in Latin letters, folded. */
  readonly skeletons?: readonly string[];
}

/** The usual reading. */
export const textOf = ({ readings: [text = ''] }: NameToken): string => text;

export const isInitial = (token: NameToken): boolean => textOf(token).length === 1;

export const hasInitial = (...tokens: readonly NameToken[]): boolean => tokens.some(isInitial);

/** Readings of words written as one: more would only cost time. */
const MAX_JOINED_READINGS = 16;

/** Each word's first readings are its likeliest, so those that are likeliest together come first. */
const likeliest = (starts: readonly string[], ends: readonly string[]): readonly string[] =>
  starts
    .flatMap((start, one) => ends.map((end, other) => ({ text: start + end, place: one + other })))
    .sort((one, other) => one.place - other.place)
    .slice(0, MAX_JOINED_READINGS)
    .map(({ text }) => text);

const together = (parts: readonly (readonly string[])[]): readonly string[] =>
  parts.reduce<readonly string[]>((before, part) => likeliest(before, part), ['']);

/** Words written as one. */
export const joined = (...tokens: readonly NameToken[]): NameToken => {
  const readings = together(tokens.map((token) => token.readings));
  const skeletons = tokens.flatMap((token) => (token.skeletons === undefined ? [] : [token.skeletons]));
  if (skeletons.length < tokens.length) return { readings };
  return { readings, skeletons: together(skeletons).map((skeleton) => skeleton.replace(/(.)\1+/g, '$1')) };
};
