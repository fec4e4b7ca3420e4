import { type Form } from './normalise.js';
import { type QueryWord } from './name-index.js';
import { alike } from './token-index.js';

/** Where a query has a word, or two neighbours written as one, that resembles a word of the list. */
export interface Resemblance {
  readonly asked: number;
  readonly askedCount: 1 | 2;
  readonly similarity: number;
}

/** A query's words, and what resembles each word of the list, by that word's id. */
export interface Side {
  readonly words: readonly QueryWord[];
  /** The places of all words, and of those that are initials. */
  readonly every: readonly number[];
  readonly initials: readonly number[];
  readonly resembling: ReadonlyMap<number, readonly Resemblance[]>;
  readonly total: number;
}

export interface ListedWord {
  readonly id: number;
  readonly weight: number;
  readonly form: Form;
  readonly abjad: boolean;
}

export interface ScoredName {
  readonly words: readonly ListedWord[];
  /** The id of each word and its next written as one. */
  readonly pairs: Uint32Array;
  readonly total: number;
}

export interface Likeness {
  /** 0–1. */
  readonly score: number;
  /** The share of one name, 0–1, that the other lacks. */
  readonly lacking: number;
}

interface Edge extends Resemblance {
  readonly listed: number;
  readonly listedCount: 1 | 2;
  /** How much of the listed word's weight is explained. */
  readonly share: number;
  /** How much of both names agrees by it. */
  readonly worth: number;
}

const INITIAL = 0.85;
/** An initial tells only so much of a name. */
const SHARE_OF_INITIAL = 0.6;
/** A word that weighs less could be left out of any name. */
const SIGNIFICANT = 0.35;
/** What is lost where one side has words that the other lacks. */
const LEFT_OVER = 0.3;
/** What agrees says little where it weighs less than one rare word. */
const SAYS_LITTLE = 0.2;
/** One word of two or more that agree is hardly a resemblance. */
const ONE_WORD_ONLY = 0.75;

/** Names that agree by this share may differ more in their last word than words that are looked for by themselves. */
export const RATHER_ALIKE = 0.6;
const LEAST_ALIKE_AT_LAST = 0.5;
/** The most that words gain which are compared at last. */
export const MOST_AT_LAST = 0.75;

const weightFrom = (words: readonly { readonly weight: number }[], from: number, count: number): number =>
  (words[from]?.weight ?? 0) + (count === 2 ? (words[from + 1]?.weight ?? 0) : 0);

const edgeOf = (
  { words }: Side,
  name: ScoredName,
  { asked, askedCount, similarity }: Resemblance,
  listed: number,
  listedCount: 1 | 2,
  share: number,
): Edge => {
  const weight = weightFrom(words, asked, askedCount) + share * weightFrom(name.words, listed, listedCount);
  return { asked, askedCount, similarity, listed, listedCount, share, worth: similarity * weight };
};

const NONE: readonly Resemblance[] = [];

const edgesBetween = (query: Side, name: ScoredName): Edge[] => {
  const { words, every, initials, resembling } = query;
  const edges: Edge[] = [];
  name.words.forEach((one, listed) => {
    const alone = resembling.get(one.id) ?? NONE;
    for (const found of alone) edges.push(edgeOf(query, name, found, listed, 1, 1));
    for (const found of resembling.get(name.pairs[listed] ?? 0) ?? NONE) {
      if (found.askedCount === 1) edges.push(edgeOf(query, name, found, listed, 2, 1));
    }
    for (const asked of one.form.folded.length === 1 ? every : initials) {
      const word = words[asked];
      if (word?.letter !== one.form.folded[0] || alone.some((found) => found.asked === asked && found.askedCount === 1))
        continue;
      edges.push(edgeOf(query, name, { asked, askedCount: 1, similarity: INITIAL }, listed, 1, SHARE_OF_INITIAL));
    }
  });
  return edges.sort((a, b) => b.worth - a.worth);
};

const span = (from: number, count: number): number => ((1 << count) - 1) << from;

const significant = (words: readonly { readonly weight: number }[]): number =>
  words.filter(({ weight }) => weight >= SIGNIFICANT).length;

/** The place of the only word that is not taken; undefined where there are none or several. */
const onlyLeft = (count: number, taken: number): number | undefined => {
  const left = ~taken & ((1 << count) - 1);
  return left !== 0 && (left & (left - 1)) === 0 ? Math.clz32(1) - Math.clz32(left) : undefined;
};

/** The only word that is left on both sides, where they resemble each other. */
const lastEdge = (query: Side, name: ScoredName, askedTaken: number, listedTaken: number) => {
  const asked = onlyLeft(query.words.length, askedTaken);
  const listed = onlyLeft(name.words.length, listedTaken);
  if (asked === undefined || listed === undefined) return undefined;
  const [one, other] = [query.words[asked], name.words[listed]];
  if (one === undefined || other === undefined) return undefined;
  const similarity = alike(one.form, other.form, one.abjad || other.abjad, LEAST_ALIKE_AT_LAST);
  return similarity === 0 ? undefined : { asked, listed, similarity };
};

/** The score of names of which the one side agrees by the greater, the other by the lesser share. */
export const boundOf = (better: number, worse: number): number => better * (1 - LEFT_OVER * (1 - worse));

/**
 * 0–1. Each word is matched once, the weightiest agreement first, whatever the order. What one side has beyond the other
 * costs less than what differs on both.
 */
export const scoreOf = (query: Side, name: ScoredName): Likeness => {
  let [askedTaken, listedTaken, asked, listed, agreeing] = [0, 0, 0, 0, 0];
  for (const edge of edgesBetween(query, name)) {
    const [askedSpan, listedSpan] = [span(edge.asked, edge.askedCount), span(edge.listed, edge.listedCount)];
    if ((askedTaken & askedSpan) !== 0 || (listedTaken & listedSpan) !== 0) continue;
    askedTaken |= askedSpan;
    listedTaken |= listedSpan;
    asked += edge.similarity * weightFrom(query.words, edge.asked, edge.askedCount);
    const weight = weightFrom(name.words, edge.listed, edge.listedCount);
    listed += edge.similarity * edge.share * weight;
    if (weight >= SIGNIFICANT) agreeing += Math.max(edge.askedCount, edge.listedCount);
  }
  const ratherAlike = Math.min(asked / query.total, listed / name.total) >= RATHER_ALIKE;
  const last = ratherAlike ? lastEdge(query, name, askedTaken, listedTaken) : undefined;
  if (last !== undefined) {
    asked += last.similarity * weightFrom(query.words, last.asked, 1);
    listed += last.similarity * weightFrom(name.words, last.listed, 1);
    agreeing += 1;
  }
  const [askedShare, listedShare] = [asked / query.total, listed / name.total];
  const [better, worse] = [Math.max(askedShare, listedShare), Math.min(askedShare, listedShare)];
  const score = boundOf(better, worse) - SAYS_LITTLE * Math.max(0, 1 - Math.min(asked, listed));
  const fewest = Math.max(significant(query.words), significant(name.words));
  return { score: fewest >= 2 && agreeing < 2 ? score * ONE_WORD_ONLY : score, lacking: 1 - worse };
};
