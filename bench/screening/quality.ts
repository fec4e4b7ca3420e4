import { type ListEntry } from '../../src/screening/domain/list-entry.js';
import { type DatePolicy, type ListId, type ScreeningQuery } from '../../src/screening/domain/screening-list.js';
import { type ScreeningOutcome } from '../../src/screening/domain/screening-list.js';
import { ListEngine, screenAgainstLists, type Thresholds } from '../../src/screening/matching/list-engine.js';
import { textOf } from '../../src/screening/matching/name-token.js';
import { isSearchable, tokensOf } from '../../src/screening/matching/normalise.js';
import { inventedPeople, primaryOf } from './invented.js';
import { type RealPerson } from './people.js';
import { inCyrillic, pick, PERTURBATIONS, type Random, seeded } from './perturbations.js';

const SEED = 20_261_122;

export interface Rate {
  readonly hits: number;
  readonly of: number;
}

export interface Quality {
  readonly list: ListId;
  /** The entry is found: with its birth date, and by the name alone. */
  readonly found: Readonly<Record<string, { readonly dated: Rate; readonly undated: Rate }>>;
  /** How the subject may write of himself: the entry is a match, or set aside with a reason. */
  readonly written: Readonly<Record<string, { readonly matched: Rate; readonly setAside: Rate }>>;
  /** Each name of the list, asked as it is listed with the first date of its entry, is not clear. */
  readonly asListed: Rate;
  /** Some that are clear. */
  readonly missed: readonly string[];
  /** Persons who are not listed: any match, and a confirmed one. */
  readonly falsely: Readonly<Record<string, Rate>>;
}

export interface Sizes {
  /** Queries of each kind. */
  readonly samples: number;
  /** Invented people. A share of 0.01 % needs many. */
  readonly negatives: number;
  readonly datePolicy: DatePolicy;
}

interface Positive {
  readonly entry: ListEntry;
  readonly name: string;
}

