import { type ListEntry } from '../../src/screening/domain/list-entry.js';
import { textOf } from '../../src/screening/matching/name-token.js';
import { tokensOf } from '../../src/screening/matching/normalise.js';
import { pick, type Random } from './perturbations.js';

export interface InventedPerson {
  readonly fullName: string;
  readonly dateOfBirth: string;
}

export const primaryOf = (entry: ListEntry): string => entry.names[0]?.text ?? '';

const words = (entry: ListEntry): string[] => primaryOf(entry).split(/\s+/);

const inAnyOrder = (name: string): string => tokensOf(name).map(textOf).sort().join(' ');

const MIN_OF_AN_ORIGIN = 20;

/** First, middle and last names of three persons of the same origin, with the birth date of a fourth; none that is listed. */
export const inventedPeople = (entries: readonly ListEntry[], count: number, random: Random): InventedPerson[] => {
  const people = entries.filter(
    (entry) => entry.type === 'individual' && entry.birthDates.length > 0 && tokensOf(primaryOf(entry)).length >= 2,
  );
  const origins = new Map<string, ListEntry[]>();
  for (const person of people) {
    const origin = person.countries[0] ?? person.programs[0] ?? '';
    const group = origins.get(origin);
    if (group === undefined) origins.set(origin, [person]);
    else group.push(person);
  }
  const groups = [...origins.values()].filter((group) => group.length >= MIN_OF_AN_ORIGIN);
  const listed = new Set(entries.flatMap(({ names }) => names.map(({ text }) => inAnyOrder(text))));
  const invented: InventedPerson[] = [];
  while (invented.length < count) {
    const group = origins.get(pick(people, random).countries[0] ?? '') ?? pick(groups, random);
    const [given, middle, family, born] = [group, group, group, group].map((from) => pick(from, random));
    if (given === undefined || middle === undefined || family === undefined || born === undefined) continue;
    if (new Set([given, middle, family, born]).size < 4) continue;
    const fullName = [words(given)[0], ...words(middle).slice(1, -1), words(family).at(-1)].join(' ');
    const [date] = born.birthDates;
    if (date !== undefined && !listed.has(inAnyOrder(fullName))) invented.push({ fullName, dateOfBirth: date.from });
  }
  return invented;
};
