import {
  type ClearedEntry,
  type ListId,
  type ListVersions,
  type ScreeningKind,
  type ScreeningQuery,
} from './screening-list.js';
import { type SanctionsStatus, type Thresholds } from './judgement.js';

export interface StoredMatch {
  readonly list: ListId;
  readonly entryId: string;
  readonly entryDigest: string;
  /** 0–1. */
  readonly score: number;
  readonly status: SanctionsStatus;
  readonly dismissed: boolean;
  /** Absent where they did not fit. The list version holds the name too. */
  readonly name?: string;
  readonly reasons?: readonly string[];
}

/** What was decided and on what grounds, as the charge keeps it under the decision's own key. */
export interface StoredDecision {
  readonly kind: ScreeningKind;
  readonly status: SanctionsStatus;
  readonly query: ScreeningQuery;
  readonly versions: ListVersions;
  readonly engineVersion: string;
  readonly thresholds: Thresholds;
  /** Best first. */
  readonly matches: readonly StoredMatch[];
  /** What a date, a country or the like set aside; fewer where not all fitted. */
  readonly cleared?: readonly ClearedEntry[];
  /** Matches found. `matches` has 20 of them at most, and fewer where not all fitted. */
  readonly total: number;
}

/**
 * Largest decision as JSON, bytes. Sealed twice it grows by a third and an envelope, and a charge's record takes 8 KiB.
 */
export const MAX_DECISION_BYTES = 5_900;

const bytesOf = (decision: StoredDecision): number => Buffer.byteLength(JSON.stringify(decision));

const withoutReasons = ({ list, entryId, entryDigest, score, status, dismissed, name }: StoredMatch): StoredMatch => {
  const match = { list, entryId, entryDigest, score, status, dismissed };
  return name === undefined ? match : { ...match, name };
};

const withoutName = ({ list, entryId, entryDigest, score, status, dismissed }: StoredMatch): StoredMatch => {
  return { list, entryId, entryDigest, score, status, dismissed };
};

/** Each match changed, from the worst on, until the decision fits. */
const shortened = (decision: StoredDecision, shorten: (match: StoredMatch) => StoredMatch): StoredDecision => {
  let fits = decision;
  for (let at = decision.matches.length - 1; at >= 0 && bytesOf(fits) > MAX_DECISION_BYTES; at -= 1) {
    fits = { ...fits, matches: fits.matches.map((match, index) => (index === at ? shorten(match) : match)) };
  }
  return fits;
};

/** The decision within its limit: reasons go first, from the worst match on, then what was cleared, names, and the worst matches. */
export const fitted = (decision: StoredDecision): StoredDecision => {
  let fits = shortened(decision, withoutReasons);
  while ((fits.cleared?.length ?? 0) > 0 && bytesOf(fits) > MAX_DECISION_BYTES) {
    fits = { ...fits, cleared: fits.cleared?.slice(0, -1) ?? [] };
  }
  fits = shortened(fits, withoutName);
  while (fits.matches.length > 0 && bytesOf(fits) > MAX_DECISION_BYTES) {
    fits = { ...fits, matches: fits.matches.slice(0, -1) };
  }
  return fits;
};

const DIGITS = 2;
const MATCH_ID = /^mat_([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})_([0-9]{2,4})$/;

/** Names a match by its decision and its place there, from 0. */
export const matchId = (decisionId: string, index: number): string =>
  `mat_${decisionId.replaceAll('-', '')}_${String(index).padStart(DIGITS, '0')}`;

/** Undefined for text that names no match. */
export const matchOf = (id: string): { readonly decisionId: string; readonly index: number } | undefined => {
  const parts = MATCH_ID.exec(id)?.slice(1);
  if (parts === undefined) return undefined;
  const named = { decisionId: parts.slice(0, 5).join('-'), index: Number(parts[5]) };
  return matchId(named.decisionId, named.index) === id ? named : undefined;
};
