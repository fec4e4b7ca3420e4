import { type Evidence } from '../domain/screening-list.js';
import { type Alignment, bit, type Edge, isOne, type ScoredName, type Side } from './alignment.js';
import { isAbjad, nicknamesOf, type Word } from './word.js';

const written = ({ forms: [form] }: Word): string => form?.written ?? '';

const wordsIn = <Item extends Word>(words: readonly Item[], mask: number): Item[] =>
  words.filter((_, place) => (mask & bit(place)) !== 0);

const quoted = (words: readonly Word[]): string => words.map((word) => `“${written(word)}”`).join(', ');

const areShort = (one: Word, other: Word): boolean =>
  one.forms.some(({ folded }) => nicknamesOf(folded).includes(other.forms[0]?.folded ?? ''));

/** A reading that both have, though their usual ones differ. */
const sharedReading = (one: Word, other: Word): string | undefined =>
  one.forms.find((form) => other.forms.some((theirs) => theirs.written === form.written))?.written;

const howAlike = (queryWords: Word, listed: Word, { similarity }: Edge): string[] => {
  const [ours, theirs] = [`“${written(queryWords)}”`, `“${written(listed)}”`];
  if (written(queryWords) === written(listed)) return [];
  if (sharedReading(queryWords, listed) !== undefined) return [`${ours} may be read as ${theirs}.`];
  if (areShort(queryWords, listed)) return [`${ours} may stand for ${theirs}.`];
  if (isAbjad(queryWords)) return [`${ours} has the consonants of ${theirs}.`];
  return [similarity === 1 ? `${ours} is another spelling of ${theirs}.` : `${ours} resembles ${theirs}.`];
};

const explainEdge = (edge: Edge, query: Side, name: ScoredName): string[] => {
  const [queryWords, listed] = [wordsIn(query.words, edge.queryMask), wordsIn(name.words, edge.listed)];
  const [[one], [other]] = [queryWords, listed];
  if (one === undefined || other === undefined) return [];
  if (edge.kind === 'initial') return [`“${written(one)}” may be an initial of “${written(other)}”.`];
  if (!isOne(edge.queryMask)) return [`${quoted(queryWords)} are written as one word on the other side.`];
  if (!isOne(edge.listed)) return [`${quoted(listed)} are written as one word on the other side.`];
  return howAlike(one, other, edge);
};

/** Why two names resemble each other, word by word: what the score was made from. */
export const explainNames = (
  query: Side,
  name: ScoredName,
  { edges, queryUnmatched, listedLeft }: Alignment,
): Evidence[] => {
  const [ours, theirs] = [wordsIn(query.words, queryUnmatched), wordsIn(name.words, listedLeft)];
  const agrees = [...edges]
    .sort((a, b) => (a.queryMask & -a.queryMask) - (b.queryMask & -b.queryMask))
    .flatMap((edge) => explainEdge(edge, query, name));
  const lacks = [
    ...(ours.length > 0 ? [`The listed name lacks ${quoted(ours)}.`] : []),
    ...(theirs.length > 0 ? [`The name given lacks ${quoted(theirs)}.`] : []),
  ];
  return [
    ...agrees.map((sentence) => ({ part: 'name', verdict: 'agrees', sentence }) as const),
    ...lacks.map((sentence) => ({ part: 'name', verdict: 'contradicts', sentence }) as const),
  ];
};
