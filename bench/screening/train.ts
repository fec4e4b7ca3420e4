import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type BirthDate, type ListEntry } from '../../src/screening/domain/list-entry.js';
import { type ScreeningQuery } from '../../src/screening/domain/screening-list.js';
import { queryParts } from '../../src/screening/matching/query-name.js';
import {
  COUNTRY_CLASSES,
  DATE_CLASSES,
  type Fact,
  NAME_FEATURES,
  type NameEvidence,
  OTHER_FACTS,
} from '../../src/screening/matching/evidence.js';
import { compareFacts } from '../../src/screening/matching/facts.js';
import { logitOfFacts, logitOfScore } from '../../src/screening/matching/model.js';
import { NameIndex } from '../../src/screening/matching/name-index.js';
import { tokensOf } from '../../src/screening/matching/normalise.js';
import { WEIGHTS } from '../../src/screening/matching/weights.js';
import { entriesOf, sourcesIn } from './data.js';
import { type InventedPerson, inventedPeople, primaryOf } from './invented.js';
import { pick, type Perturbation, PERTURBATIONS, type Random, seeded } from './perturbations.js';

const SEED = 20_261_125;
/** Entries that are asked for, changed in some way; and people who are not listed. */
const ASKED = 6_000;
const INVENTED = 8_000;
/** Other entries that a query resembles most, kept as examples of what is not the same. */
const HARDEST = 5;
/** Shares of queries: with a birth date, and with each fault in it. */
const DATED = 0.7;
const FAULTS = { exchanged: 0.01, slip: 0.02, january: 0.02, near: 0.015, other: 0.01, country: 0.03 } as const;
const WITH_COUNTRY = 0.2;
/** Shares of invented people that may match: the thresholds are set so. */
const FALSE_DATED = 0.008;
/** The share of invented people who have the birth date of a listed one of their origin. */
const SHARED_DAY = 0.15;
const FALSE_UNDATED = 0.08;
const THRESHOLD = 0.85;
const FEATURES = [...NAME_FEATURES, ...DATE_CLASSES, ...COUNTRY_CLASSES, ...OTHER_FACTS] as const;
type Feature = (typeof FEATURES)[number];

/** What the training data tells nothing of, set by hand: nobody asks for one word of a listed name in it. */
const SET_BY_HAND: Partial<Record<Feature, number>> = { one_word: -2.5, gender_differs: -2, address_agrees: 1.5 };

/** Which way a feature may count: what agrees never counts against, and the reverse. */
const SIGNS: Partial<Record<Feature, 1 | -1>> = {
  agrees_1: 1,
  agrees_2: 1,
  agrees_3: 1,
  unlike: -1,
  differs: -1,
  listed_lacks: -1,
  asked_lacks: -1,
  one_word: -1,
  patronymics: -1,
  weak_alias: -1,
  consonants: -1,
  country_agrees: 1,
  country_differs: -1,
  type_differs: -1,
};

interface Example {
  readonly values: Float64Array;
  readonly same: boolean;
}

interface Hit {
  readonly entry: ListEntry;
  readonly evidence: NameEvidence;
  readonly facts: readonly Fact[];
  readonly logit: number;
}

const valuesOf = ({ evidence, facts }: Hit): Float64Array => {
  const values = new Float64Array(FEATURES.length + 1);
  values[0] = 1;
  FEATURES.forEach((feature, at) => {
    const fact: number = (facts as readonly string[]).includes(feature) ? 1 : 0;
    values[at + 1] = feature in evidence ? evidence[feature as keyof NameEvidence] : fact;
  });
  return values;
};

const dayWithin = ({ from, to }: BirthDate, random: Random): string => {
  const [first, last] = [Date.parse(from), Date.parse(to)];
  return new Date(first + Math.floor(random() * (last - first + 1))).toISOString().slice(0, 10);
};

const shifted = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);

/** One digit of year, month or day is another one. */
const slipped = (day: string, random: Random): string => {
  const at = pick([2, 3, 6, 8, 9], random);
  return `${day.slice(0, at)}${Math.floor(random() * 10)}${day.slice(at + 1)}`;
};

