import { type MatchRow } from '../../../projections/screening/screening.queries.js';
import { type AuditAction, type AuditResult } from '../../kernel/contract.js';
import { type Bar } from '../../platform/pdf/pdf-drawing.js';
import { inWords } from '../../platform/pdf/words.js';
import { type CheckedEntry, decidedText } from './report-sections.js';
import { type Tally, totalOf } from './report-source.js';

/** Results that an auditor asks about, in words. */
const EXCEPTIONS: Partial<Record<AuditResult, string>> = {
  confirmed_match: 'Entries that found a person on a list',
  potential_match: 'Entries that found someone who may be on a list',
  pep: 'Entries that found a politically exposed person',
  invalid: 'Requests or credentials that were not valid',
  not_disclosed: 'Look-ups whose answer was withheld',
  not_screened: 'Identities with a name that cannot be screened',
};

export const countOf = (results: ReadonlyMap<string, number>): number =>
  [...results.values()].reduce((sum, entries) => sum + entries, 0);

export const barsOf = (tally: Tally): Bar[] =>
  [...tally]
    .map(([label, results]) => ({ label: inWords(label), value: countOf(results) }))
    .sort((one, other) => other.value - one.value);

const resultCount = (tally: Tally, ...wanted: readonly AuditResult[]): number =>
  [...tally.values()].reduce(
    (sum, results) => sum + wanted.reduce((part, result) => part + (results.get(result) ?? 0), 0),
    0,
  );

const actionCount = (tally: Tally, ...wanted: readonly AuditAction[]): number =>
  wanted.reduce((sum, action) => sum + countOf(tally.get(action) ?? new Map<string, number>()), 0);

export const exceptionsOf = (tally: Tally): readonly string[] =>
  Object.entries(EXCEPTIONS).flatMap(([result, words]) => {
    const entries = resultCount(tally, result as AuditResult);
    return entries === 0 ? [] : [`${words}: ${entries.toLocaleString('en')}`];
  });

interface FoundMatch {
  readonly match: MatchRow;
  /** When it was first found. */
  readonly at: string;
}

/** The matches of all sections, the oldest first. Several entries may be about one. */
const eachOnce = (checked: readonly CheckedEntry[]): readonly FoundMatch[] => {
  const found = new Map<string, FoundMatch>();
  for (const { entry, matches } of checked)
    for (const match of matches) {
      const id = `${match.decisionId} ${match.index}`;
      const known = found.get(id);
      if (known === undefined || entry.timestamp < known.at) found.set(id, { match, at: entry.timestamp });
    }
  return [...found.values()].sort((one, other) => (one.at < other.at ? -1 : 1));
};

/** Five figures that say what the period was like. */
export const figuresOf = (tally: Tally, checked: readonly CheckedEntry[]): readonly Bar[] => [
  { label: 'Entries', value: totalOf(tally) },
  { label: 'Checks of persons', value: actionCount(tally, 'sanctions_check', 'pep_check', 'risk_assessment') },
  { label: 'Possible matches', value: resultCount(tally, 'potential_match', 'pep') },
  { label: 'Confirmed matches', value: resultCount(tally, 'confirmed_match') },
  { label: 'Matches that wait', value: eachOnce(checked).filter(({ match }) => match.status in WAITS).length },
];

const WAITS: Partial<Record<MatchRow['status'], string>> = {
  open: 'waits for a decision',
  proposed: 'is decided by one person and waits for another',
};

const sentenceOf = (match: MatchRow): string => {
  const { list, entryId, score, status } = match;
  const decided = WAITS[status] ?? decidedText(match);
  return `${inWords(list)}, entry ${entryId}, score ${score.toFixed(2)}: ${decided}.`;
};

/** What an auditor asks about first: matches that are confirmed or wait, the oldest first. */
export const matchSentences = (checked: readonly CheckedEntry[]): readonly string[] =>
  eachOnce(checked)
    .filter(({ match }) => match.status !== 'dismissed')
    .map(({ match, at }) => `${at.slice(0, 10)}: ${sentenceOf(match)}`);
