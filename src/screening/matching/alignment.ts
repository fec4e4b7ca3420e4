import { type Form } from './sounds.js';
import { alike, type Word } from './word.js';

/** A word of a query as a list weighs it. */
export interface WeighedWord extends Word {
  /** 0–1: how much it says, by its kind and how rare it is on the list. */
  readonly weight: number;
}

/** Which words of the query, by bit, resemble a word of the list. */
export interface Resemblance {
  readonly queryMask: number;
  /** 0–1. */
  readonly similarity: number;
}

/** A query's words, and what resembles each word of the list, by that word's id. */
export interface Side {
  readonly words: readonly WeighedWord[];
  readonly resembling: ReadonlyMap<number, readonly Resemblance[]>;
  /** By the id of a word of the list: the words of the query, by bit, that begin or end with it. */
  readonly pieces: ReadonlyMap<number, number>;
  readonly hasInitial: boolean;
  /** What the words weigh together. */
  readonly total: number;
}

export interface ListedWord extends WeighedWord {
  readonly id: number;
}

export interface ScoredName {
  readonly words: readonly ListedWord[];
  /** The id of each word and its next written as one. */
  readonly pairs: Uint32Array;
  readonly total: number;
}

export type EdgeKind = 'words' | 'initial' | 'joined';

/** Words of both names, by bit, that agree. */
export interface Edge {
  readonly queryMask: number;
  readonly listed: number;
  /** 0–1. */
  readonly similarity: number;
  readonly kind: EdgeKind;
}

/** Each word of both names is in one edge at most. */
export interface Alignment {
  readonly edges: readonly Edge[];
  /** Words, by bit, that agree with none of the other name. */
  readonly queryUnmatched: number;
  readonly listedLeft: number;
}

const INITIAL = 0.85;
/** The last words of names that agree otherwise may differ more than words that are looked for by themselves. */
const MIN_ALIKE_AT_LAST = 0.5;
/** The share of both names that agrees then. */
export const MIN_PARTIAL_SIMILARITY = 0.6;

export const bit = (place: number): number => 1 << place;

export const isOne = (mask: number): boolean => (mask & (mask - 1)) === 0;

/** What the words of a mask weigh together. */
export const weightOf = (words: readonly { readonly weight: number }[], mask: number): number => {
  let sum = 0;
  for (let rest = mask; rest !== 0; rest &= rest - 1) sum += words[31 - Math.clz32(rest & -rest)]?.weight ?? 0;
  return sum;
};

interface Weighed extends Edge {
  /** How much of both names agrees by it. */
  readonly worth: number;
}

const edgeOf = (query: Side, name: ScoredName, edge: Edge): Weighed => {
  const worth = edge.similarity * (weightOf(query.words, edge.queryMask) + weightOf(name.words, edge.listed));
  return { ...edge, worth };
};

const firstLetter = ({ forms: [form] }: Word): string => form?.folded[0] ?? '';

const NONE: readonly Resemblance[] = [];

/** Words of the list that, in some order, make up the text: by bit; 0 where none do. */
const tiles = (text: string, words: readonly Word[], spelled: keyof Form, taken = 0): number => {
  if (text === '') return taken;
  for (let place = 0; place < words.length; place += 1) {
    const piece = words[place]?.forms[0]?.[spelled] ?? '';
    if ((taken & bit(place)) !== 0 || piece.length < 2 || !text.startsWith(piece)) continue;
    const found = tiles(text.slice(piece.length), words, spelled, taken | bit(place));
    if (found !== 0) return found;
  }
  return 0;
};

const wordsWrittenAsOne = (query: Side, name: ScoredName): Weighed[] => {
  let begun = 0;
  for (const { id } of name.words) begun |= query.pieces.get(id) ?? 0;
  const edges: Weighed[] = [];
  for (; begun !== 0; begun &= begun - 1) {
    const queryMask = begun & -begun;
    const form = query.words[31 - Math.clz32(queryMask)]?.forms[0];
    if (form === undefined) continue;
    const listed = tiles(form.written, name.words, 'written') || tiles(form.folded, name.words, 'folded');
    if (listed !== 0) edges.push(edgeOf(query, name, { queryMask, listed, similarity: 1, kind: 'joined' }));
  }
  return edges;
};

