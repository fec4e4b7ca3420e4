import { type ListEntry } from '../domain/list-entry.js';
import {
  type EntityType,
  type EntryType,
  type Evidence,
  type Identifier,
  type ScreeningQuery,
} from '../domain/screening-list.js';
import { compareBirthDate } from './birth-date.js';
import { type DateClass, type Fact } from './evidence.js';
import { sharedIdentifier } from './identifiers.js';
import { WEIGHTS } from './weights.js';

/** What a query and an entry say beside their names. */
export interface Facts {
  readonly facts: readonly Fact[];
  readonly dateClass: DateClass;
  readonly identifier: Identifier | undefined;
  readonly contradicts: boolean;
  /** The birth date is another one. */
  readonly isDated: boolean;
  /** What a compliance officer reads of what counts for a match, and against. */
  readonly evidence: readonly Evidence[];
  readonly against: readonly string[];
}

interface Comparison {
  readonly fact: Fact;
  readonly part: Evidence['part'];
  readonly reason: string;
  /** What counts against the person. */
  readonly against?: boolean;
}

const TYPE_OF: Readonly<Record<EntryType, EntityType>> = {
  individual: 'person',
  entity: 'organisation',
  vessel: 'vessel',
  aircraft: 'aircraft',
};

const country = ({ country: queryValue }: ScreeningQuery, { countries }: ListEntry): Comparison | undefined => {
  if (queryValue === undefined || countries.length === 0) return undefined;
  return countries.includes(queryValue)
    ? { fact: 'country_agrees', part: 'country', reason: `Country ${queryValue} is a listed one.` }
    : {
        fact: 'country_differs',
        part: 'country',
        reason: `Country ${queryValue} differs from the listed ${countries.join(', ')}.`,
        against: true,
      };
};

const type = (
  { entityType, dateOfBirth, datePolicy }: ScreeningQuery,
  { type: listed }: ListEntry,
): Comparison | undefined => {
  const isPerson = dateOfBirth !== undefined && datePolicy !== 'strict';
  const queryValue = entityType ?? (isPerson ? 'person' : undefined);
  // Two of the lists know persons and everything else.
  if (queryValue === undefined || queryValue === TYPE_OF[listed] || (listed === 'entity' && queryValue !== 'person'))
    return undefined;
  const reason =
    entityType === undefined
      ? `A birth date is given, but the entry is of the type ${listed}.`
      : `The type ${entityType} is asked for, but the entry is of the type ${listed}.`;
  return { fact: 'type_differs', part: 'type', reason, against: true };
};

const gender = ({ gender: queryValue }: ScreeningQuery, { genders = [] }: ListEntry): Comparison | undefined =>
  queryValue === undefined || genders.length === 0 || genders.includes(queryValue)
    ? undefined
    : {
        fact: 'gender_differs',
        part: 'gender',
        reason: `Gender ${queryValue} differs from the listed ${genders.join(', ')}.`,
        against: true,
      };

const wordsOf = (address: string): ReadonlySet<string> =>
  new Set(
    address
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]{2,}/gu),
  );

/** Two addresses that share their words but for a few are taken for the same. */
const SHARED = 0.75;
const FEWEST = 3;

const address = ({ address: queryValue }: ScreeningQuery, { addresses = [] }: ListEntry): Comparison | undefined => {
  if (queryValue === undefined) return undefined;
  const ours = wordsOf(queryValue);
  const same = addresses.find((listed) => {
    const theirs = wordsOf(listed);
    const shared = [...ours].filter((word) => theirs.has(word)).length;
    return shared >= FEWEST && shared >= SHARED * Math.min(ours.size, theirs.size);
  });
  return same === undefined
    ? undefined
    : { fact: 'address_agrees', part: 'address', reason: `The address resembles the listed “${same}”.` };
};

/** They say little either way. */
const UNCERTAIN: ReadonlySet<DateClass> = new Set(['none_listed', 'slip', 'january']);

const agreeing = (part: Evidence['part'], sentence: string): Evidence => ({ part, verdict: 'agrees', sentence });

/** Country codes are alpha-2. */
export const compareFacts = (query: ScreeningQuery, entry: ListEntry): Facts => {
  const isPerson = entry.type === 'individual';
  const date = isPerson
    ? compareBirthDate(query.dateOfBirth, entry.birthDates, entry.unreadDates)
    : compareBirthDate(undefined, []);
  const others = [country, type, gender, address].flatMap((compare) => compare(query, entry) ?? []);
  const identifier = sharedIdentifier(query, entry);
  const isDated = date.dateClass === 'contradicts' || date.dateClass === 'near';
  // What lowers the score may clear a person, and is then the reason.
  const lowers = WEIGHTS[date.dateClass] < WEIGHTS.not_asked;
  const counts = query.datePolicy !== 'strict' || !lowers;
  const dateAgainst = lowers && counts;
  const verdictOfDate = isDated ? 'contradicts' : UNCERTAIN.has(date.dateClass) ? 'neither' : 'agrees';
  return {
    facts: [counts ? date.dateClass : 'not_asked', ...others.map(({ fact }) => fact)],
    dateClass: date.dateClass,
    identifier,
    isDated: isDated && counts,
    contradicts: date.dateClass === 'contradicts' || others.some(({ against }) => against),
    evidence: [
      ...(identifier === undefined
        ? []
        : [agreeing('identifier', `The ${identifier.type} ${identifier.number} is a listed one.`)]),
      ...(date.reason === undefined
        ? []
        : [{ part: 'birth_date', verdict: verdictOfDate, sentence: date.reason } as const]),
      ...others.map(({ part, reason, against }): Evidence => {
        return against === true ? { part, verdict: 'contradicts', sentence: reason } : agreeing(part, reason);
      }),
    ],
    against: [
      ...(dateAgainst && date.reason !== undefined ? [date.reason] : []),
      ...others.filter(({ against }) => against).map(({ reason }) => reason),
    ],
  };
};
