import { digestOf, type ListedName, type ListEntry } from '../domain/list-entry.js';
import { gravest, statusOf } from '../domain/judgement.js';
import {
  type ClearedEntry,
  type Evidence,
  type Identifier,
  type ListId,
  type ScreeningMatch,
  type ScreeningOutcome,
  type ScreeningQuery,
} from '../domain/screening-list.js';
import { type QueryPart, queryParts } from './query-name.js';
import { alpha2Of } from './countries.js';
import { waysToRead } from './disguises.js';
import { DATE_CLASSES } from './evidence.js';
import { explainNames } from './explain.js';
import { compareFacts, type Facts } from './facts.js';
import { identifierKey, sharedIdentifier } from './identifiers.js';
import { logitOfFacts, logitOfScore, scoreOfLogit } from './model.js';
import { NameIndex, type NameHit } from './name-index.js';
import { WEIGHTS } from './weights.js';

/** Changes with every change of the matching that can change a result. */
export const ENGINE_VERSION = '4';

/** Scores, 0–1, from which a match counts. */
export interface Thresholds {
  readonly potential: number;
  /** Of the names alone. */
  readonly confirmed: number;
}

const MAX_CLEARED = 20;

/**
 * A whole name that says so much, alone or among other words, is a match whatever the birth date: date and further words are what the
 * subject claims.
 */
const MIN_DISTINCTIVENESS = 0.45;
/** So many words that agree count, however common each is. */
const MIN_DISTINCTIVE_WORDS = 3;

/** The most that facts say for a match. */
const mostOfFacts = ({ dateOfBirth, country, address }: ScreeningQuery): number =>
  (dateOfBirth === undefined ? WEIGHTS.not_asked : Math.max(...DATE_CLASSES.map((each) => WEIGHTS[each]))) +
  (country === undefined ? 0 : Math.max(0, WEIGHTS.country_agrees)) +
  (address === undefined ? 0 : Math.max(0, WEIGHTS.address_agrees));

interface Place {
  readonly entry: ListEntry;
  readonly name: ListedName;
}

const round = (score: number): number => Math.round(Math.min(1, Math.max(0, score)) * 1_000) / 1_000;

/** One version of one list. It computes only: a worker holds it. */
export class ListEngine {
  private readonly names: NameIndex;
  private readonly places: readonly Place[];
  private readonly identified = new Map<string, ListEntry[]>();
  private readonly digests = new Map<string, string>();

  constructor(
    readonly list: ListId,
    readonly version: string,
    readonly entries: readonly ListEntry[],
  ) {
    this.places = entries.flatMap((entry) => entry.names.map((name) => ({ entry, name })));
    this.names = new NameIndex(entries.flatMap(({ names }) => names));
    for (const entry of entries) {
      for (const identifier of entry.identifiers ?? []) {
        const key = identifierKey(identifier);
        if (key !== undefined) this.identified.set(key, [...(this.identified.get(key) ?? []), entry]);
      }
    }
  }

  /** The same list with these entries alone: they score as they do in the whole. */
  only(ids: ReadonlySet<string>): ListEngine {
    const entries = this.entries.filter(({ id }) => ids.has(id));
    return new ListEngine(this.list, this.version, entries);
  }

  /** What resembles one of the query’s names, or has one of its identifiers. The country is alpha-2. */
  search(query: ScreeningQuery, names: QueryNames, thresholds: Thresholds): Found[] {
    const best = new Map<ListEntry, Found>();
    const wanted = logitOfScore(thresholds.potential);
    const known = new Map<ListEntry, Facts>();
    const factsOf = (entry: ListEntry): Facts => {
      const facts = known.get(entry) ?? compareFacts(query, entry);
      known.set(entry, facts);
      return facts;
    };
    // What the facts clear is shown too, where the name alone would match.
    const leastOf = (name: number): number => {
      const place = this.places[name];
      return place === undefined
        ? wanted
        : wanted - Math.max(logitOfFacts(factsOf(place.entry).facts), WEIGHTS.not_asked);
    };
    const keep = (place: Place, hit: NameHit | undefined, isOwn: boolean): void => {
      const judged = judge(query, { place, hit }, factsOf(place.entry));
      const before = best.get(place.entry);
      const byOwnName =
        before?.byOwnName === true || (isOwn && (doesCount(judged, thresholds) || before === undefined));
      const isBetter = before === undefined || strength(judged, thresholds) > strength(before, thresholds);
      best.set(place.entry, { ...(isBetter ? judged : before), byOwnName });
    };
    const keepHits = (parts: readonly QueryPart[], isOwn: boolean): void => {
      for (const hit of this.names.search(parts, wanted - mostOfFacts(query), leastOf)) {
        const place = this.places[hit.name];
        if (place !== undefined) keep(place, hit, isOwn);
      }
    };
    for (const parts of names.own) keepHits(parts, true);
    for (const parts of names.aliases) keepHits(parts, false);
    for (const entry of this.withIdentifier(query)) {
      const [name] = entry.names;
      if (name !== undefined && !best.has(entry)) keep({ entry, name }, undefined, true);
    }
    return [...best.values()];
  }

