import { type DomainEvent } from '../../kernel/decider.js';

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
  }
>;

export const OPERATOR_STREAM = 'audit-operators';