/** The date that the person says: the listed one, with the faults that people and registries make. */
const dateSaid = (entry: ListEntry, random: Random): string => {
  const [born] = entry.birthDates;
  const day =
    born === undefined ? shifted('1970-01-01', Math.floor((random() - 0.5) * 15_000)) : dayWithin(born, random);
  const faults: readonly (readonly [number, () => string])[] = [
    [FAULTS.exchanged, () => `${day.slice(0, 4)}-${day.slice(8)}-${day.slice(5, 7)}`],
    [FAULTS.slip, () => slipped(day, random)],
    [FAULTS.january, () => `${day.slice(0, 4)}-01-01`],
    [FAULTS.near, () => shifted(day, Math.round((random() - 0.5) * 600))],
    [FAULTS.other, () => shifted(day, 800 + Math.floor(random() * 8_000))],
  ];
  let left = random();
  for (const [share, make] of faults) {
    if (left < share) {
      const said = make();
      return Number.isNaN(Date.parse(said)) ? day : said;
    }
    left -= share;
  }
  return day;
};

/** Invented people with birth dates of their own. */
const strangers = (entries: readonly ListEntry[], count: number, random: Random): InventedPerson[] =>
  inventedPeople(entries, count, random).map(({ fullName, dateOfBirth }) => {
    const days = random() < SHARED_DAY ? 0 : Math.floor((random() - 0.5) * 3_000);
    return { fullName, dateOfBirth: shifted(dateOfBirth, days) };
  });

class Examples {
  private readonly index: NameIndex;
  private readonly places: readonly { readonly entry: ListEntry; readonly text: string }[];

  constructor(
    private readonly entries: readonly ListEntry[],
    private readonly random: Random,
  ) {
    this.places = entries.flatMap((entry) => entry.names.map(({ text }) => ({ entry, text })));
    this.index = new NameIndex(entries.flatMap(({ names }) => names));
  }

  /** The best of each entry, but for one name that is held out. */
  hits(query: ScreeningQuery, least: number, heldOut?: string): Hit[] {
    const best = new Map<ListEntry, Hit>();
    for (const { name, logit, evidence } of this.index.search(queryParts(query.fullName), least)) {
      const place = this.places[name];
      if (place === undefined || place.text === heldOut || best.has(place.entry)) continue;
      const { facts } = compareFacts(query, place.entry);
      best.set(place.entry, { entry: place.entry, evidence, facts, logit: logit + logitOfFacts(facts) });
    }
    return [...best.values()].sort((a, b) => b.logit - a.logit);
  }

  /** Listed entries, asked for in another way. */
  listed(count: number): Example[] {
    const kinds = Object.values<Perturbation>(PERTURBATIONS);
    return Array.from({ length: count }, () => pick(this.entries, this.random)).flatMap((entry) => {
      const isPerson = entry.type === 'individual';
      const aliases = entry.names.slice(1).filter(({ text, weak }) => !weak && tokensOf(text).length >= 2);
      const alias = aliases.length > 0 && this.random() < 0.25 ? pick(aliases, this.random).text : undefined;
      const fullName = alias ?? pick(kinds, this.random)(primaryOf(entry), this.random);
      if (fullName === undefined || tokensOf(fullName).length === 0) return [];
      const [country] = this.random() < FAULTS.country ? pick(this.entries, this.random).countries : entry.countries;
      const query: ScreeningQuery = {
        fullName,
        ...(isPerson && this.random() < DATED ? { dateOfBirth: dateSaid(entry, this.random) } : {}),
        ...(country !== undefined && this.random() < WITH_COUNTRY ? { country } : {}),
      };
      return this.examplesOf(query, entry, alias);
    });
  }

  invented(count: number): Example[] {
    return strangers(this.entries, count, this.random).flatMap(({ fullName, dateOfBirth }) =>
      this.examplesOf(this.random() < DATED ? { fullName, dateOfBirth } : { fullName }),
    );
  }

  private examplesOf(query: ScreeningQuery, entry?: ListEntry, heldOut?: string): Example[] {
    const hits = this.hits(query, logitOfScore(0.000_1), heldOut);
    const same = hits.filter((hit) => hit.entry === entry);
    const others = hits.filter((hit) => hit.entry !== entry).slice(0, HARDEST);
    return [
      ...same.map((hit) => ({ values: valuesOf(hit), same: true })),
      ...others.map((hit) => ({ values: valuesOf(hit), same: false })),
    ];
  }
}

const ROUNDS = 4_000;
const STEP = 0.05;
const SMALL = 1e-3;

const dot = (weights: Float64Array, values: Float64Array): number => {
  let sum = 0;
  for (let at = 0; at < weights.length; at += 1) sum += (weights[at] ?? 0) * (values[at] ?? 0);
  return sum;
};