const NOT_LATIN = /\p{Script=Cyrillic}|\p{Script=Arabic}|\p{Script=Greek}|\p{Script=Han}|\p{Script=Hangul}/u;

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
    private readonly realPeople: readonly RealPerson[],
    private readonly sizes: Sizes,
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
      found[kind] = this.measure(this.engine, positives.slice(0, this.sizes.samples));
    }
    Object.assign(found, this.otherScripts(people), this.heldOut(people));
    const written = this.written(people.slice(0, this.sizes.samples));
    return { list: this.list, found, written, ...this.asListed(), falsely: { ...this.invented(), ...this.real() } };
  }

  private ask(query: ScreeningQuery): ScreeningOutcome {
    const { datePolicy } = this.sizes;
    return screenAgainstLists([this.engine], { ...query, datePolicy }, this.thresholds);
  }

  private written(people: readonly ListEntry[]): Quality['written'] {
    return Object.fromEntries(
      Object.entries(WRITTEN_CLEAR).map(([kind, write]) => {
        const asked = people.flatMap((entry) => {
          const query = write(entry, this.random);
          return query === undefined ? [] : [{ entry, outcome: this.ask(query) }];
        });
        const isAmong = (places: 'matches' | 'cleared'): Rate =>
          rate(asked.map(({ entry, outcome }) => outcome[places].some(({ entryId }) => entryId === entry.id)));
        return [kind, { matched: isAmong('matches'), setAside: isAmong('cleared') }];
      }),
    );
  }

  private asListed(): Pick<Quality, 'asListed' | 'missed'> {
    const missed: string[] = [];
    let of = 0;
    for (const entry of this.entries) {
      const [born] = entry.birthDates;
      for (const { text } of entry.names) {
        if (!isSearchable(text)) continue;
        of += 1;
        const dateOfBirth = entry.type === 'individual' && born !== undefined ? { dateOfBirth: born.from } : {};
        if (this.ask({ fullName: text, ...dateOfBirth }).status === 'clear') missed.push(`${text} (${entry.id})`);
      }
    }
    return { asListed: { hits: of - missed.length, of }, missed: missed.slice(0, 20) };
  }

  /** Office holders, without those whose birth date says that they are listed. */
  private real(): Record<string, Rate> {
    const others = this.realPeople.filter(({ fullName, dateOfBirth }) => {
      const { matches } = this.ask({ fullName, dateOfBirth });
      return !matches.some(({ birthDates }) => birthDates.some((text) => text.includes(dateOfBirth.slice(0, 4))));
    });
    const dated = others.map((person) => this.ask(person));
    const undated = others.map(({ fullName }) => this.ask({ fullName }));
    return {
      'real people: any match, with a birth date': rate(dated.map(({ status }) => status !== 'clear')),
      'real people: confirmed, with a birth date': rate(dated.map(({ status }) => status === 'confirmed_match')),
      'real people: any match, by the name alone': rate(undated.map(({ status }) => status !== 'clear')),
    };
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
      'Chinese and Korean, as listed': written(/\p{Script=Han}|\p{Script=Hangul}/u),
    };
    return Object.fromEntries(
      Object.entries(measured)
        .filter(([, positives]) => positives.length >= 20)
        .map(([kind, positives]) => [kind, this.measure(engine, positives.slice(0, this.sizes.samples))]),
    );
  }

  /** Strong aliases in Latin letters that are taken out of the list. */
  private heldOut(people: readonly ListEntry[]): Record<string, { dated: Rate; undated: Rate }> {
    const held = new Map<string, string>();
    for (const entry of people) {
      const aliases = entry.names
        .slice(1)
        .filter(({ text, weak }) => !weak && !NOT_LATIN.test(text) && tokensOf(text).length >= 2);
      if (aliases.length > 0 && held.size < this.sizes.samples) held.set(entry.id, pick(aliases, this.random).text);
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
    const sharing = positives.filter(({ entry, name }) =>
      entry.names.some((other) => other.text !== name && sharedWords(other.text, name) >= 2),
    );
    return {
      'aliases held out': this.measure(engine, positives),
      '… that share two words with another name': this.measure(engine, sharing),
    };
  }

  private invented(): Record<string, Rate> {
    const queries = inventedPeople(this.entries, this.sizes.negatives, this.random);
    const outcomes = queries.map((query) => this.ask(query));
    const undated = queries.slice(0, this.sizes.negatives / 10).map(({ fullName }) => this.ask({ fullName }));
    const byCountry = this.people
      .slice(0, this.sizes.negatives / 10)
      .map((person) => this.ask({ fullName: primaryOf(person), country: person.countries[0] ?? 'RU' }));
    return {
      'invented: any match, with a birth date': rate(outcomes.map(({ status }) => status !== 'clear')),
      'invented: confirmed, with a birth date': rate(outcomes.map(({ status }) => status === 'confirmed_match')),
      'invented: any match, by the name alone': rate(undated.map(({ status }) => status !== 'clear')),
      'listed: confirmed by name and country alone': rate(byCountry.map(({ status }) => status === 'confirmed_match')),
    };
  }
}

const dayOf = ({ birthDates: [born] }: ListEntry): string => born?.from ?? '';

const typed = (entry: ListEntry, random: Random, dateOfBirth: string): ScreeningQuery | undefined => {
  const fullName = PERTURBATIONS['one typo'](primaryOf(entry), random);
  return fullName === undefined ? undefined : { fullName, dateOfBirth };
};

/** What who knows the engine may write. */
const WRITTEN_CLEAR: Readonly<Record<string, (entry: ListEntry, random: Random) => ScreeningQuery | undefined>> = {
  'three words added, no date': (entry) => ({ fullName: `${primaryOf(entry)} Quillon Zebrath Morvane` }),
  'one typo, a false date': (entry, random) => typed(entry, random, '1901-07-19'),
  'first and last only, a false date': (entry, random) => {
    const fullName = PERTURBATIONS['first and last only'](primaryOf(entry), random);
    return fullName === undefined ? undefined : { fullName, dateOfBirth: '1901-07-19' };
  },
  'one typo, 1 January of the year': (entry, random) => typed(entry, random, `${dayOf(entry).slice(0, 4)}-01-01`),
  'one typo, one digit of the date': (entry, random) =>
    typed(entry, random, `${dayOf(entry).slice(0, 9)}${(Number(dayOf(entry)[9]) + 3) % 10}`),
  'as listed, as an organisation': (entry) => ({ fullName: primaryOf(entry), entityType: 'organisation' }),
};

const sharedWords = (one: string, other: string): number => {
  const words = new Set(tokensOf(one).map(textOf));
  return tokensOf(other).filter((token) => words.has(textOf(token))).length;
};

export const measureQuality = (
  list: ListId,
  entries: readonly ListEntry[],
  thresholds: Thresholds,
  realPeople: readonly RealPerson[],
  sizes: Sizes,
): Quality => new Trial(list, entries, thresholds, realPeople, sizes).run();
