import { type Alignment, bit, type Edge, isOne, type ScoredName, type Side, weightOf } from './alignment.js';
import { type Form, formOf } from './sounds.js';
import { alikeForms, isAbjad, SAME_CONSONANTS, type Word } from './word.js';

/** What the names of a query and of an entry say, as numbers that the weights are for. */
export const NAME_FEATURES = [
  /** What agrees, by weight: of the first, of the second and of further words’ worth. */
  'agrees_1',
  'agrees_2',
  'agrees_3',
  /** The weight of what agrees, times how unlike its words are. */
  'unlike',
  /** What each name has instead of what the other has, by weight. */
  'differs',
  /** The share of the query’s name that the listed one lacks beyond that, and of the listed one. */
  'listed_lacks',
  'asked_lacks',
  /** One telling word agrees, though a name has several. */
  'one_word',
  /** Words that agree by their initial. */
  'initials',
  /** The weight of words of which the consonants were compared. */
  'consonants',
  /** Both names have a father’s name, and they differ. */
  'patronymics',
  /** The list calls the alias weak. */
  'weak_alias',
] as const;
export type NameFeature = (typeof NAME_FEATURES)[number];
export type NameEvidence = Readonly<Record<NameFeature, number>>;

/** How the birth date asked for stands to the nearest listed one. */
export const DATE_CLASSES = [
  'day',
  'first_of_january',
  'exchanged',
  'slip',
  'january',
  'month',
  'year',
  'range',
  'near',
  'contradicts',
  'none_listed',
  'not_asked',
] as const;
export type DateClass = (typeof DATE_CLASSES)[number];

export const COUNTRY_CLASSES = ['country_agrees', 'country_differs'] as const;
export type CountryClass = (typeof COUNTRY_CLASSES)[number];

export const OTHER_FACTS = ['type_differs', 'gender_differs', 'address_agrees'] as const;
export type OtherFact = (typeof OTHER_FACTS)[number];

export type Fact = DateClass | CountryClass | OtherFact;

/** A word that weighs less could be left out of any name. */
const SIGNIFICANT = 0.35;

const hasPatronymic = (words: ScoredName['words'] | Side['words'], mask: number): boolean =>
  words.some(({ kind }, place) => kind === 'patronymic' && (mask & bit(place)) !== 0);

const significant = (words: readonly { readonly weight: number }[], mask: number): number => {
  let count = 0;
  for (let place = 0; place < words.length; place += 1) {
    if ((mask & bit(place)) !== 0 && (words[place]?.weight ?? 0) >= SIGNIFICANT) count += 1;
  }
  return count;
};

/** How alike the names are by themselves. */
export interface Likeness {
  /** 0–1: the share of both names that agrees; what one has beyond the other costs less than what differs on both. */
  readonly score: number;
  /** All telling words of both names agree, as they are or by other spellings. */
  readonly whole: boolean;
  /** All telling words of the listed name agree, two at least, whatever else the query has: words that are added hide no one. */
  readonly contained: boolean;
  /** The name as it is listed, in whatever order. */
  readonly identical: boolean;
  /** Telling words that agree. */
  readonly words: number;
  /** How much rarer than a common word the agreeing words are, added up. */
  readonly distinctiveness: number;
}

/** What is lost where one side has words that the other lacks. */
const LEFT_OVER = 0.3;
/** The share of a listed word that its initial represents. */
const SHARE_OF_INITIAL = 0.6;
/** What a common word weighs. */
const COMMON_WORD = 0.6;
/** In a name that is whole, words differ by their spelling at most. */
const SPELLED = 0.93;

export interface NameComparison {
  readonly evidence: NameEvidence;
  readonly likeness: Likeness;
}

/** How much rarer than common ones the words of an edge are: by the name that has them apart. */
const distinctivenessOf = (query: Side, name: ScoredName, { queryMask, listed, kind }: Edge): number => {
  if (kind !== 'joined') {
    return Math.max(0, Math.min(weightOf(query.words, queryMask), weightOf(name.words, listed)) - COMMON_WORD);
  }
  const [words, mask] = isOne(queryMask) ? [name.words, listed] : [query.words, queryMask];
  return words.reduce(
    (sum, { weight }, place) => sum + ((mask & bit(place)) === 0 ? 0 : Math.max(0, weight - COMMON_WORD)),
    0,
  );
};

/** Whether words are the same letter by letter. */
const isSame = (query: Side, name: ScoredName, { queryMask, listed, kind, similarity }: Edge): boolean =>
  kind === 'words' &&
  similarity === 1 &&
  query.words[31 - Math.clz32(queryMask)]?.forms[0]?.written === name.words[31 - Math.clz32(listed)]?.forms[0]?.written;

