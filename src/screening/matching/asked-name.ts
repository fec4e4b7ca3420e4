import { type Form, formOf, type NameToken, partsOf } from './normalise.js';
import { keysOf, keysOfPair } from './token-keys.js';

/** A word of a query, or two neighbours written as one, with the keys by which each list finds what resembles it. */
export interface AskedWord {
  readonly form: Form;
  readonly abjad: boolean;
  readonly keys: readonly number[];
}

/** A part of a query that is compared by itself. */
export interface AskedPart {
  readonly words: readonly AskedWord[];
  /** Each word and its next written as one; undefined where one is an initial, which stands for a word of its own. */
  readonly pairs: readonly (AskedWord | undefined)[];
}

/** What is looked for in each list, made once: a word that stands in two parts is one object. */
export const askedParts = (name: string): readonly AskedPart[] => {
  const known = new Map<string, AskedWord>();
  const wordOf = ({ text, abjad }: NameToken, kind: string, keys: (form: Form) => readonly number[]): AskedWord => {
    const id = `${kind}${abjad ? '*' : ''}${text}`;
    const form = formOf(text);
    const word = known.get(id) ?? { form, abjad, keys: keys(form) };
    known.set(id, word);
    return word;
  };
  return partsOf(name).map((tokens) => ({
    words: tokens.map((token) => wordOf(token, '', keysOf)),
    pairs: tokens.slice(1).map((next, index) => {
      const first = tokens[index] ?? next;
      return hasInitial(first, next) ? undefined : wordOf(joined(first, next), '+', keysOfPair);
    }),
  }));
};

export const hasInitial = (...tokens: readonly NameToken[]): boolean => tokens.some(({ text }) => text.length === 1);

/** Two neighbours written as one. */
export const joined = (first: NameToken, second: NameToken): NameToken => ({
  text: first.text + second.text,
  abjad: first.abjad || second.abjad,
});
