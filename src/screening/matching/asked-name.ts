import { hasInitial, joined, type NameToken } from './name-token.js';
import { partsOf } from './normalise.js';
import { keysOf, keysOfJoined, keysOfRearranged } from './token-keys.js';
import { type Word, wordOf } from './word.js';

/** A word of a query, or several written as one, with the keys by which each list finds what resembles it. */
export interface AskedWord {
  readonly word: Word;
  readonly keys: readonly number[];
}

/** Words of a query written as one. */
export interface AskedJoin {
  readonly word: AskedWord;
  /** Its words, by bit. */
  readonly mask: number;
}

/** A part of a query that is compared by itself. */
export interface AskedPart {
  readonly words: readonly AskedWord[];
  readonly joins: readonly AskedJoin[];
}

/** Words that are joined in any order; of more, neighbours alone. */
const MOST_JOINED_FREELY = 4;

/** Words of a query of which any three neighbours are joined. */
const MOST_TRIPLES = 8;

const bit = (place: number): number => 1 << place;

const placesJoined = (count: number): readonly (readonly number[])[] => {
  const places = Array.from({ length: count }, (_, place) => place);
  const pairs = places.flatMap((first) => places.filter((second) => second !== first).map((second) => [first, second]));
  const triples = places.slice(2, MOST_TRIPLES).map((last) => [last - 2, last - 1, last]);
  return [
    ...pairs.filter(([first = 0, second = 0]) => count <= MOST_JOINED_FREELY || second === first + 1),
    ...triples,
    ...(count > 3 ? [places] : []),
  ];
};

/** What is looked for in each list, made once: a word that stands in two parts is one object. */
export const askedParts = (name: string): readonly AskedPart[] => {
  const known = new Map<string, AskedWord>();
  const askedWord = (
    token: NameToken,
    kind: string,
    keys: (word: Word, isAsked: boolean) => readonly number[],
  ): AskedWord => {
    const id = `${kind}${token.readings.join('/')} ${token.skeletons?.join('/') ?? ''}`;
    const found = known.get(id);
    if (found !== undefined) return found;
    const word = wordOf(token);
    const asked: AskedWord = { word, keys: keys(word, true) };
    known.set(id, asked);
    return asked;
  };
  return partsOf(name).map((tokens) => ({
    words: tokens.map((token) => askedWord(token, '', keysOf)),
    joins: placesJoined(tokens.length).flatMap((places): AskedJoin[] => {
      const together = places.flatMap((place) => tokens[place] ?? []);
      if (hasInitial(...together)) return [];
      const mask = places.reduce((sum, place) => sum | bit(place), 0);
      const [first = 0, second = 0, ...more] = places;
      const word =
        second === first + 1 && more.length === 0
          ? askedWord(joined(...together), '+', keysOfJoined)
          : askedWord(joined(...together), '~', keysOfRearranged);
      return [{ word, mask }];
    }),
  }));
};
