import {
  type Alignment,
  align,
  bit,
  type ListedWord,
  MIN_PARTIAL_SIMILARITY,
  type Resemblance,
  type ScoredName,
  type Side,
  type WeighedWord,
  weightOf,
} from './alignment.js';
import { type JoinedQueryWord, type QueryPart, type KeyedWord } from './query-name.js';
import { type Buckets, PairList } from './buckets.js';
import { compareNames, type NameComparison } from './evidence.js';
import { MIN_LOST, logitOfNames, logitOfWeights } from './model.js';
import { hasInitial, joined, type NameToken } from './name-token.js';
import { MAX_TOGETHER, tokensOf } from './normalise.js';
import { rarityOf } from './rarity.js';
import { Hits, TokenIndex } from './token-index.js';
import { type Word } from './word.js';

/** A name that resembles the query. */
export interface NameHit extends NameComparison {
  /** Its place among the names that the index was built from. */
  readonly name: number;
  /** What the names say for the same person. */
  readonly logit: number;
  readonly side: Side;
  readonly scored: ScoredName;
  readonly alignment: Alignment;
}

/** A name to be found. */
export interface IndexedName {
  readonly text: string;
  readonly weak: boolean;
}

/** The least that a name must say, by its place. */
export type LeastOf = (name: number) => number;

const { max, min } = Math;

const NOTHING = 0xffff_ffff;
/** The most names that are compared in full; the likeliest come first. Of a query with many words each takes longer. */
const MAX_COMPARED = 1_500;
const MAX_COMPARED_WORDS = 9_000;
/** A part of a word's weight that does not depend on how rare it is. */
const COMMON = 0.45;

/** Names that are listed in full are compared before all others, the longest first. */
const FIRST = 1_000;
/** The share of a listed name that agrees at least where all of its telling words do. */
const WHOLE = 0.9;
/** What the word that is compared at last may gain. */
const MAX_AT_LAST = 0.75;

interface QueryWord extends WeighedWord {
  readonly hits: Hits;
  readonly pieces: readonly number[];
}

export class NameIndex {
  private readonly tokens = new TokenIndex();
  private readonly starts: Uint32Array;
  private readonly words: Uint32Array;
  /** The id of each word and its next written as one. */
  private readonly pairs: Uint32Array;
  private readonly postings: Buckets;
  private readonly weights: Float32Array;
  private readonly totals: Float32Array;
  /** What the initials of each name weigh. */
  private readonly initials: Float32Array;
  private readonly gathered: Float32Array;
  private readonly listed: ListedWord[] = [];

  constructor(private readonly names: readonly IndexedName[]) {
    const starts = [0];
    const words: number[] = [];
    const pairs: number[] = [];
    const postings = new PairList();
    names.forEach(({ text }, name) => {
      const tokens = tokensOf(text);
      tokens.forEach((token, index) => {
        const next = tokens[index + 1];
        const word = this.tokens.add(token, false);
        const pair = next === undefined || hasInitial(token, next) ? NOTHING : this.addPair(token, next);
        words.push(word);
        pairs.push(pair);
        postings.add(word, name);
        if (pair !== NOTHING) postings.add(pair, name);
      });
      starts.push(words.length);
    });
    this.tokens.seal();
    this.starts = Uint32Array.from(starts);
    this.words = Uint32Array.from(words);
    this.pairs = Uint32Array.from(pairs);
    this.postings = postings.toBuckets(this.tokens.size);
    this.weights = this.weigh();
    this.totals = Float32Array.from(names, (_, name) => this.sum(name, () => true));
    this.initials = Float32Array.from(names, (_, name) =>
      this.sum(name, (id) => this.tokens.wordAt(id).kind === 'initial'),
    );
    this.gathered = new Float32Array(names.length);
  }

  /**
   * The names that say at least this much for the same person, best first; of a long query, each part by itself. `leastOf` asks
   * more of single names.
   */
  search(parts: readonly QueryPart[], least: number, leastOf: LeastOf = () => least): NameHit[] {
    const known = new Map<KeyedWord, QueryWord>();
    const wordOf = (keyedWord: KeyedWord): QueryWord => {
      const word = known.get(keyedWord) ?? this.wordOf(keyedWord);
      known.set(keyedWord, word);
      return word;
    };
    return parts
      .flatMap((part) =>
        part.words.length > MAX_TOGETHER
          ? this.searchAmong(part, wordOf)
          : this.searchPart(part, wordOf, least, leastOf),
      )
      .sort((a, b) => b.logit - a.logit || a.name - b.name);
  }

