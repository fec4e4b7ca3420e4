import { type KeyedWord } from './query-name.js';
import { forEachPiece, HashedIds, PairList } from './buckets.js';
import { type NameToken } from './name-token.js';
import { type Form } from './sounds.js';
import { keysOf, keysOfJoined, SPELLING, spellingKey } from './token-keys.js';
import { alike, alikeForms, isAbjad, MIN_ALIKE, MIN_ALIKE_JOINED, nicknamesOf, type Word, wordOf } from './word.js';

/** The words of names that a word may represent, by id, with how alike they are (0–1). Two arrays: a Map would box each number. */
export class Hits {
  private readonly ids: number[] = [];
  private readonly similarities: number[] = [];

  /** An id that is not among them yet. */
  add(id: number, similarity: number): void {
    this.ids.push(id);
    this.similarities.push(similarity);
  }

  /** An id that may be among them already: the more alike counts. */
  raise(id: number, similarity: number): void {
    const at = this.ids.indexOf(id);
    if (at < 0) this.add(id, similarity);
    else this.similarities[at] = Math.max(this.similarities[at] ?? 0, similarity);
  }

  forEach(visit: (id: number, similarity: number) => void): void {
    for (let at = 0; at < this.ids.length; at += 1) visit(this.ids[at] ?? 0, this.similarities[at] ?? 0);
  }
}

const NICKNAME = 0.93;
/** Letters from which on a word is looked for in pieces, and of a piece. */
const LONG = 7;
const PIECE = 2;

const NO_WORD: Word = { forms: [{ written: '', folded: '' }], kind: 'word', factor: 1 };

/** The only form of a word that is compared by its letters. */
const plainForm = (word: Word): Form | undefined =>
  word.forms.length > 1 || isAbjad(word) || word.kind === 'patronymic' ? undefined : word.forms[0];

/** The different words of a list's names, found by words that resemble them. */
export class TokenIndex {
  private readonly words: Word[] = [];
  private readonly ids = new Map<string, number>();
  private readonly joined: boolean[] = [];
  /** The forms of words that have one alone: nearly all, so that their comparison is worth a shorter way. */
  private readonly plain: (Form | undefined)[] = [];
  private readonly keys = new PairList();
  private found: HashedIds | undefined;
  private visits = new Uint32Array(0);
  private visit = 0;

  /** The id of a word of a name. `joined`: of neighbouring words written as one. */
  add(token: NameToken, joined: boolean): number {
    const name = `${joined ? '+' : ''}${token.readings.join('/')} ${token.skeletons?.join('/') ?? ''}`;
    const known = this.ids.get(name);
    if (known !== undefined) return known;
    const word = wordOf(token);
    const id = this.words.push(word) - 1;
    this.ids.set(name, id);
    this.joined.push(joined);
    this.plain.push(plainForm(word));
    for (const key of joined ? keysOfJoined(word, false) : keysOf(word, false)) this.keys.add(key, id);
    return id;
  }

  /** Ends the adding. */
  seal(): void {
    this.ids.clear();
    this.found = HashedIds.of(this.keys, this.words.length);
    this.visits = new Uint32Array(this.words.length);
  }

  get size(): number {
    return this.words.length;
  }

  wordAt(id: number): Word {
    return this.words[id] ?? NO_WORD;
  }

  /** The word as it sounds. */
  foldedOf(id: number): string {
    return this.wordAt(id).forms[0]?.folded ?? '';
  }

  isJoined(id: number): boolean {
    return this.joined[id] ?? false;
  }

  /** `joined`: the word is several of the query written as one, so that it is compared with single words only. */
  hits({ word, keys }: KeyedWord, joined: boolean): Hits {
    const hits = new Hits();
    const own = plainForm(word);
    this.visit += 1;
    const compare = (id: number): void => {
      if (this.visits[id] === this.visit) return;
      this.visits[id] = this.visit;
      const isJoined = this.joined[id] ?? false;
      if (joined && isJoined) return;
      const least = joined || isJoined ? MIN_ALIKE_JOINED : MIN_ALIKE;
      const other = this.plain[id];
      const similarity =
        own === undefined || other === undefined ? alike(word, this.wordAt(id), least) : alikeForms(own, other, least);
      if (similarity >= least) hits.add(id, similarity);
    };
    for (const key of keys) this.found?.forEach(key, compare);
    if (!joined) {
      for (const form of word.forms) {
        for (const other of nicknamesOf(form.folded)) this.forEachSame(other, (id) => hits.raise(id, NICKNAME));
      }
    }
    return hits;
  }

  /** The words that make up a long word, in one way or another: it may be a whole name written as one. */
  pieces(word: Word): readonly number[] {
    const [form] = word.forms;
    if (form === undefined || isAbjad(word) || form.written.length < LONG) return [];
    return [...new Set([...this.piecesOf(form.written, 'written'), ...this.piecesOf(form.folded, 'folded')])];
  }

  private piecesOf(whole: string, spelled: keyof Form): number[] {
    const found: { readonly from: number; readonly to: number; readonly id: number }[] = [];
    forEachPiece(whole, SPELLING, PIECE, (hash, from, to) => {
      if (to - from === whole.length) return;
      this.found?.forEach(hash, (id) => {
        const known = this.wordAt(id).forms[0]?.[spelled] ?? '';
        if (known.length === to - from && whole.startsWith(known, from) && !(this.joined[id] ?? false)) {
          found.push({ from, to, id });
        }
      });
    });
    const begun = new Set([0]);
    for (const { from, to } of found) if (begun.has(from)) begun.add(to);
    const ended = new Set([whole.length]);
    for (const { from, to } of found.toReversed()) if (ended.has(to)) ended.add(from);
    return found.flatMap(({ from, to, id }) => (begun.has(from) && ended.has(to) ? [id] : []));
  }

  private forEachSame(form: string, visit: (id: number) => void): void {
    this.found?.forEach(spellingKey(form), (id) => {
      if (this.foldedOf(id) === form && !(this.joined[id] ?? false)) visit(id);
    });
  }
}
