import { type CheckRow, type ScreenedRow } from '../../../projections/screening/screening.queries.js';
import { type StoredDecision } from '../domain/stored-decision.js';

export interface OpenedDecision {
  readonly row: CheckRow | ScreenedRow;
  readonly decision: StoredDecision;
  /** The data key that goes with the person, or of a check with the decision. */
  readonly keyId: string;
  /** Undefined of a check, which names no identity. */
  readonly identityHash: string | undefined;
}
