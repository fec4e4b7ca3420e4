import { FIRST_CHARACTERS, GIVEN_NAMES, LAST_CHARACTERS, SURNAMES } from './japanese-names.js';

type Table = ReadonlyMap<string, readonly string[]>;

const tableOf = (text: string): Table =>
  new Map(
    text
      .split(/[;\n]/)
      .filter(Boolean)
      .map((entry) => {
        const [written = '', readings = ''] = entry.split(' ');
        return [written, readings.split('|')] as const;
      }),
  );

const once = <Value>(make: () => Value): (() => Value) => {
  let made: { readonly value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
};

/** Read when the first name asks for them. */
const tables = once(() => ({
  surnames: tableOf(SURNAMES),
  given: tableOf(GIVEN_NAMES),
  first: tableOf(FIRST_CHARACTERS),
  last: tableOf(LAST_CHARACTERS),
}));

export interface JapaneseName {
  readonly surname: readonly string[];
  readonly given: readonly string[];
}

const MAX_SURNAME = 3;
const MAX_READINGS = 6;

const givenReadings = (written: string): readonly string[] => {
  const { given, first, last } = tables();
  const [one = '', two = '', ...others] = Array.from(written);
  const composed =
    two === '' || others.length > 0
      ? []
      : (first.get(one) ?? []).flatMap((begin) => (last.get(two) ?? []).map((end) => begin + end));
  return [...new Set([...(given.get(written) ?? []), ...composed])].slice(0, MAX_READINGS);
};

/** Each way to read the word as a surname of Japan and a given name, in Hepburn without long vowels. Undefined where none is known. */
export const japaneseName = (word: string): JapaneseName | undefined => {
  const characters = Array.from(word);
  const ways = Array.from({ length: Math.min(MAX_SURNAME, characters.length - 1) }, (_, at) => at + 1).map(
    (length) => ({
      surname: tables().surnames.get(characters.slice(0, length).join('')) ?? [],
      given: givenReadings(characters.slice(length).join('')),
    }),
  );
  const known = ways.filter(({ surname, given }) => surname.length > 0 && given.length > 0);
  if (known.length === 0) return undefined;
  return {
    surname: [...new Set(known.flatMap(({ surname }) => surname))],
    given: [...new Set(known.flatMap(({ given }) => given))],
  };
};

const APART = /(?<!\p{Script=Han})(\p{Script=Han}{1,3})[\s・,、]+(\p{Script=Han}{1,3})(?!\p{Script=Han})/gu;

/** Surname and given name of Japan are often written apart, those of China as one word. */
export const joinJapanese = (name: string): string =>
  name.replace(APART, (apart: string, surname: string, given: string) =>
    tables().surnames.has(surname) && givenReadings(given).length > 0 ? surname + given : apart,
  );
