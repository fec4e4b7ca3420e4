import { type SanctionsStatus } from './judgement.js';
import { type StoredMatch } from './stored-decision.js';

export interface Outcome {
  readonly status: SanctionsStatus;
  readonly matches: readonly StoredMatch[];
}

export interface MatchName {
  readonly list: string;
  readonly entryId: string;
}

/** How a later outcome of the same query differs from an earlier one. */
export interface Difference {
  readonly statusChanged: boolean;
  readonly added: readonly MatchName[];
  readonly removed: readonly MatchName[];
  /** Entries whose score or contents differ. */
  readonly changed: readonly MatchName[];
}

const keyOf = ({ list, entryId }: MatchName): string => `${list}/${entryId}`;

const nameOf = ({ list, entryId }: MatchName): MatchName => ({ list, entryId });

export const differenceOf = (earlier: Outcome, later: Outcome): Difference => {
  const before = new Map(earlier.matches.map((match) => [keyOf(match), match]));
  const after = new Set(later.matches.map(keyOf));
  const isChanged = (match: StoredMatch): boolean => {
    const known = before.get(keyOf(match));
    return known !== undefined && (known.score !== match.score || known.entryDigest !== match.entryDigest);
  };
  return {
    statusChanged: earlier.status !== later.status,
    added: later.matches.filter((match) => !before.has(keyOf(match))).map(nameOf),
    removed: earlier.matches.filter((match) => !after.has(keyOf(match))).map(nameOf),
    changed: later.matches.filter(isChanged).map(nameOf),
  };
};

export const isSame = ({ statusChanged, added, removed, changed }: Difference): boolean =>
  !statusChanged && added.length + removed.length + changed.length === 0;