  present({ place, hit, facts, score, held }: Judged): ScreeningMatch {
    const { entry, name } = place;
    const evidence = evidenceOf(place, hit, facts, held);
    return {
      list: this.list,
      entryId: entry.id,
      entryDigest: this.digest(entry),
      name: entry.names[0]?.text ?? '',
      matchedName: name.text,
      score: round(score),
      nameScore: round(hit?.likeness.score ?? 0),
      type: entry.type,
      programs: entry.programs,
      birthDates: [...entry.birthDates.map(({ text }) => text), ...(entry.unreadDates ?? [])],
      countries: entry.countries,
      listedOn: entry.listedOn,
      reasons: evidence.map(({ sentence }) => sentence),
      evidence,
      listVersion: this.version,
      agrees: isConfirming(facts, hit),
      contradicts: facts.contradicts,
      identified: facts.identifier !== undefined,
      held,
      ...(entry.pep === undefined
        ? {}
        : { positions: entry.pep.positions, relatives: entry.pep.relatives, pepLevel: entry.pep.level }),
    };
  }

  cleared({ place: { entry }, facts }: Judged): ClearedEntry {
    return {
      list: this.list,
      entryId: entry.id,
      name: entry.names[0]?.text ?? '',
      reason: facts.against.join(' '),
    };
  }

  private withIdentifier(query: ScreeningQuery): ListEntry[] {
    const keys = (query.identifiers ?? []).flatMap((identifier) => identifierKey(identifier) ?? []);
    return keys
      .flatMap((key) => this.identified.get(key) ?? [])
      .filter((entry) => sharedIdentifier(query, entry) !== undefined);
  }

  private digest(entry: ListEntry): string {
    const known = this.digests.get(entry.id) ?? digestOf(entry);
    this.digests.set(entry.id, known);
    return known;
  }
}

/** The first of January often represents the year alone: it confirms the listed name, and no other spelling. */
const isConfirming = ({ dateClass, identifier }: Facts, hit: NameHit | undefined): boolean =>
  identifier !== undefined ||
  dateClass === 'day' ||
  (dateClass === 'first_of_january' && hit !== undefined && hit.likeness.identical);

interface Resemblance {
  readonly place: Place;
  /** Undefined where only an identifier agrees. */
  readonly hit: NameHit | undefined;
}

/** The names that a query gives, each in parts. */
interface QueryNames {
  readonly own: readonly (readonly QueryPart[])[];
  readonly aliases: readonly (readonly QueryPart[])[];
}

interface Judged extends Resemblance {
  readonly facts: Facts;
  /** 0–1, and what it would be by the names alone. */
  readonly score: number;
  readonly scoreOfNames: number;
  readonly held: boolean;
}

interface Found extends Judged {
  /** The name that was asked for finds it: aliases may be many, and would put it behind others. */
  readonly byOwnName: boolean;
}

const doesCount = ({ score, held }: Judged, { potential }: Thresholds): boolean => held || round(score) >= potential;

const isDistinctive = ({ likeness: { whole, contained, distinctiveness, words } }: NameHit): boolean =>
  (whole || contained) && (distinctiveness >= MIN_DISTINCTIVENESS || words >= MIN_DISTINCTIVE_WORDS);

/** A firm may have the name of its owner, so a stated type clears no one. What was born is no ship and no firm. */
const isHeld = (
  { dateOfBirth }: ScreeningQuery,
  { entry }: Place,
  hit: NameHit,
  { facts, isDated }: Facts,
): boolean => {
  const isNoPerson = dateOfBirth !== undefined && entry.type !== 'individual' && facts.includes('type_differs');
  return !isNoPerson && (isDistinctive(hit) || (hit.likeness.identical && !isDated));
};

const judge = (query: ScreeningQuery, { place, hit }: Resemblance, facts: Facts): Judged => {
  const names = hit?.logit ?? -Infinity;
  const score = facts.identifier === undefined ? scoreOfLogit(names + logitOfFacts(facts.facts)) : 1;
  const held = hit !== undefined && isHeld(query, place, hit, facts);
  return { place, hit, facts, score, scoreOfNames: scoreOfLogit(names + WEIGHTS.not_asked), held };
};

