import { type QueryWord } from './name-index.js';
import { type Hits } from './token-index.js';

/** A query's words. `joined[i]` are the hits of word i and its next written as one. */
export interface Side {
  readonly words: readonly QueryWord[];
  readonly joined: readonly Hits[];
  readonly total: number;
}

export interface ScoredName {
  readonly words: readonly { readonly id: number; readonly weight: number; readonly form: string }[];
  /** The id of each word and its next written as one. */
  readonly pairs: Uint32Array;
  readonly total: number;
}

interface Edge {
  readonly asked: number;
  readonly askedCount: 1 | 2;
  readonly listed: number;
  readonly listedCount: 1 | 2;
  readonly similarity: number;
  /** How much of the listed word's weight is explained. */
  readonly share: number;
}

const INITIAL = 0.85;
/** An initial tells only so much of a name. */
const SHARE_OF_INITIAL = 0.6;
/** A word that weighs less could be left out of any name. */
const SIGNIFICANT = 0.35;
/** What is lost where one side has words that the other lacks. */
const LEFT_OVER = 0.3;
/** One word of two or more that agree is hardly a resemblance. */
const ONE_WORD_ONLY = 0.75;

const initialEdge = (word: QueryWord, listed: ScoredName['words'][number]): number =>
  (word.isInitial || listed.form.length === 1) && listed.form.startsWith(word.letter) ? INITIAL : 0;

const edgesBetween = ({ words, joined }: Side, name: ScoredName): Edge[] => {
  const edges: Edge[] = [];
  const add = (asked: number, askedCount: 1 | 2, listed: number, listedCount: 1 | 2, similarity: number, share = 1) => {
    if (similarity > 0) edges.push({ asked, askedCount, listed, listedCount, similarity, share });
  };
  name.words.forEach((one, listed) => {
    words.forEach((word, asked) => {
      const similarity = word.hits.get(one.id) ?? 0;
      if (similarity > 0) add(asked, 1, listed, 1, similarity);
      else add(asked, 1, listed, 1, initialEdge(word, one), SHARE_OF_INITIAL);
      add(asked, 1, listed, 2, word.hits.get(name.pairs[listed] ?? 0) ?? 0);
    });
    joined.forEach((hits, asked) => add(asked, 2, listed, 1, hits.get(one.id) ?? 0));
  });
  return edges;
};

const weightFrom = (words: readonly { readonly weight: number }[], from: number, count: number): number =>
  (words[from]?.weight ?? 0) + (count === 2 ? (words[from + 1]?.weight ?? 0) : 0);

const span = (from: number, count: number): number => ((1 << count) - 1) << from;

const significant = (words: readonly { readonly weight: number }[]): number =>
  words.filter(({ weight }) => weight >= SIGNIFICANT).length;

/** The score of names of which the one side agrees by the greater, the other by the lesser share. */
export const boundOf = (better: number, worse: number): number => better * (1 - LEFT_OVER * (1 - worse));

/**
 * 0–1. Each word is matched once, the weightiest agreement first, whatever the order. What one side has beyond the other
 * costs less than what differs on both.
 */
export const scoreOf = (query: Side, name: ScoredName): number => {
  const worth = (edge: Edge): number =>
    edge.similarity *
    (weightFrom(query.words, edge.asked, edge.askedCount) +
      edge.share * weightFrom(name.words, edge.listed, edge.listedCount));
  const edges = edgesBetween(query, name)
    .map((edge) => ({ edge, worth: worth(edge) }))
    .sort((a, b) => b.worth - a.worth);
  let [askedTaken, listedTaken, asked, listed, agreeing] = [0, 0, 0, 0, 0];
  for (const { edge } of edges) {
    const [askedSpan, listedSpan] = [span(edge.asked, edge.askedCount), span(edge.listed, edge.listedCount)];
    if ((askedTaken & askedSpan) !== 0 || (listedTaken & listedSpan) !== 0) continue;
    askedTaken |= askedSpan;
    listedTaken |= listedSpan;
    asked += edge.similarity * weightFrom(query.words, edge.asked, edge.askedCount);
    const weight = weightFrom(name.words, edge.listed, edge.listedCount);
    listed += edge.similarity * edge.share * weight;
    if (weight >= SIGNIFICANT) agreeing += Math.max(edge.askedCount, edge.listedCount);
  }
  const [askedShare, listedShare] = [asked / query.total, listed / name.total];
  const [better, worse] = [Math.max(askedShare, listedShare), Math.min(askedShare, listedShare)];
  const score = boundOf(better, worse);
  const fewest = Math.max(significant(query.words), significant(name.words));
  return fewest >= 2 && agreeing < 2 ? score * ONE_WORD_ONLY : score;
};
