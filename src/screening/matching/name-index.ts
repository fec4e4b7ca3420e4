import { type AskedPart, type AskedWord, hasInitial, joined } from './asked-name.js';
import { type Buckets, PairList } from './buckets.js';
import { type Form, type NameToken, tokensOf } from './normalise.js';
import { Hits, TokenIndex, weightOfUnknown } from './token-index.js';
import {
  boundOf,
  MOST_AT_LAST,
  RATHER_ALIKE,
  type Resemblance,
  scoreOf,
  type ScoredName,
  type Side,
} from './name-score.js';

/** A name that resembles the query. */
export interface NameHit {
  /** Its place among the names that the index was built from. */
  readonly name: number;
  readonly score: number;
  /** The share of one name, 0–1, that the other lacks. */
  readonly lacking: number;
}

/** How rare each word is, 0–1, by folded form: taken from the whole list where only a part is indexed. */
export type Rarity = (form: string) => number;

const NOTHING = 0xffff_ffff;
const NO_HITS = new Hits();
/** The most names that are compared in full; the likeliest come first. Of a query with many words each takes longer. */
const MOST_COMPARED = 1_500;
const MOST_COMPARED_WORDS = 9_000;
/** A part of a word's weight that does not depend on how rare it is. */
const COMMON = 0.45;

/** What a query's words are compared by. */
export interface QueryWord {
  readonly form: Form;
  readonly abjad: boolean;
  readonly letter: string;
  readonly isInitial: boolean;
  readonly hits: Hits;
  readonly weight: number;
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