/** How alike the words of an edge can be: without vowels they are never quite. */
const mostAlike = (query: Side, { queryMask }: Edge): number => {
  const first = query.words[31 - Math.clz32(queryMask & -queryMask)];
  return first !== undefined && isAbjad(first) ? SAME_CONSONANTS : 1;
};

const wordsIn = (words: readonly Word[], mask: number): Word[] => words.filter((_, place) => (mask & bit(place)) !== 0);

const asOne = (words: readonly Word[]): Form => formOf(words.map(({ forms: [form] }) => form?.written ?? '').join(''));

/** Consonants alone, or one of several readings, may be another name. */
const isCertain = (query: Side, name: ScoredName, { queryMask, listed, similarity }: Edge): boolean => {
  if (!isOne(queryMask) || !isOne(listed)) {
    const [ours, theirs] = [wordsIn(query.words, queryMask), wordsIn(name.words, listed)];
    if (ours.some(isAbjad)) return false;
    return ours.every(({ forms }) => forms.length === 1) || alikeForms(asOne(ours), asOne(theirs), SPELLED) >= SPELLED;
  }
  const [one, other] = [query.words[31 - Math.clz32(queryMask)], name.words[31 - Math.clz32(listed)]];
  if (one === undefined || other === undefined || (one.forms.length === 1 && !isAbjad(one))) return true;
  const [ours, theirs] = [one.forms[0], other.forms[0]];
  if (isAbjad(one)) return similarity === 1;
  return ours !== undefined && theirs !== undefined && alikeForms(ours, theirs, SPELLED) >= SPELLED;
};

/** What the alignment of two names says. */
export const compareNames = (query: Side, name: ScoredName, alignment: Alignment, weak: boolean): NameComparison => {
  const { edges, queryUnmatched, listedLeft } = alignment;
  let [agrees, unlike, initials, consonants, distinctiveness, worst] = [0, 0, 0, 0, 0, 1];
  let [queryMatched, listed, agreeing] = [0, 0, 0];
  for (const edge of edges) {
    const [ours, theirs] = [weightOf(query.words, edge.queryMask), weightOf(name.words, edge.listed)];
    const isInitial = edge.kind === 'initial';
    agrees += edge.similarity * Math.min(ours, theirs);
    unlike += isInitial ? 0 : Math.max(0, mostAlike(query, edge) - edge.similarity) * Math.max(ours, theirs);
    initials += isInitial ? 1 : 0;
    queryMatched += edge.similarity * ours;
    listed += edge.similarity * (isInitial ? SHARE_OF_INITIAL : 1) * theirs;
    distinctiveness += isInitial ? 0 : distinctivenessOf(query, name, edge);
    worst = Math.min(worst, isInitial || !isCertain(query, name, edge) ? 0 : edge.similarity);
    const first = query.words[31 - Math.clz32(edge.queryMask & -edge.queryMask)];
    if (first !== undefined && isAbjad(first)) consonants += theirs;
    if (!isInitial && theirs >= SIGNIFICANT)
      agreeing += Math.max(significant(query.words, edge.queryMask), significant(name.words, edge.listed));
  }
  const [queryShare, listedShare] = [queryMatched / query.total, listed / name.total];
  const less = Math.min(queryShare, listedShare);
  const [ours, theirs] = [weightOf(query.words, queryUnmatched), weightOf(name.words, listedLeft)];
  const differs = Math.min(ours, theirs);
  const isWhole = worst >= SPELLED && significant(name.words, listedLeft) === 0;
  const isOneOfSeveral = agreeing < 2 && Math.max(significant(query.words, -1), significant(name.words, -1)) >= 2;
  return {
    evidence: {
      agrees_1: Math.min(1, agrees),
      agrees_2: Math.min(1, Math.max(0, agrees - 1)),
      agrees_3: Math.min(2, Math.max(0, agrees - 2)),
      unlike,
      differs,
      listed_lacks: (ours - differs) / query.total,
      asked_lacks: (theirs - differs) / name.total,
      one_word: isOneOfSeveral ? 1 : 0,
      initials,
      consonants,
      patronymics: hasPatronymic(query.words, queryUnmatched) && hasPatronymic(name.words, listedLeft) ? 1 : 0,
      weak_alias: weak ? 1 : 0,
    },
    likeness: {
      score: Math.max(queryShare, listedShare) * (1 - LEFT_OVER * (1 - less)),
      whole: isWhole && significant(query.words, queryUnmatched) === 0,
      // Two words that are one of the query's may be a given name.
      contained: isWhole && agreeing >= 2 && edges.length >= 2 && edges.every(({ kind }) => kind !== 'initial'),
      words: agreeing,
      identical: queryUnmatched === 0 && listedLeft === 0 && edges.every((edge) => isSame(query, name, edge)),
      distinctiveness,
    },
  };
};
