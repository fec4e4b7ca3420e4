import { type CheckRow, type ScreenedRow } from '../../../projections/screening/screening.queries.js';
import { type ScreeningQuery } from '../domain/screening-list.js';
import { type StoredDecision } from '../domain/stored-decision.js';

/** The person that was screened, as the check asked or as the identity's record stands. */
export interface DecisionSubject {
  readonly query: ScreeningQuery;
  /** The data key that goes with the person, or of a check with the decision. */
  readonly keyId: string;
  /** Undefined of a check, which names no identity. */
  readonly identityHash: string | undefined;
  /** Of a check: of the entry of each match. Those of the background stand in their rows. */
  readonly entryDigests?: readonly string[];
}

export interface OpenedDecision extends Omit<DecisionSubject, 'query' | 'entryDigests'> {
  readonly row: CheckRow | ScreenedRow;
  readonly decision: StoredDecision;
}