  private searchPart(
    part: QueryPart,
    wordOf: (keyedWord: KeyedWord) => QueryWord,
    least: number,
    leastOf: LeastOf,
  ): NameHit[] {
    if (part.words.length === 0) return [];
    const words = part.words.map(wordOf);
    const joins = part.joins.map(({ word, mask }) => ({ hits: this.tokens.hits(word, true), mask }));
    const total = words.reduce((sum, { weight }) => sum + weight, 0);
    const hasInitial = words.some(({ kind }) => kind === 'initial');
    const side: Side = { words, resembling: resemblances(words, joins), pieces: piecesOf(words), hasInitial, total };
    return this.candidates(side, words, joins, least, leastOf).flatMap((name) => {
      const scored = this.scored(name);
      const hit = this.compare(name, side, scored);
      return hit.logit >= leastOf(name) || hit.likeness.contained || hit.likeness.whole ? [hit] : [];
    });
  }

  /** Whole names among more words than are aligned, wherever each of their words is. */
  private searchAmong(part: QueryPart, wordOf: (keyedWord: KeyedWord) => QueryWord): NameHit[] {
    const words = part.words.map(wordOf);
    const total = words.reduce((sum, { weight }) => sum + weight, 0);
    const places = placesById(words);
    return this.gather(words, []).flatMap(([name, found]) => {
      if (!this.isNearlyWhole(name, found)) return [];
      const scored = this.scored(name);
      const ids = [...scored.words.map(({ id }) => id), ...scored.pairs];
      const chosen = new Set(ids.flatMap((id) => places.get(id) ?? []));
      const some = [...chosen].slice(0, MAX_TOGETHER);
      const hasInitial = some.some(({ kind }) => kind === 'initial');
      const side: Side = { words: some, resembling: resemblances(some, []), pieces: piecesOf(some), hasInitial, total };
      const hit = this.compare(name, side, scored);
      return hit.likeness.contained || hit.likeness.whole ? [hit] : [];
    });
  }

  /** By the alignment that says most for the same person. */
  private compare(name: number, side: Side, scored: ScoredName): NameHit {
    const weak = this.names[name]?.weak ?? false;
    const hits = align(side, scored).map((alignment): NameHit => {
      const comparison = compareNames(side, scored, alignment, weak);
      return { name, logit: logitOfNames(comparison.evidence), side, scored, alignment, ...comparison };
    });
    return hits.reduce((best, hit) => (hit.logit > best.logit ? hit : best));
  }

  private addPair(first: NameToken, second: NameToken): number {
    return this.tokens.add(joined(first, second), true);
  }

  private wordOf(keyedWord: KeyedWord): QueryWord {
    const { word } = keyedWord;
    const hits = this.tokens.hits(keyedWord, false);
    return { ...word, hits, pieces: this.tokens.pieces(word), weight: this.weightOf(word, hits) };
  }

  /** A word with an error weighs what the word weighs that it resembles most. */
  private weightOf(word: Word, hits: Hits): number {
    const rarity = rarityOf(word.forms[0]?.folded ?? '');
    let [best, weight] = [0.75, word.factor * (COMMON + (1 - COMMON) * rarity)];
    hits.forEach((id, similarity) => {
      if (similarity <= best || this.tokens.isJoined(id)) return;
      best = similarity;
      weight = this.weights[id] ?? weight;
    });
    return weight;
  }

  private weigh(): Float32Array {
    return Float32Array.from({ length: this.tokens.size }, (_, id) =>
      this.tokens.isJoined(id)
        ? 0
        : this.tokens.wordAt(id).factor * (COMMON + (1 - COMMON) * rarityOf(this.tokens.foldedOf(id))),
    );
  }

  private sum(name: number, counts: (id: number) => boolean): number {
    let total = 0;
    for (let at = this.starts[name] ?? 0; at < (this.starts[name + 1] ?? 0); at += 1) {
      const id = this.words[at] ?? 0;
      if (counts(id)) total += this.weights[id] ?? 0;
    }
    return total;
  }

  private scored(name: number): ScoredName {
    const [from, to] = [this.starts[name] ?? 0, this.starts[name + 1] ?? 0];
    const words: ListedWord[] = [];
    for (let at = from; at < to; at += 1) words.push(this.listedWord(this.words[at] ?? 0));
    return { words, pairs: this.pairs.subarray(from, to), total: this.totals[name] ?? 0 };
  }

  private listedWord(id: number): ListedWord {
    const word = (this.listed[id] ??= { ...this.tokens.wordAt(id), id, weight: this.weights[id] ?? 0 });
    return word;
  }

