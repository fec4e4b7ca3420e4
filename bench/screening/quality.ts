import { type ListEntry } from '../../src/screening/domain/list-entry.js';
import { type ListId, type ScreeningQuery } from '../../src/screening/domain/screening-list.js';
import { ListEngine, screenAgainstLists, type Thresholds } from '../../src/screening/matching/list-engine.js';
import { tokensOf } from '../../src/screening/matching/normalise.js';
import { inCyrillic, pick, PERTURBATIONS, type Random, seeded } from './perturbations.js';

/** Queries of each kind. */
const SAMPLES = 1_000;
/** A share of 0.01 % needs many. */
const NEGATIVES = 20_000;
const SEED = 20_261_122;

export interface Rate {
  readonly hits: number;
  readonly of: number;
}

export interface Quality {
  readonly list: ListId;
  /** The entry is found: with its birth date, and by the name alone. */
  readonly found: Readonly<Record<string, { readonly dated: Rate; readonly undated: Rate }>>;
  /** Persons who are not listed: any match, and a confirmed one. */
  readonly falsely: Readonly<Record<string, Rate>>;
}

interface Positive {
  readonly entry: ListEntry;
  readonly name: string;
}

const NOT_LATIN = /\p{Script=Cyrillic}|\p{Script=Arabic}|\p{Script=Greek}/u;

const primaryOf = (entry: ListEntry): string => entry.names[0]?.text ?? '';

const isPerson = (entry: ListEntry): boolean =>
  entry.type === 'individual' && entry.birthDates.length > 0 && tokensOf(primaryOf(entry)).length >= 2;

const rate = (outcomes: readonly boolean[]): Rate => ({ hits: outcomes.filter(Boolean).length, of: outcomes.length });

