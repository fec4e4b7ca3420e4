import { type AskedWord } from './asked-name.js';
import { HashedIds, PairList } from './buckets.js';
import { foldedForm, type Form, formOf, skeletonOf } from './normalise.js';
import { similarityOf } from './similarity.js';
import { keysOf, keysOfPair, spellingKey } from './token-keys.js';
import { COMPANY_FORMS, isPatronymic, NICKNAMES_OF, PARTICLES } from './words.js';

/** The words of names that a word may stand for, by id, with how alike they are (0–1). Two arrays: a Map would box each number. */
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

/** Less alike words are different names. */
const LEAST_ALIKE = 0.62;
/** Two words count as one only where they hardly differ. */
const LEAST_ALIKE_JOINED = 0.88;
const SAME_CONSONANTS = 0.95;
const NICKNAME = 0.93;

const folded = (words: ReadonlySet<string>): ReadonlySet<string> => new Set([...words].map(foldedForm));
const particles = folded(PARTICLES);
const companyForms = folded(COMPANY_FORMS);
const nicknames = new Map(
  [...NICKNAMES_OF].map(([name, others]) => [foldedForm(name), [...new Set(others.map(foldedForm))]]),
);

/** How much a kind of word says beside one of a name. */
const factorOf = (form: string): number => {
  if (form.length === 1) return 0.3;
  if (particles.has(form) || companyForms.has(form)) return 0.15;
  if (isPatronymic(form)) return 0.5;
  return 1;
};

/** How alike two words are, 0–1; 0 where they are less alike than `least`. Of words without short vowels only the consonants count. */
export const alike = (a: Form, b: Form, abjad: boolean, least = LEAST_ALIKE): number => {
  if (!abjad) {
    const sounds = similarityOf(a.folded, b.folded, least);
    if (sounds > 0.9 || (a.written === a.folded && b.written === b.folded)) return sounds;
    return Math.max(sounds, similarityOf(a.written, b.written, Math.max(least, sounds)));
  }
  const [one, other] = [skeletonOf(a.folded), skeletonOf(b.folded)];
  if (one === '' || other === '') return 0;
  return SAME_CONSONANTS * similarityOf(one, other, least);
};

/** Whether one may be short for the other. */
export const isNickname = (a: string, b: string): boolean => nicknames.get(a)?.includes(b) ?? false;

export const NICKNAME_SIMILARITY = NICKNAME;

const NO_FORM: Form = { written: '', folded: '' };

/** The different words of a list's names, found by words that resemble them. */
export class TokenIndex {
  private readonly forms: Form[] = [];
  private readonly ids = new Map<string, number>();
  private readonly abjad: boolean[] = [];
  private readonly joined: boolean[] = [];
  private readonly keys = new PairList();
  private found: HashedIds | undefined;
  private visits = new Uint32Array(0);
  private visit = 0;

  /** The id of a word of a name. `joined`: of two neighbouring words written as one. */
  add(text: string, abjad: boolean, joined: boolean): number {
    const name = `${joined ? '+' : ''}${abjad ? '*' : ''}${text}`;
    const known = this.ids.get(name);
    if (known !== undefined) return known;
    const form = formOf(text);
    const id = this.forms.push(form) - 1;
    this.ids.set(name, id);
    this.abjad.push(abjad);
    this.joined.push(joined);
    for (const key of joined ? keysOfPair(form) : keysOf(form)) this.keys.add(key, id);
    return id;
  }

  /** Ends the adding. */
  seal(): void {
    this.ids.clear();
    this.found = HashedIds.of(this.keys, this.forms.length);
    this.visits = new Uint32Array(this.forms.length);
  }

  get size(): number {
    return this.forms.length;
  }

  /** The word as it sounds. */
  foldedOf(id: number): string {
    return this.forms[id]?.folded ?? '';
  }

  formOf(id: number): Form {
    return this.forms[id] ?? NO_FORM;
  }

  isAbjad(id: number): boolean {
    return this.abjad[id] ?? false;
  }

  factorOf(id: number): number {
    return factorOf(this.foldedOf(id));
  }

  isJoined(id: number): boolean {
    return this.joined[id] ?? false;
  }

  /** `joined`: the word is two of the query written as one, so that it is compared with single words only. */
  hits({ form, abjad, keys }: AskedWord, joined: boolean): Hits {
    const hits = new Hits();
    this.visit += 1;
    const compare = (id: number): void => {
      if (this.visits[id] === this.visit) return;
      this.visits[id] = this.visit;
      const isJoined = this.joined[id] ?? false;
      const other = this.forms[id];
      if ((joined && isJoined) || other === undefined) return;
      const least = joined || isJoined ? LEAST_ALIKE_JOINED : LEAST_ALIKE;
      const similarity = alike(form, other, abjad || (this.abjad[id] ?? false), least);
      if (similarity >= least) hits.add(id, similarity);
    };
    for (const key of keys) this.found?.forEach(key, compare);
    if (!joined) {
      for (const other of nicknames.get(form.folded) ?? []) this.addSame(other, hits);
    }
    return hits;
  }

  private addSame(folded: string, hits: Hits): void {
    this.found?.forEach(spellingKey(folded), (id) => {
      if (this.foldedOf(id) !== folded || (this.joined[id] ?? false)) return;
      hits.raise(id, NICKNAME);
    });
  }
}

/** The weight of a query's word that no name of the list has. */
export const weightOfUnknown = (form: Form): number => factorOf(form.folded);
