import { digestOf, type ListedName, type ListEntry } from '../domain/list-entry.js';
import {
  type ListId,
  LISTS_OF,
  type ScreeningKind,
  type ScreeningMatch,
  type ScreeningOutcome,
  type ScreeningQuery,
} from '../domain/screening-list.js';
import {
  type Comparison,
  compareBirthDate,
  compareCountry,
  MOST_OF_BIRTH_DATE,
  MOST_OF_COUNTRY,
} from './birth-date.js';
import { type AskedPart, askedParts } from './asked-name.js';
import { alpha2Of } from './countries.js';
import { explainNames } from './explain.js';
import { NameIndex, type Rarity } from './name-index.js';

/** Changes with every change of the matching that can change a result. */
export const ENGINE_VERSION = '2';

/** Scores, 0–1, from which a match counts. */
export interface Thresholds {
  readonly potential: number;
  /** Of the names alone. */
  readonly confirmed: number;
}

export const MOST_MATCHES = 20;

const WEAK_ALIAS = 0.06;
/** A birth date tells that a person is asked for. */
const NOT_A_PERSON = 0.13;
/** The most that birth date and country add to a name's score. */
const mostAdded = ({ dateOfBirth, country }: ScreeningQuery): number =>
  (dateOfBirth === undefined ? 0 : MOST_OF_BIRTH_DATE) + (country === undefined ? 0 : MOST_OF_COUNTRY);

interface Place {
  readonly entry: ListEntry;
  readonly name: ListedName;
}

const round = (score: number): number => Math.round(Math.min(1, Math.max(0, score)) * 1_000) / 1_000;

/** One version of one list. It computes only: a worker holds it. */
export class ListEngine {
  private readonly names: NameIndex;
  private readonly places: readonly Place[];
  private readonly digests = new Map<string, string>();

  constructor(
    readonly list: ListId,
    readonly version: string,
    readonly entries: readonly ListEntry[],
    rarity?: Rarity,
  ) {
    this.places = entries.flatMap((entry) => entry.names.map((name) => ({ entry, name })));
    this.names = new NameIndex(
      this.places.map(({ name }) => name.text),
      rarity,
    );
  }

  /** The same list with these entries alone: they score as they do in the whole. */
  only(ids: ReadonlySet<string>): ListEngine {
    const entries = this.entries.filter(({ id }) => ids.has(id));
    return new ListEngine(this.list, this.version, entries, this.names.rarity);
  }

  /** Best first. The country is alpha-2. */
  search(query: ScreeningQuery, parts: readonly AskedPart[], thresholds: Thresholds): Found[] {
    const best = new Map<string, Resemblance>();
    for (const { name, score, lacking } of this.names.search(parts, thresholds.potential - mostAdded(query))) {
      const place = this.places[name];
      if (place === undefined) continue;
      const names = place.name.weak ? score - WEAK_ALIAS : score;
      const known = best.get(place.entry.id);
      if (known === undefined || names > known.names) best.set(place.entry.id, { place, names, lacking });
    }
    return [...best.values()]
      .map((resemblance) => ({ ...resemblance, ...compare(query, resemblance) }))
      .map((found) => ({ ...found, score: round(found.names + found.adjustment) }))
      .filter(({ score }) => score >= thresholds.potential)
      .sort((a, b) => b.score - a.score || (a.place.entry.id < b.place.entry.id ? -1 : 1))
      .slice(0, MOST_MATCHES);
  }

  present(query: ScreeningQuery, found: Found): ScreeningMatch {
    const { entry, name } = found.place;
    const { agrees, contradicts, score } = found;
    return {
      list: this.list,
      entryId: entry.id,
      entryDigest: this.digest(entry),
      name: entry.names[0]?.text ?? '',
      matchedName: name.text,
      score,
      nameScore: round(found.names),
      type: entry.type,
      programs: entry.programs,
      birthDates: entry.birthDates.map(({ text }) => text),
      countries: entry.countries,
      listedOn: entry.listedOn,
      reasons: reasonsOf(query, found),
      listVersion: this.version,
      agrees,
      contradicts,
      ...(entry.pep === undefined
        ? {}
        : { positions: entry.pep.positions, relatives: entry.pep.relatives, pepLevel: entry.pep.level }),
    };
  }

