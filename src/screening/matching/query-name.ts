import { hasInitial, joined, type NameToken } from './name-token.js';
import { MAX_TOGETHER, partsOf } from './normalise.js';
import { keysOf, keysOfJoined, keysOfRearranged } from './token-keys.js';
import { type Word, wordOf } from './word.js';

/** A word of a query, or several written as one, with the keys by which each list finds what resembles it. */
export interface KeyedWord {
  readonly word: Word;
  readonly keys: readonly number[];
}

/** Words of a query written as one. */
export interface JoinedQueryWord {
  readonly word: KeyedWord;
  /** Its words, by bit. */
  readonly mask: number;
}

/** A part of a query that is compared by itself. Of a long name the last part has all words, of which each listed name has few. */
export interface QueryPart {
  readonly words: readonly KeyedWord[];
  readonly joins: readonly JoinedQueryWord[];
}

/** Words that are joined in any order; of more, neighbours alone. */
const MAX_JOINED_FREELY = 4;

/** Words of a query of which any three neighbours are joined. */
const MAX_TRIPLES = 8;

const bit = (place: number): number => 1 << place;

const placesJoined = (count: number): readonly (readonly number[])[] => {
  const places = Array.from({ length: count }, (_, place) => place);
  const pairs = places.flatMap((first) => places.filter((second) => second !== first).map((second) => [first, second]));
  const triples = places.slice(2, MAX_TRIPLES).map((last) => [last - 2, last - 1, last]);
  return [
    ...pairs.filter(([first = 0, second = 0]) => count <= MAX_JOINED_FREELY || second === first + 1),
    ...triples,
    ...(count > 3 ? [places] : []),
  ];
};

/** What is looked for in each list, made once: a word that stands in two parts is one object. */
export const queryParts = (name: string): readonly QueryPart[] => {
  const known = new Map<string, KeyedWord>();
  const keyedWord = (
    token: NameToken,
    kind: string,
    keys: (word: Word, isQuery: boolean) => readonly number[],
  ): KeyedWord => {
    const id = `${kind}${token.readings.join('/')} ${token.skeletons?.join('/') ?? ''}`;
    const found = known.get(id);
    if (found !== undefined) return found;
    const word = wordOf(token);
    const keyed: KeyedWord = { word, keys: keys(word, true) };
    known.set(id, keyed);
    return keyed;
  };
  return partsOf(name).map((tokens) => ({
    words: tokens.map((token) => keyedWord(token, '', keysOf)),
    joins: (tokens.length > MAX_TOGETHER ? [] : placesJoined(tokens.length)).flatMap((places): JoinedQueryWord[] => {
      const together = places.flatMap((place) => tokens[place] ?? []);
      if (hasInitial(...together)) return [];
      const mask = places.reduce((sum, place) => sum | bit(place), 0);
      const [first = 0, second = 0, ...more] = places;
      const word =
        second === first + 1 && more.length === 0
          ? keyedWord(joined(...together), '+', keysOfJoined)
          : keyedWord(joined(...together), '~', keysOfRearranged);
      return [{ word, mask }];
    }),
  }));
};