const ofName = (verdict: Evidence['verdict'], sentence: string): Evidence => ({ part: 'name', verdict, sentence });

const evidenceOf = ({ entry, name }: Place, hit: NameHit | undefined, facts: Facts, held: boolean): Evidence[] => {
  if (hit === undefined) return [...facts.evidence, ofName('contradicts', 'The name is not a listed one.')];
  const { identical, score } = hit.likeness;
  const comparison = identical ? 'The name is the listed' : 'The name resembles the listed';
  return [
    ofName('agrees', `${comparison} “${name.text}” (${round(score).toFixed(2)}).`),
    ...explainNames(hit.side, hit.scored, hit.alignment),
    ...(name === entry.names[0] ? [] : [ofName('neither', 'It is an alias of the entry.')]),
    ...(name.weak ? [ofName('neither', 'The list calls this alias weak, which lowers the score.')] : []),
    ...facts.evidence,
    ...(held && facts.against.length > 0
      ? [ofName('agrees', 'The whole name is listed: a date, country or type alone does not clear it.')]
      : []),
  ];
};

/** Of two names of an entry the one counts that a reviewer would act on: a held one before a likely one, a likely one before another. */
const strength = (judged: Judged, { confirmed, potential }: Thresholds): number => {
  const { hit, facts, score, scoreOfNames, held } = judged;
  const isConfirmed = (hit?.likeness.score ?? 0) >= confirmed && isConfirming(facts, hit) && !facts.contradicts;
  return (
    8 * Number(isConfirmed) + 4 * Number(held) + 2 * Number(round(score) >= potential) + score + scoreOfNames / 1_000
  );
};

/** What the name asked for finds stands before what only an alias finds. */
const byRank = (a: Found, b: Found): number =>
  Number(b.facts.identifier !== undefined) - Number(a.facts.identifier !== undefined) ||
  Number(b.byOwnName) - Number(a.byOwnName) ||
  b.score - a.score ||
  b.scoreOfNames - a.scoreOfNames ||
  (a.place.entry.id < b.place.entry.id ? -1 : 1);

/** A query against lists. What a list finds depends on that list’s version alone. */
export const screenAgainstLists = (
  engines: readonly ListEngine[],
  query: ScreeningQuery,
  thresholds: Thresholds,
): ScreeningOutcome => {
  const withCountryCodes = withCodes(query);
  const partsOf = (name: string): (readonly QueryPart[])[] => waysToRead(name).map(queryParts);
  const names = { own: partsOf(query.fullName), aliases: (query.aliases ?? []).flatMap(partsOf) };
  const found = engines
    .flatMap((engine) => engine.search(withCountryCodes, names, thresholds).map((each) => ({ engine, ...each })))
    .sort(byRank);
  const matches = found
    .filter((each) => doesCount(each, thresholds))
    .map(({ engine, ...each }) => engine.present(each))
    .map((match) => ({ match, isConfirmed: statusOf(match, thresholds) === 'confirmed_match' }))
    .sort((a, b) => Number(b.isConfirmed) - Number(a.isConfirmed))
    .map(({ match }) => match);
  const cleared = found
    .filter(
      (each) =>
        !doesCount(each, thresholds) &&
        round(each.scoreOfNames) >= thresholds.potential &&
        each.facts.against.length > 0,
    )
    .sort((a, b) => Number(b.byOwnName) - Number(a.byOwnName) || b.scoreOfNames - a.scoreOfNames)
    .slice(0, MAX_CLEARED)
    .map(({ engine, ...each }) => engine.cleared(each));
  return {
    status: gravest(matches.map((match) => statusOf(match, thresholds))),
    matches,
    cleared,
    versions: Object.fromEntries(engines.map(({ list, version }) => [list, version])),
    engineVersion: ENGINE_VERSION,
    thresholds,
  };
};

/** Country codes as the lists have them: alpha-2. */
const withCodes = (query: ScreeningQuery): ScreeningQuery => {
  const { country, identifiers, ...rest } = query;
  const code = country === undefined ? undefined : alpha2Of(country);
  return {
    ...rest,
    ...(code === undefined ? {} : { country: code }),
    ...(identifiers === undefined ? {} : { identifiers: identifiers.map(withCode) }),
  };
};

const withCode = ({ country, ...identifier }: Identifier): Identifier => {
  const code = country === undefined ? undefined : alpha2Of(country);
  return code === undefined ? identifier : { ...identifier, country: code };
};