const edgesBetween = (query: Side, name: ScoredName): Weighed[] => {
  const edges = wordsWrittenAsOne(query, name);
  const add = (edge: Edge): void => void edges.push(edgeOf(query, name, edge));
  name.words.forEach((one, place) => {
    const alone = query.resembling.get(one.id) ?? NONE;
    const listed = bit(place);
    for (const { queryMask, similarity } of alone) {
      add({ queryMask, listed, similarity, kind: isOne(queryMask) ? 'words' : 'joined' });
    }
    for (const { queryMask, similarity } of query.resembling.get(name.pairs[place] ?? 0) ?? NONE) {
      if (isOne(queryMask)) add({ queryMask, listed: listed | bit(place + 1), similarity, kind: 'joined' });
    }
    if (one.kind !== 'initial' && !query.hasInitial) return;
    query.words.forEach((word, at) => {
      if (one.kind !== 'initial' && word.kind !== 'initial') return;
      if (firstLetter(one) !== firstLetter(word) || alone.some(({ queryMask }) => queryMask === bit(at))) return;
      add({ queryMask: bit(at), listed, similarity: INITIAL, kind: 'initial' });
    });
  });
  return edges.sort((a, b) => b.worth - a.worth);
};

/** The only word that is left on both sides, where they resemble each other. */
const lastEdge = (query: Side, name: ScoredName, queryUnmatched: number, listedLeft: number): Edge | undefined => {
  if (queryUnmatched === 0 || listedLeft === 0 || !isOne(queryUnmatched) || !isOne(listedLeft)) return undefined;
  const [one, other] = [query.words[31 - Math.clz32(queryUnmatched)], name.words[31 - Math.clz32(listedLeft)]];
  if (one === undefined || other === undefined) return undefined;
  const similarity = alike(one, other, MIN_ALIKE_AT_LAST);
  return similarity === 0 ? undefined : { queryMask: queryUnmatched, listed: listedLeft, similarity, kind: 'words' };
};

const taking = (query: Side, name: ScoredName, offered: readonly Edge[]): Alignment => {
  const edges: Edge[] = [];
  let [queryUnmatched, listedLeft] = [bit(query.words.length) - 1, bit(name.words.length) - 1];
  let [queryMatched, listed] = [0, 0];
  for (const edge of offered) {
    if ((edge.queryMask & ~queryUnmatched) !== 0 || (edge.listed & ~listedLeft) !== 0) continue;
    queryUnmatched &= ~edge.queryMask;
    listedLeft &= ~edge.listed;
    queryMatched += edge.similarity * weightOf(query.words, edge.queryMask);
    listed += edge.similarity * weightOf(name.words, edge.listed);
    edges.push(edge);
  }
  const ratherAlike = Math.min(queryMatched / query.total, listed / name.total) >= MIN_PARTIAL_SIMILARITY;
  const last = ratherAlike ? lastEdge(query, name, queryUnmatched, listedLeft) : undefined;
  if (last === undefined) return { edges, queryUnmatched, listedLeft };
  return { edges: [...edges, last], queryUnmatched: 0, listedLeft: 0 };
};

/**
 * The ways to align two names, word by word and with words written as one. In each, every word counts once, the weightiest
 * agreement first, whatever the order.
 */
export const align = (query: Side, name: ScoredName): readonly Alignment[] => {
  const edges = edgesBetween(query, name);
  const alone = edges.filter(({ kind }) => kind !== 'joined');
  return alone.length === edges.length
    ? [taking(query, name, edges)]
    : [taking(query, name, alone), taking(query, name, edges)];
};