const shuffled = <Item>(items: readonly Item[], random: Random): Item[] =>
  items
    .map((item) => ({ item, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);

class Trial {
  private readonly random = seeded(SEED);
  private readonly engine: ListEngine;
  private readonly people: readonly ListEntry[];

  constructor(
    private readonly list: ListId,
    private readonly entries: readonly ListEntry[],
    private readonly thresholds: Thresholds,
  ) {
    this.engine = new ListEngine(list, 'bench', entries);
    this.people = entries.filter(isPerson);
  }

  run(): Quality {
    const people = shuffled(this.people, this.random);
    const found: Record<string, { dated: Rate; undated: Rate }> = {};
    for (const [kind, perturb] of Object.entries(PERTURBATIONS)) {
      const positives = people.flatMap((entry): Positive[] => {
        const name = perturb(primaryOf(entry), this.random);
        return name === undefined ? [] : [{ entry, name }];
      });
      found[kind] = this.measure(this.engine, positives.slice(0, SAMPLES));
    }
    Object.assign(found, this.otherScripts(people), this.heldOut(people));
    return { list: this.list, found, falsely: this.negatives() };
  }

  private measure(engine: ListEngine, positives: readonly Positive[]): { dated: Rate; undated: Rate } {
    const finds = ({ entry, name }: Positive, dated: boolean): boolean => {
      const [born] = entry.birthDates;
      const query = { fullName: name, ...(dated && born !== undefined ? { dateOfBirth: born.from } : {}) };
      return screenAgainstLists([engine], query, this.thresholds).matches.some(({ entryId }) => entryId === entry.id);
    };
    return {
      dated: rate(positives.map((positive) => finds(positive, true))),
      undated: rate(positives.map((positive) => finds(positive, false))),
    };
  }

  /** Names in other scripts against the Latin ones alone. */
  private otherScripts(people: readonly ListEntry[]): Record<string, { dated: Rate; undated: Rate }> {
    const latin = this.entries.map((entry) => ({
      ...entry,
      names: entry.names.filter(({ text }) => !NOT_LATIN.test(text)),
    }));
    const engine = new ListEngine(this.list, 'bench', latin);
    const written = (script: RegExp): Positive[] =>
      people.flatMap((entry) => {
        const name = entry.names.find(({ text }) => script.test(text));
        return name === undefined ? [] : [{ entry, name: name.text }];
      });
    const slavic = people.filter(
      (entry) =>
        entry.countries.some((country) => ['RU', 'BY', 'UA'].includes(country)) ||
        entry.names.some(({ text }) => /\p{Script=Cyrillic}/u.test(text)),
    );
    const russian = slavic.flatMap((entry): Positive[] => {
      const name = primaryOf(entry);
      return NOT_LATIN.test(name) ? [] : [{ entry, name: inCyrillic(name, this.random) ?? '' }];
    });
    const measured = {
      Cyrillic: russian,
      'Cyrillic, as listed': written(/\p{Script=Cyrillic}/u),
      'Arabic, as listed': written(/\p{Script=Arabic}/u),
    };
    return Object.fromEntries(
      Object.entries(measured)
        .filter(([, positives]) => positives.length >= 20)
        .map(([kind, positives]) => [kind, this.measure(engine, positives.slice(0, SAMPLES))]),
    );
  }

  /** Strong aliases in Latin letters that are taken out of the list. */
  private heldOut(people: readonly ListEntry[]): Record<string, { dated: Rate; undated: Rate }> {
    const held = new Map<string, string>();
    for (const entry of people) {
      const aliases = entry.names
        .slice(1)
        .filter(({ text, weak }) => !weak && !NOT_LATIN.test(text) && tokensOf(text).length >= 2);
      if (aliases.length > 0 && held.size < SAMPLES) held.set(entry.id, pick(aliases, this.random).text);
    }
    const without = this.entries.map((entry) => ({
      ...entry,
      names: entry.names.filter(({ text }) => text !== held.get(entry.id)),
    }));
    const engine = new ListEngine(this.list, 'bench', without);
    const positives = people.flatMap((entry) => {
      const name = held.get(entry.id);
      return name === undefined ? [] : [{ entry, name }];
    });
    return { 'aliases held out': this.measure(engine, positives) };
  }

  /** First, middle and last names of three persons of the same origin, with the birth date of a fourth. */
  private negatives(): Record<string, Rate> {
    const origins = new Map<string, ListEntry[]>();
    for (const person of this.people) {
      const origin = person.countries[0] ?? person.programs[0] ?? '';
      origins.set(origin, [...(origins.get(origin) ?? []), person]);
    }
    const groups = [...origins.values()].filter((group) => group.length >= 20);
    const listed = new Set(this.entries.flatMap(({ names }) => names.map(({ text }) => inAnyOrder(text))));
    const queries: ScreeningQuery[] = [];
    while (queries.length < NEGATIVES) {
      const group = origins.get(pick(this.people, this.random).countries[0] ?? '') ?? pick(groups, this.random);
      const [given, middle, family, born] = [group, group, group, group].map((people) => pick(people, this.random));
      if (given === undefined || middle === undefined || family === undefined || born === undefined) continue;
      if (new Set([given, middle, family, born]).size < 4) continue;
      const fullName = [words(given)[0], ...words(middle).slice(1, -1), words(family).at(-1)].join(' ');
      const [date] = born.birthDates;
      if (listed.has(inAnyOrder(fullName)) || date === undefined) continue;
      queries.push({ fullName, dateOfBirth: date.from });
    }
    const outcomes = queries.map((query) => screenAgainstLists([this.engine], query, this.thresholds));
    const undated = queries
      .slice(0, NEGATIVES / 10)
      .map(({ fullName }) => screenAgainstLists([this.engine], { fullName }, this.thresholds));
    return {
      'any match, with a birth date': rate(outcomes.map(({ status }) => status !== 'clear')),
      'confirmed match, with a birth date': rate(outcomes.map(({ status }) => status === 'confirmed_match')),
      'any match, by the name alone': rate(undated.map(({ status }) => status !== 'clear')),
    };
  }
}

const words = (entry: ListEntry): string[] => primaryOf(entry).split(/\s+/);

const inAnyOrder = (name: string): string =>
  tokensOf(name)
    .map(({ text }) => text)
    .sort()
    .join(' ');

export const measureQuality = (list: ListId, entries: readonly ListEntry[], thresholds: Thresholds): Quality =>
  new Trial(list, entries, thresholds).run();
