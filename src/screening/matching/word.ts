import { isInitial, type NameToken } from './name-token.js';
import { similarityOf } from './similarity.js';
import { foldedForm, type Form, formOf, skeletonOf } from './sounds.js';
import { COMPANY_FORMS, NICKNAMES_OF, PARTICLES, stemOfPatronymic } from './words.js';

/** Less alike words are different names. */
export const MIN_ALIKE = 0.62;
/** Words count as one only where they hardly differ. */
export const MIN_ALIKE_JOINED = 0.88;
/** How alike words with the same consonants are. */
export const SAME_CONSONANTS = 0.95;
/** One consonant says little. */
const SAME_CONSONANT = 0.88;
const MIN_ALIKE_FATHERS = 0.75;

export type WordKind = 'word' | 'initial' | 'particle' | 'company_form' | 'patronymic';

/** How much a kind of word says beside one of a name. */
const FACTORS: Readonly<Record<WordKind, number>> = {
  word: 1,
  initial: 0.3,
  particle: 0.15,
  company_form: 0.15,
  patronymic: 0.5,
};

const folded = (words: ReadonlySet<string>): ReadonlySet<string> => new Set([...words].map(foldedForm));
const particles = folded(PARTICLES);
const companyForms = folded(COMPANY_FORMS);
const nicknames = new Map(
  [...NICKNAMES_OF].map(([name, others]) => [foldedForm(name), [...new Set(others.map(foldedForm))]]),
);

const kindOf = (token: NameToken, form: string): WordKind => {
  if (isInitial(token)) return 'initial';
  if (particles.has(form)) return 'particle';
  if (companyForms.has(form)) return 'company_form';
  return stemOfPatronymic(form) === undefined ? 'word' : 'patronymic';
};

/** A word with what comparisons need of it, made once. */
export interface Word {
  /** One for each reading. */
  readonly forms: readonly Form[];
  /** The consonants of each reading of a word in a script without short vowels. */
  readonly skeletons?: readonly string[];
  readonly kind: WordKind;
  readonly factor: number;
}

export const wordOf = (token: NameToken): Word => {
  const forms = token.readings.map(formOf);
  const kind = kindOf(token, forms[0]?.folded ?? '');
  const word = { forms, kind, factor: FACTORS[kind] };
  return token.skeletons === undefined ? word : { ...word, skeletons: token.skeletons };
};

/** Whether only the consonants of the word can be compared. */
export const isAbjad = ({ skeletons }: Word): boolean => skeletons !== undefined;

/** How alike two spellings are, 0–1; 0 where they are less alike than `least`. */
export const alikeForms = (a: Form, b: Form, least: number): number => {
  const sounds = similarityOf(a.folded, b.folded, least);
  if (sounds > 0.9 || (a.written === a.folded && b.written === b.folded)) return sounds;
  return Math.max(sounds, similarityOf(a.written, b.written, Math.max(least, sounds)));
};

/** The consonants of each reading. */
export const skeletonsOf = ({ forms, skeletons }: Word): readonly string[] =>
  skeletons ?? forms.map(({ folded: form }) => skeletonOf(form));

const alikeConsonants = (queryWord: Word, listed: Word, least: number): number => {
  if (queryWord.forms[0]?.written === listed.forms[0]?.written && isAbjad(listed)) return 1;
  let best = 0;
  for (const one of skeletonsOf(queryWord)) {
    for (const other of skeletonsOf(listed)) {
      if (one === '' || other === '') continue;
      const most = one.length === 1 || other.length === 1 ? SAME_CONSONANT : SAME_CONSONANTS;
      best = Math.max(best, most * similarityOf(one, other, Math.max(least, best)));
    }
  }
  return best;
};

/** Sons of Viktor and of Vitold share most of their letters. */
const alikeFathers = (a: Form, b: Form, least: number): number => {
  const [one, other] = [stemOfPatronymic(a.folded) ?? a.folded, stemOfPatronymic(b.folded) ?? b.folded];
  return similarityOf(one, other, Math.max(least, MIN_ALIKE_FATHERS));
};

/**
 * How alike two words are, 0–1; 0 where they are less alike than `least`. Of a query without short vowels only the consonants
 * count; a query with vowels is no reading of a listed word without them.
 */
export const alike = (queryWord: Word, listed: Word, least = MIN_ALIKE): number => {
  if (isAbjad(queryWord)) return alikeConsonants(queryWord, listed, least);
  if (isAbjad(listed)) return 0;
  const [one, other] = [queryWord.forms[0], listed.forms[0]];
  if (one === undefined || other === undefined || one.written === other.written) return 1;
  const compare = queryWord.kind === 'patronymic' && listed.kind === 'patronymic' ? alikeFathers : alikeForms;
  let best = compare(one, other, least);
  if (queryWord.forms.length === 1 && listed.forms.length === 1) return best;
  for (const ours of queryWord.forms) {
    for (const theirs of listed.forms) {
      if (ours.written === theirs.written) return 1;
      if (ours !== one || theirs !== other) best = Math.max(best, compare(ours, theirs, Math.max(least, best)));
    }
  }
  return best;
};

/** The given names, in folded form, that one may represent. */
export const nicknamesOf = (form: string): readonly string[] => nicknames.get(form) ?? [];
