import { formOf, type NameToken, tokensOf } from './normalise.js';
import { alike, isNickname } from './token-index.js';

interface Likeness {
  readonly listed: NameToken;
  readonly similarity: number;
  readonly how: string | undefined;
}

const LIKE = 0.62;

const howAlike = (asked: NameToken, listed: NameToken): Likeness => {
  if (asked.text === listed.text) return { listed, similarity: 1, how: undefined };
  const [one, other] = [formOf(asked.text), formOf(listed.text)];
  const abjad = asked.abjad || listed.abjad;
  const similarity = alike(one, other, abjad);
  if (isNickname(one.folded, other.folded)) {
    return { listed, similarity: Math.max(similarity, 0.93), how: `“${asked.text}” may stand for “${listed.text}”` };
  }
  if (similarity >= LIKE && abjad) {
    return { listed, similarity, how: `“${asked.text}” has the consonants of “${listed.text}”` };
  }
  if (similarity === 1) {
    return { listed, similarity, how: `“${asked.text}” is another spelling of “${listed.text}”` };
  }
  if (similarity >= LIKE) return { listed, similarity, how: `“${asked.text}” resembles “${listed.text}”` };
  if ((asked.text.length === 1 || listed.text.length === 1) && one.folded.startsWith(other.folded.slice(0, 1))) {
    return { listed, similarity: LIKE, how: `“${asked.text}” may be an initial of “${listed.text}”` };
  }
  return { listed, similarity: 0, how: undefined };
};

const quoted = (tokens: readonly NameToken[]): string => tokens.map(({ text }) => `“${text}”`).join(', ');

/** Two neighbouring words that the other name writes as one. */
const joinedIn = (tokens: readonly NameToken[], others: readonly NameToken[]): NameToken[] =>
  tokens.flatMap((token, index) => {
    const next = tokens[index + 1];
    if (next === undefined) return [];
    const both = formOf(token.text + next.text);
    return others.some(({ text }) => alike(both, formOf(text), false) >= 0.88) ? [token, next] : [];
  });

/** Why two names resemble each other, word by word. */
export const explainNames = (asked: string, listed: string): string[] => {
  const [ours, theirs] = [tokensOf(asked), tokensOf(listed)];
  const open = new Set(theirs);
  const reasons: string[] = [];
  const lacking: NameToken[] = [];
  for (const token of ours) {
    const [best] = [...open].map((one) => howAlike(token, one)).sort((a, b) => b.similarity - a.similarity);
    if (best === undefined || best.similarity === 0) {
      lacking.push(token);
      continue;
    }
    open.delete(best.listed);
    if (best.how !== undefined) reasons.push(`${best.how}.`);
  }
  const joined = new Set([...joinedIn(ours, theirs), ...joinedIn(theirs, ours)]);
  if (joined.size > 0) {
    const one = quoted([...joined]);
    return [...reasons, `${one} are written as one word on the other side.`];
  }
  if (lacking.length > 0) reasons.push(`The listed name lacks ${quoted(lacking)}.`);
  if (open.size > 0) reasons.push(`The name given lacks ${quoted([...open])}.`);
  return reasons;
};