  /** Names that could say so much: what their words could give at best is gathered from the postings. */
  private candidates(
    { words, total }: Side,
    queryWords: readonly QueryWord[],
    joins: readonly Join[],
    least: number,
    leastOf: LeastOf,
  ): number[] {
    const gathered = this.gather(queryWords, joins);
    const initials = words.reduce((sum, { kind, weight }) => sum + (kind === 'initial' ? weight : 0), 0);
    const likely: { readonly name: number; readonly bound: number }[] = [];
    for (const [name, found] of gathered) {
      if (this.isNearlyWhole(name, found)) {
        likely.push({ name, bound: FIRST + found });
        continue;
      }
      const bound = this.bound(name, found, total - initials, initials > 0);
      if (bound >= least && bound >= leastOf(name)) likely.push({ name, bound });
    }
    const most = Math.min(MAX_COMPARED, Math.floor(MAX_COMPARED_WORDS / words.length));
    if (likely.length > most) likely.sort((a, b) => b.bound - a.bound || a.name - b.name);
    return likely.slice(0, most).map(({ name }) => name);
  }

  /** What the words could give each name at best, by the postings. A word of the list agrees once, however many words resemble it. */
  private gather(
    queryWords: readonly QueryWord[],
    joins: readonly Join[],
  ): (readonly [name: number, weight: number])[] {
    const touched: number[] = [];
    const gain = (id: number, weight: number): void =>
      this.postings.forEach(id, (name) => {
        const before = this.gathered[name] ?? 0;
        if (before === 0) touched.push(name);
        this.gathered[name] = before + weight;
      });
    const gains = new Map<number, number>();
    const note = (id: number, weight: number): void => void gains.set(id, Math.max(weight, gains.get(id) ?? 0));
    const noteAll = (hits: Hits, weight: number): void =>
      hits.forEach((id, similarity) => note(id, similarity * Math.max(weight, this.weights[id] ?? 0)));
    for (const { hits, pieces, weight } of queryWords) {
      noteAll(hits, weight);
      for (const id of pieces) note(id, this.weights[id] ?? 0);
    }
    for (const { hits, mask } of joins) noteAll(hits, weightOf(queryWords, mask));
    for (const [id, weight] of gains) gain(id, weight);
    return touched.map((name) => {
      const found = this.gathered[name] ?? 0;
      this.gathered[name] = 0;
      return [name, found] as const;
    });
  }

  /** A name that is listed as it is asked for counts, however little it says. */
  private isNearlyWhole(name: number, gathered: number): boolean {
    return gathered >= WHOLE * (this.totals[name] ?? 0);
  }

  /** No less than the logit of the name. Initials are not gathered, so they are taken to agree. */
  private bound(name: number, found: number, queryTotal: number, hasInitials: boolean): number {
    const ofInitials = this.initials[name] ?? 0;
    const listed = (this.totals[name] ?? 0) - ofInitials;
    const [less, more] = [min(queryTotal, listed), max(queryTotal, listed)];
    const gathered = found / more < MIN_PARTIAL_SIMILARITY ? found : found + MAX_AT_LAST * min(1, max(0, less - found));
    // An initial may represent any word of the other name, so only what the shorter name has besides must be found.
    if (hasInitials || ofInitials > 0) {
      return logitOfWeights(gathered, 0, 0, queryTotal, listed) + MIN_LOST * max(0, 1 - gathered / less);
    }
    return logitOfWeights(gathered, max(0, queryTotal - gathered), max(0, listed - gathered), queryTotal, listed);
  }
}

interface Join extends Pick<JoinedQueryWord, 'mask'> {
  readonly hits: Hits;
}

/** By the id of the word of the list. */
const resemblances = (words: readonly QueryWord[], joins: readonly Join[]): Map<number, Resemblance[]> => {
  const byId = new Map<number, Resemblance[]>();
  const add = (hits: Hits, queryMask: number): void =>
    hits.forEach((id, similarity) => {
      const known = byId.get(id);
      if (known === undefined) byId.set(id, [{ queryMask, similarity }]);
      else known.push({ queryMask, similarity });
    });
  words.forEach(({ hits }, place) => add(hits, bit(place)));
  for (const { hits, mask } of joins) add(hits, mask);
  return byId;
};

/** Words of the query by each word of the list that they resemble or have as a piece. */
const placesById = (words: readonly QueryWord[]): ReadonlyMap<number, readonly QueryWord[]> => {
  const byId = new Map<number, QueryWord[]>();
  const add = (id: number, word: QueryWord): void => {
    const known = byId.get(id);
    if (known === undefined) byId.set(id, [word]);
    else known.push(word);
  };
  for (const word of words) {
    word.hits.forEach((id) => add(id, word));
    for (const id of word.pieces) add(id, word);
  }
  return byId;
};

const piecesOf = (words: readonly QueryWord[]): Map<number, number> => {
  const byId = new Map<number, number>();
  words.forEach(({ pieces }, place) => {
    for (const id of pieces) byId.set(id, (byId.get(id) ?? 0) | bit(place));
  });
  return byId;
};
