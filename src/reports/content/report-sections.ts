import { createHash } from 'node:crypto';
import { type MatchRow, matchesOfDecisions } from '../../../projections/screening/screening.queries.js';
import { actorInWords } from '../../kernel/audit-actors.js';
import { inWords } from '../../platform/pdf/words.js';
import { entriesAsCsv } from './report-csv.js';
import { type Report } from './report.js';
import { type ListSection, type ReportEntry, type Tally } from './report-source.js';

/** Entries of a section that a PDF lists; its attachment, or the CSV format, has them all. */
const MAX_LISTED = 1_000;
/** A larger section is not attached, since a PDF is made in memory. */
const MAX_ATTACHED = 8 * 1_024 * 1_024;

/** A section of a report, read once. */
export interface Listed {
  readonly section: ListSection;
  /** The first ones. */
  readonly entries: readonly ReportEntry[];
  readonly total: number;
  /** Of the section's whole CSV file, hexadecimal. */
  readonly sha256: string;
  /** The whole CSV file, where it is not too large. */
  readonly csv: Buffer | undefined;
  /** Entries by UTC day, then by action. */
  readonly days: Tally;
}

export const readSection = async (report: Report, section: ListSection): Promise<Listed> => {
  const entries: ReportEntry[] = [];
  const days = new Map<string, Map<string, number>>();
  let total = 0;
  const watched = async function* () {
    for await (const page of report.source.entries(section)) {
      total += page.length;
      entries.push(...page.slice(0, MAX_LISTED - entries.length));
      for (const { timestamp, action } of page) {
        const actions = days.get(timestamp.slice(0, 10)) ?? new Map<string, number>();
        days.set(timestamp.slice(0, 10), actions.set(action, (actions.get(action) ?? 0) + 1));
      }
      yield page;
    }
  };
  const digest = createHash('sha256');
  const kept: Buffer[] = [];
  let bytes = 0;
  for await (const part of entriesAsCsv(watched())) {
    digest.update(part);
    bytes += part.length;
    if (bytes <= MAX_ATTACHED) kept.push(part);
  }
  const csv = bytes <= MAX_ATTACHED ? Buffer.concat(kept) : undefined;
  return { section, entries, total, sha256: digest.digest('hex'), csv, days };
};

/** `2026-11-28 08:30:00`. */
const dayAndTime = (timestamp: string): string => timestamp.slice(0, 19).replace('T', ' ');

const foundText = ({ list, entryId, score }: MatchRow): string => `${list} ${entryId} (${score.toFixed(2)})`;

export const decidedText = ({ status, decidedAt, decidedBy }: MatchRow): string => {
  if (status === 'open' || decidedAt === null || decidedBy === null) return status;
  return `${status} by ${actorInWords(decidedBy)}, ${decidedAt.toISOString().slice(0, 10)}`;
};

const rowsOf = (entry: ReportEntry, matches: readonly MatchRow[]): readonly string[][] => {
  const [first, ...others] = matches;
  const person = entry.identity_id ?? entry.identity_hash.slice(0, 24);
  const found = (match: MatchRow | undefined) =>
    match === undefined ? ['', ''] : [foundText(match), decidedText(match)];
  return [
    [dayAndTime(entry.timestamp), person, inWords(entry.result), ...found(first), entry.decision_id ?? ''],
    ...others.map((match) => ['', '', '', ...found(match), '']),
  ];
};

/** Screening in the background writes an entry for each match, a check one for all of them. */
const isAbout = ({ match_id: id }: ReportEntry, { index }: MatchRow): boolean =>
  id === null || Number(id.slice(id.lastIndexOf('_') + 1)) === index;

/** A check, or a screening in the background, with its matches as they are now. */
export interface CheckedEntry {
  readonly entry: ReportEntry;
  readonly matches: readonly MatchRow[];
}

export const checkedEntries = async (
  report: Report,
  entries: readonly ReportEntry[],
): Promise<readonly CheckedEntry[]> => {
  const decisions = entries.flatMap(({ decision_id: id }) => (id === null ? [] : [id]));
  const byDecision = new Map<string, MatchRow[]>();
  for (const match of await matchesOfDecisions(report.source.readModels, decisions))
    byDecision.set(match.decisionId, [...(byDecision.get(match.decisionId) ?? []), match]);
  return entries.map((entry) => ({
    entry,
    matches: (byDecision.get(entry.decision_id ?? '') ?? []).filter((match) => isAbout(entry, match)),
  }));
};

/** A row for each entry, and for each match of a check beyond the first. People are named by id or keyed hash, never by name. */
export const checkRows = (checked: readonly CheckedEntry[]): readonly string[][] =>
  checked.flatMap(({ entry, matches }) => rowsOf(entry, matches));