  private digest(entry: ListEntry): string {
    const known = this.digests.get(entry.id) ?? digestOf(entry);
    this.digests.set(entry.id, known);
    return known;
  }
}

interface Circumstances {
  readonly adjustment: number;
  readonly agrees: boolean;
  readonly contradicts: boolean;
  readonly reasons: readonly string[];
}

interface Resemblance {
  readonly place: Place;
  /** The score of the names. */
  readonly names: number;
  readonly lacking: number;
}

interface Found extends Circumstances, Resemblance {
  readonly score: number;
}

const person = (query: ScreeningQuery, { type }: ListEntry): Comparison =>
  query.dateOfBirth === undefined || type === 'individual'
    ? { verdict: 'neither', adjustment: 0 }
    : {
        verdict: 'contradicts',
        adjustment: -NOT_A_PERSON,
        reason: `A birth date is given, but the entry is of the type ${type}.`,
      };

const compare = (query: ScreeningQuery, { place: { entry }, lacking }: Resemblance): Circumstances => {
  const comparisons = [
    compareBirthDate(query.dateOfBirth, entry.type === 'individual' ? entry.birthDates : []),
    compareCountry(query.country, entry.countries),
    person(query, entry),
  ];
  const contradicts = comparisons.some(({ verdict }) => verdict === 'contradicts');
  return {
    adjustment: comparisons.reduce(
      (sum, { adjustment, whereLacking = 0 }) => sum + adjustment - whereLacking * lacking,
      0,
    ),
    agrees: !contradicts && comparisons.some(({ verdict }) => verdict === 'agrees'),
    contradicts,
    reasons: comparisons.flatMap(({ reason }) => (reason === undefined ? [] : [reason])),
  };
};

const reasonsOf = (query: ScreeningQuery, { place, names, reasons }: Found): string[] => {
  const { name, entry } = place;
  const [primary] = entry.names;
  const whole = names >= 0.995 ? 'The name is the listed' : 'The name resembles the listed';
  return [
    `${whole} “${name.text}” (${round(names).toFixed(2)}).`,
    ...explainNames(query.fullName, name.text),
    ...(name === primary ? [] : ['It is an alias of the entry.']),
    ...(name.weak ? ['The list calls this alias weak, which lowers the score.'] : []),
    ...reasons,
  ];
};

const statusOf = (matches: readonly ScreeningMatch[], { confirmed }: Thresholds): ScreeningOutcome['status'] => {
  if (matches.some(({ nameScore, agrees }) => nameScore >= confirmed && agrees)) return 'confirmed_match';
  return matches.length > 0 ? 'potential_match' : 'clear';
};

/** A query against lists. What a list finds depends on that list's version alone. */
export const screenAgainstLists = (
  engines: readonly ListEngine[],
  query: ScreeningQuery,
  thresholds: Thresholds,
): ScreeningOutcome => {
  const { country, ...rest } = query;
  const code = country === undefined ? undefined : alpha2Of(country);
  const asked: ScreeningQuery = code === undefined ? rest : { ...rest, country: code };
  const parts = askedParts(query.fullName);
  const matches = engines
    .flatMap((engine) => engine.search(asked, parts, thresholds).map((found) => ({ engine, found })))
    .sort((a, b) => b.found.score - a.found.score || b.found.names - a.found.names)
    .slice(0, MOST_MATCHES)
    .map(({ engine, found }) => engine.present(asked, found));
  return {
    status: statusOf(matches, thresholds),
    matches,
    versions: Object.fromEntries(engines.map(({ list, version }) => [list, version])),
    engineVersion: ENGINE_VERSION,
    thresholds,
  };
};

/** Those of the lists that the kind of check asks for. */
export const enginesFor = (kind: ScreeningKind, engines: ReadonlyMap<ListId, ListEngine>): ListEngine[] =>
  LISTS_OF[kind].flatMap((list) => engines.get(list) ?? []);
