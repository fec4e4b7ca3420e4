import { createHash } from 'node:crypto';
import {
  type EntryType,
  type Gender,
  type Identifier,
  type ListDelta,
  type PepLevel,
  type Position,
  type Relative,
} from './screening-list.js';

/** A name of an entry. The list itself may call an alias weak: broad, or hardly telling. */
export interface ListedName {
  readonly text: string;
  readonly weak: boolean;
}

/** A day, or a period that holds the birth date. */
export interface BirthDate {
  /** As a reader would say it: `1952-10-07`, `1962`, `circa 1960`, `1960 to 1965`. */
  readonly text: string;
  /** First and last day, YYYY-MM-DD. */
  readonly from: string;
  readonly to: string;
}

/** What every list is read to. */
export interface ListEntry {
  readonly id: string;
  readonly type: EntryType;
  /** The primary name first; at least one. */
  readonly names: readonly ListedName[];
  readonly birthDates: readonly BirthDate[];
  /** ISO 3166-1 alpha-2: nationality, citizenship, birth. */
  readonly countries: readonly string[];
  readonly genders?: readonly Gender[];
  readonly identifiers?: readonly Identifier[];
  readonly addresses?: readonly string[];
  /** Dates that the reader does not understand, as the publisher writes them: they never count against a person. */
  readonly unreadDates?: readonly string[];
  readonly programs: readonly string[];
  /** YYYY-MM-DD. */
  readonly listedOn: string | null;
  readonly pep?: {
    readonly level: PepLevel;
    readonly positions: readonly Position[];
    readonly relatives: readonly Relative[];
  };
}

const plain = (text: string): string => text.normalize('NFKC').replace(/\s+/g, ' ').trim().toLowerCase();

const asSet = (texts: readonly string[]): string[] => [...new Set(texts)].sort();

const nameOf = ({ text, weak }: ListedName): string => `${weak ? 'weak' : 'strong'} ${plain(text)}`;

/** The text of what an entry says: order, case, spacing and repetition do not count. */
const substanceOf = (entry: ListEntry): string =>
  JSON.stringify([
    entry.type,
    asSet(entry.names.map(nameOf)),
    asSet(entry.birthDates.map(({ text, from, to }) => `${plain(text)} ${from} ${to}`)),
    asSet(entry.countries),
    asSet(entry.genders ?? []),
    asSet((entry.identifiers ?? []).map(({ type, number, country }) => [type, number, country ?? ''].join('\t'))),
    asSet((entry.addresses ?? []).map(plain)),
    asSet(entry.unreadDates ?? []),
    asSet(entry.programs.map(plain)),
    entry.listedOn,
    entry.pep?.level ?? null,
    asSet(
      (entry.pep?.positions ?? []).map(({ title, country, level, from, to }) =>
        [plain(title), country ?? '', level, from ?? '', to ?? ''].join('\t'),
      ),
    ),
    asSet(
      (entry.pep?.relatives ?? []).map(({ name, relationship, pepLevel }) =>
        [plain(name), plain(relationship), pepLevel].join('\t'),
      ),
    ),
  ]);

/** SHA-256 of what an entry says, hexadecimal. Cosmetic differences do not change it. */
export const digestOf = (entry: ListEntry): string => createHash('sha256').update(substanceOf(entry)).digest('hex');

export type Digests = ReadonlyMap<string, string>;

export const digestsOf = (entries: readonly ListEntry[]): Digests =>
  new Map(entries.map((entry) => [entry.id, digestOf(entry)]));

/** What really differs between two versions of a list. */
export const deltaBetween = (before: Digests, after: Digests): ListDelta => ({
  added: [...after.keys()].filter((id) => !before.has(id)),
  removed: [...before.keys()].filter((id) => !after.has(id)),
  changed: [...after].filter(([id, digest]) => before.has(id) && before.get(id) !== digest).map(([id]) => id),
});