/** Logistic regression by Adam over all examples at once; weights keep to their sign. The same in every run. */
const fit = (examples: readonly Example[]): Float64Array => {
  const size = FEATURES.length + 1;
  const [weights, mean, square] = [new Float64Array(size), new Float64Array(size), new Float64Array(size)];
  const setByHand = (at: number): number | undefined => (at === 0 ? undefined : SET_BY_HAND[FEATURES[at - 1] ?? 'day']);
  for (let at = 0; at < size; at += 1) weights[at] = setByHand(at) ?? 0;
  for (let round = 1; round <= ROUNDS; round += 1) {
    const gradient = new Float64Array(size);
    for (const { values, same } of examples) {
      const error = 1 / (1 + Math.exp(-dot(weights, values))) - (same ? 1 : 0);
      for (let at = 0; at < size; at += 1) gradient[at] = (gradient[at] ?? 0) + error * (values[at] ?? 0);
    }
    for (let at = 0; at < size; at += 1) {
      if (setByHand(at) !== undefined) continue;
      const slope = (gradient[at] ?? 0) / examples.length + SMALL * 0.01 * (weights[at] ?? 0);
      mean[at] = 0.9 * (mean[at] ?? 0) + 0.1 * slope;
      square[at] = 0.999 * (square[at] ?? 0) + 0.001 * slope ** 2;
      const step = (mean[at] ?? 0) / (1 - 0.9 ** round) / (Math.sqrt((square[at] ?? 0) / (1 - 0.999 ** round)) + 1e-8);
      const sign = at === 0 ? undefined : SIGNS[FEATURES[at - 1] ?? 'day'];
      const next = (weights[at] ?? 0) - STEP * (1 - round / ROUNDS) * step;
      weights[at] = sign === undefined ? next : sign * Math.max(0, sign * next);
    }
  }
  return weights;
};

const quantile = (numbers: readonly number[], share: number): number =>
  [...numbers].sort((a, b) => b - a)[Math.floor(share * numbers.length)] ?? 0;

const { values: options } = parseArgs({ options: { data: { type: 'string' }, asked: { type: 'string' } } });
const folder = options.data ?? join(process.cwd(), '..', 'shared', 'data', 'screening');
const source = (await sourcesIn(folder))?.find(({ list }) => list === 'OFAC_SDN');
if (source === undefined) throw new Error(`There is no list of OFAC in ${folder}; name its folder by --data.`);
const entries = await entriesOf(source);
const examples = new Examples(entries, seeded(SEED));
const asked = Number(options.asked ?? ASKED);
const listed = examples.listed(asked);
const all = [...listed, ...examples.invented(Math.ceil((INVENTED * asked) / ASKED))];
console.log(`${all.length} examples, of which ${all.filter(({ same }) => same).length} are the same`);
const fitted = fit(all);

const weightOf = (feature: Feature): number => fitted[FEATURES.indexOf(feature) + 1] ?? 0;

/** The logit, by these weights, of the entry that each invented person resembles most. */
const highest = (dated: boolean): number[] => {
  const people = strangers(entries, Math.ceil((5_000 * asked) / ASKED), seeded(SEED + 1));
  return people.map(({ fullName, dateOfBirth }) => {
    const hits = examples.hits(dated ? { fullName, dateOfBirth } : { fullName }, logitOfScore(0.000_1));
    return Math.max(-50, ...hits.map((hit) => dot(fitted, valuesOf(hit))));
  });
};
const wanted = logitOfScore(THRESHOLD);
const shift = wanted - quantile(highest(true), FALSE_DATED);
const undatedShift = wanted - quantile(highest(false), FALSE_UNDATED) - shift;
const weights = Object.fromEntries([
  ['base', (fitted[0] ?? 0) + shift],
  ...FEATURES.map((feature) => [feature, weightOf(feature) + (feature === 'not_asked' ? undatedShift : 0)]),
]) as Readonly<Record<string, number>>;

const rows = Object.entries(weights).map(([feature, weight]) => `  ${feature}: ${Number(weight.toFixed(2))},`);
console.log(rows.join('\n'));
console.log('before', JSON.stringify(WEIGHTS));
writeFileSync(
  join(process.cwd(), 'src/screening/matching/weights.ts'),
  `// Written by \`npm run screening:train\` from OFAC’s list and invented people. docs/screening.md says how.
import { type Fact, type NameFeature } from './evidence.js';

/** What each feature adds to the logit that the query and the entry are the same. */
export const WEIGHTS: Readonly<Record<'base' | NameFeature | Fact, number>> = {
${rows.join('\n')}
};
`,
);
process.exit(0);