  constructor(names: readonly string[], rarity?: Rarity) {
    const starts = [0];
    const words: number[] = [];
    const pairs: number[] = [];
    const postings = new PairList();
    names.forEach((text, name) => {
      const tokens = tokensOf(text);
      tokens.forEach((token, index) => {
        const next = tokens[index + 1];
        const word = this.tokens.add(token.text, token.abjad, false);
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
    this.weights = this.weigh(rarity ?? this.ownRarity(names.length));
    this.totals = Float32Array.from(names, (_, name) => this.sum(name, () => true));
    this.initials = Float32Array.from(names, (_, name) =>
      this.sum(name, (id) => this.tokens.foldedOf(id).length === 1),
    );
    this.gathered = new Float32Array(names.length);
  }

  /** How rare the words of this index are. */
  get rarity(): Rarity {
    const known = new Map<string, number>();
    for (let id = 0; id < this.tokens.size; id += 1) {
      if (!this.tokens.isJoined(id)) known.set(this.tokens.foldedOf(id), this.rarityOf(id));
    }
    return (form) => known.get(form) ?? 1;
  }

  /** The names that score at least this, best first; of a long query, each part by itself. */
  search(parts: readonly AskedPart[], least: number): NameHit[] {
    const known = new Map<AskedWord, QueryWord>();
    const wordOf = (asked: AskedWord): QueryWord => {
      const word = known.get(asked) ?? this.wordOf(asked);
      known.set(asked, word);
      return word;
    };
    return parts
      .flatMap((part) => this.searchPart(part, wordOf, least))
      .sort((a, b) => b.score - a.score || a.name - b.name);
  }

  private searchPart(part: AskedPart, wordOf: (asked: AskedWord) => QueryWord, least: number): NameHit[] {
    if (part.words.length === 0) return [];
    const words = part.words.map(wordOf);
    const joined = part.pairs.map((pair) => (pair === undefined ? NO_HITS : this.tokens.hits(pair, true)));
    const total = words.reduce((sum, { weight }) => sum + weight, 0);
    const every = words.map((_, index) => index);
    const initials = every.filter((index) => words[index]?.isInitial);
    const side: Side = { words, every, initials, resembling: resemblances(words, joined), total };
    return this.candidates(side, joined, least).flatMap((name) => {
      const { score, lacking } = scoreOf(side, this.scored(name));
      return score >= least ? [{ name, score, lacking }] : [];
    });
  }

  private addPair(first: NameToken, second: NameToken): number {
    const both = joined(first, second);
    return this.tokens.add(both.text, both.abjad, true);
  }

  private wordOf(asked: AskedWord): QueryWord {
    const { form, abjad } = asked;
    const hits = this.tokens.hits(asked, false);
    const [letter = ''] = form.folded;
    return { form, abjad, letter, isInitial: form.written.length === 1, hits, weight: this.weightOf(form, hits) };
  }

  /** A word with an error weighs what the word weighs that it resembles most. */
  private weightOf(form: Form, hits: Hits): number {
    let [best, weight] = [0.75, weightOfUnknown(form)];
    hits.forEach((id, similarity) => {
      if (similarity <= best || this.tokens.isJoined(id)) return;
      best = similarity;
      weight = this.weights[id] ?? weight;
    });
    return weight;
  }

  private ownRarity(names: number): Rarity {
    const counts = new Map<string, number>();
    for (let id = 0; id < this.tokens.size; id += 1) {
      if (this.tokens.isJoined(id)) continue;
      const form = this.tokens.foldedOf(id);
      counts.set(form, (counts.get(form) ?? 0) + this.postings.countOf(id));
    }
    const most = Math.log(names + 2);
    return (form) => Math.min(1, Math.max(0, Math.log((names + 2) / ((counts.get(form) ?? 0) + 1)) / most));
  }

  private weigh(rarity: Rarity): Float32Array {
    return Float32Array.from({ length: this.tokens.size }, (_, id) =>
      this.tokens.isJoined(id)
        ? 0
        : this.tokens.factorOf(id) * (COMMON + (1 - COMMON) * rarity(this.tokens.foldedOf(id))),
    );
  }

  private rarityOf(id: number): number {
    return ((this.weights[id] ?? 0) / this.tokens.factorOf(id) - COMMON) / (1 - COMMON);
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
    const words: ScoredName['words'][number][] = [];
    for (let at = from; at < to; at += 1) {
      const id = this.words[at] ?? 0;
      words.push({ id, weight: this.weights[id] ?? 0, form: this.tokens.formOf(id), abjad: this.tokens.isAbjad(id) });
    }
    return { words, pairs: this.pairs.subarray(from, to), total: this.totals[name] ?? 0 };
  }

  /** Names that could reach the score: what their words could give at best is gathered from the postings. */
  private candidates({ words, total }: Side, joined: readonly Hits[], least: number): number[] {
    const touched: number[] = [];
    const gather = (hits: Hits, weight: number): void => {
      hits.forEach((id, similarity) => {
        const gain = similarity * Math.max(weight, this.weights[id] ?? 0);
        this.postings.forEach(id, (name) => {
          const before = this.gathered[name] ?? 0;
          if (before === 0) touched.push(name);
          this.gathered[name] = before + gain;
        });
      });
    };
    for (const { hits, weight } of words) gather(hits, weight);
    joined.forEach((hits, index) => gather(hits, (words[index]?.weight ?? 0) + (words[index + 1]?.weight ?? 0)));
    const initials = words.reduce((sum, { isInitial, weight }) => sum + (isInitial ? weight : 0), 0);
    const likely: { readonly name: number; readonly bound: number }[] = [];
    for (const name of touched) {
      const bound = this.bound(name, this.gathered[name] ?? 0, total - initials, initials > 0);
      this.gathered[name] = 0;
      if (bound >= least) likely.push({ name, bound });
    }
    const most = Math.min(MOST_COMPARED, Math.floor(MOST_COMPARED_WORDS / words.length));
    if (likely.length > most) likely.sort((a, b) => b.bound - a.bound || a.name - b.name);
    return likely.slice(0, most).map(({ name }) => name);
  }

  /** No less than the name's score. Initials are not gathered, so they are taken to agree. */
  private bound(name: number, found: number, asked: number, hasInitials: boolean): number {
    const ofInitials = this.initials[name] ?? 0;
    const listed = (this.totals[name] ?? 0) - ofInitials;
    const [less, more] = [Math.min(asked, listed), Math.max(asked, listed)];
    const gathered =
      found / more < RATHER_ALIKE ? found : found + MOST_AT_LAST * Math.min(1, Math.max(0, less - found));
    const better = Math.min(1, gathered / less);
    const worse = hasInitials || ofInitials > 0 ? 1 : Math.min(1, gathered / more);
    return boundOf(better, worse);
  }
}

/** By the id of the word of the list. */
const resemblances = (words: readonly QueryWord[], joined: readonly Hits[]): Map<number, Resemblance[]> => {
  const byId = new Map<number, Resemblance[]>();
  const add = (hits: Hits, asked: number, askedCount: 1 | 2): void => {
    hits.forEach((id, similarity) => {
      const known = byId.get(id);
      if (known === undefined) byId.set(id, [{ asked, askedCount, similarity }]);
      else known.push({ asked, askedCount, similarity });
    });
  };
  words.forEach(({ hits }, asked) => add(hits, asked, 1));
  joined.forEach((hits, asked) => add(hits, asked, 2));
  return byId;
};
