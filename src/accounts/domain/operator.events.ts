import { type DomainEvent } from '../../kernel/decider.js';
import { type Envelope } from '../../kernel/envelope.js';
import { type FieldChange } from '../../kernel/field-change.js';

/**
 * An admitted request of an operator. It is written before it takes effect, so that every act of an operator is
 * recorded. Events that the request causes carry the same `$correlationId`. The metadata's actor names the operator
 * as a keyed hash.
 */
export type OperatorActed = DomainEvent<
  'OperatorActed.v1',
  {
    /** Method and route template, for example `POST /admin/accounts/{id}/suspend`. Never a URL. */
    readonly action: string;
    /** The account in the path. Null if the path has none. */
    readonly tenantId: string | null;
    readonly roles: readonly string[];
    /** OperatorDetails: it may name people, so it is sealed. */
    readonly details: Envelope;
  }
>;

/**
 * What became of such a request. It is written after the effect and before the answer, so an act without it is one whose
 * outcome is not known. `$causationId` is the act.
 */
export type OperatorActConcluded = DomainEvent<
  'OperatorActConcluded.v1',
  {
    /** Id of its OperatorActed. */
    readonly actId: string;
    readonly outcome: 'done' | 'refused' | 'repeated' | 'unknown';
    /** HTTP status of the answer. Null for a command line. */
    readonly status: number | null;
    /** The answer's error code. */
    readonly code: string | null;
    /** What it changed. Personal texts and secrets are only named. */
    readonly changes: readonly FieldChange[];
  }
>;

/** What of an act may name people. */
export interface OperatorDetails {
  /** The token's subject, or the name that a command line gave. */
  readonly operator: string;
  /** What it was done to, by the names of the path or of the command line's options. */
  readonly target: Readonly<Record<string, string>>;
  readonly justification: string | null;
}

export type OperatorEvent = OperatorActed | OperatorActConcluded;

export const OPERATOR_STREAM = 'audit-operators';
